package cmd

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mercer/configs"
	"mercer/experiments"
	"mercer/internal/compare"
	"mercer/internal/metrics"
	"mercer/methods"
	"mercer/results"
)

const watchedSpec = `
name: watched
seed: 3
repeats: 4
datasets: [{id: poly2, use: series, decay: {power: 2}}]
grid: {n: [50, 100], ell: [3]}
methods:
  - {id: kpca, use: kpca}
  - {id: ekpca, use: ekpca, center: u}
measure: [recon_h]
claims:
  - {id: floor, value: {of: recon_h/recon_h_floor, where: {method: ekpca}, at_most: 1.3}}
`

// TestCompareSabotage goes through the command: each way to spoil a run gives its
// message and exit code.
func TestCompareSabotage(t *testing.T) {
	dir := t.TempDir()
	base := runSpec(t, filepath.Join(dir, "base"), watchedSpec)
	reference := filepath.Join(dir, "reference", "watched", "paper.jsonl")
	if err := os.MkdirAll(filepath.Dir(reference), 0o777); err != nil {
		t.Fatal(err)
	}
	code, text, stderr := mercer("export", base, "--format", "reference")
	if code != 0 {
		t.Fatal(stderr)
	}
	if err := os.WriteFile(reference, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	times := seriesOfTimes(1)
	for _, tt := range []struct {
		name string
		base string
		new  func(out string) string
		code int
		want string
	}{
		{"nothing", reference, func(out string) string { return runSpec(t, out, watchedSpec) }, 0, "no regression in 1 experiment"},
		{"against the run itself", base, func(out string) string { return runSpec(t, out, watchedSpec) }, 0, "no regression in 1 experiment"},
		{"1 % worse", reference, func(out string) string {
			return rewritten(t, out, base, func(r *results.Record) { scale(r, "recon_h", 1.01) })
		}, 4, "poly2 series ekpca"},
		{"a broken method", reference, func(out string) string {
			entry := methods.Registry["ekpca"]
			methods.Registry["ekpca"] = withFit(uncentred)(entry)
			defer func() { methods.Registry["ekpca"] = entry }()
			return runSpec(t, out, watchedSpec)
		}, 4, "recon_h: 8 of 8 numbers with the same seeds differ by more than 1e-09"},
		{"a changed seed", reference, func(out string) string {
			return runSpec(t, out, replaced(t, watchedSpec, "seed: 3", "seed: 4"))
		}, 2, "watched: 4 and 4 repeats are too few: 6 tests of distributions at confidence 0.99 take 6 repeats on both sides to be decided"},
		{"a dropped cell", reference, func(out string) string {
			return runSpec(t, out, replaced(t, watchedSpec, "[50, 100]", "[50]"))
		}, 4, "regression: watched: 2 cells are gone: poly2 series ekpca n=100 ell=3, poly2 series kpca n=100 ell=3; if intended: make reference"},
		{"a renamed metric", reference, func(out string) string {
			return rewritten(t, out, base, func(r *results.Record) {
				all := maps.Collect(r.Metrics.All())
				all["recon"] = all["recon_h"]
				delete(all, "recon_h")
				r.Metrics = results.NewMetrics(all)
			})
		}, 4, "recon_h: is gone, and recon has its values: renamed?; if intended: make reference"},
		{"a violated claim", reference, func(out string) string {
			return runSpec(t, out, replaced(t, watchedSpec, "at_most: 1.3", "at_most: 0.9"))
		}, 4, "regression: watched: floor poly2 series ekpca: holds → violated"},
		{"20 % slower", rewritten(t, filepath.Join(dir, "times"), base, times), func(out string) string {
			return rewritten(t, out, base, seriesOfTimes(1.2))
		}, 4, "regression: watched: poly2 series ekpca: time_total: time × 1.2"},
		{"as fast", filepath.Join(dir, "times"), func(out string) string {
			return rewritten(t, out, base, seriesOfTimes(1.02))
		}, 0, "no regression"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			new := tt.new(filepath.Join(t.TempDir(), "new"))
			code, stdout, stderr := mercer("compare", tt.base, new)
			if code != tt.code || !strings.Contains(stdout+stderr, tt.want) || code == exitUsage && stdout != "" {
				t.Errorf("exit %d, want %d and %q\n%s%s", code, tt.code, tt.want, stdout, stderr)
			}
		})
	}
}

// mercer runs a command line.
func mercer(args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	code = Main(args, nil, &out, &errs)
	return code, out.String(), errs.String()
}

func runSpec(t *testing.T, out, text string) string {
	t.Helper()
	spec := filepath.Join(t.TempDir(), "spec.yaml")
	if err := os.WriteFile(spec, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := mercer("run", spec, "--out", out, "--quiet", "--workers", "1"); code != 0 && code != exitViolated {
		t.Fatalf("run exits with %d: %s", code, stderr)
	}
	return out
}

// rewritten is a run whose records were changed.
func rewritten(t *testing.T, out, from string, change func(*results.Record)) string {
	t.Helper()
	run, err := results.Load(from)
	if err != nil {
		t.Fatal(err)
	}
	var records []results.Record
	var keys []string
	for _, r := range run.Records {
		change(&r)
		records, keys = append(records, r), append(keys, r.Key)
	}
	run.Manifest.Keys = keys
	if err := results.WriteManifest(out, run.Manifest); err != nil {
		t.Fatal(err)
	}
	store, err := results.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	if err := store.Append(records...); err != nil {
		t.Fatal(err)
	}
	return out
}

func scale(r *results.Record, metric string, factor float64) {
	m, _ := r.Metrics.Get(metric)
	m.Value *= factor
	r.Metrics.Set(metric, m)
}

// seriesOfTimes puts a synthetic time with noise of 3 % into each record: 4 repeats
// cannot tell anything, so the repeats of each size of n count as 4 more of n = 50.
func seriesOfTimes(factor float64) func(*results.Record) {
	rng := rand.New(rand.NewPCG(math.Float64bits(factor), 1))
	return func(r *results.Record) {
		if r.N == 100 {
			r.N, r.Point, r.Repeat = 50, map[string]float64{"n": 50, "ell": 3}, r.Repeat+4
		}
		r.Metrics = results.NewMetrics(map[string]results.Metric{"time_total": {Value: factor * math.Exp(0.03*rng.NormFloat64()), Unit: "s"}})
	}
}

// Every format of a comparison can be read by a program of its kind.
func TestCompareFormats(t *testing.T) {
	dir := t.TempDir()
	base := runSpec(t, filepath.Join(dir, "base"), watchedSpec)
	worse := rewritten(t, filepath.Join(dir, "new"), base, func(r *results.Record) { scale(r, "recon_h", 1.01) })
	t.Setenv("GITHUB_ACTIONS", "true")
	code, table, annotations := mercer("compare", base, worse, "--write", filepath.Join(dir, "pr.md"), "--write", filepath.Join(dir, "junit.xml"), "--write", filepath.Join(dir, "all.json"))
	if code != exitRegression || !strings.Contains(table, "| watched    | 4     | 64 (16 drifted)") {
		t.Errorf("exit %d\n%s", code, table)
	}
	if !strings.HasPrefix(annotations, "::error title=mercer watched drift::watched: poly2 series") || strings.Count(annotations, "::error") != 1 || strings.Count(annotations, "recon_h: 8 of 8") != 2 {
		t.Errorf("annotations\n%s", annotations)
	}
	t.Setenv("GITHUB_ACTIONS", "")
	read := func(name string) []byte {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	if text := string(read("pr.md")); !strings.HasPrefix(text, "### mercer compare: 2 regressions in 1 experiment\n\n**Regressions**\n\n- watched: poly2 series") || !strings.Contains(text, "recon\\_h") {
		t.Errorf("Markdown\n%s", text)
	}
	var suites struct {
		Failures int `xml:"failures,attr"`
		Suite    []struct {
			Name  string `xml:"name,attr"`
			Cases []struct {
				Failure *struct {
					Message string `xml:"message,attr"`
				} `xml:"failure"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal(read("junit.xml"), &suites); err != nil || suites.Failures != 2 || suites.Suite[0].Name != "watched" || suites.Suite[0].Cases[0].Failure == nil {
		t.Errorf("JUnit: error %v, %+v", err, suites)
	}
	var comparison compare.Comparison
	if err := json.Unmarshal(read("all.json"), &comparison); err != nil || comparison.Count(compare.Regression) != 2 || comparison.Experiments[0].Numbers.Drifted == 0 {
		t.Errorf("JSON: error %v, %+v", err, comparison)
	}
	_, bench, _ := mercer("compare", base, worse, "--format", "benchfmt")
	for _, want := range []string{
		"pkg: mercer/watched\n", "\nside: base\n", "\nside: new\n", "\nUnit recon_h better=lower\n",
		"\nBenchmarkFit/data=poly2/kernel=series/method=ekpca/n=50/ell=3-1 1 ",
	} {
		if !strings.Contains(bench, want) {
			t.Errorf("benchfmt lacks %q\n%s", want, bench)
		}
	}
}

// The facts of a metric are those of its measure, and it is that of one measure only.
func TestMetricFacts(t *testing.T) {
	seen := map[string]string{}
	for name, m := range metrics.Registry {
		for _, output := range m.Outputs {
			if other, twice := seen[output]; twice {
				t.Errorf("%s is an output of %s and of %s", output, name, other)
			}
			seen[output] = name
			want := map[metrics.Better]compare.Direction{metrics.Less: compare.Less, metrics.More: compare.More}[metrics.BetterOf(output)]
			if got := metricFacts(output); got.Better != want || got.Steps != m.Steps {
				t.Errorf("%s: %+v", output, got)
			}
		}
	}
	if got := metricFacts("eigenvalue_12"); got.Better != compare.Neither || got.Scale != "eigenvalue_1" {
		t.Errorf("eigenvalue_12: %+v", got)
	}
}

// Each experiment has a reference of its smoke profile, and each reference its
// experiment, with the number of repeats that the profile has.
func TestReferences(t *testing.T) {
	files, err := filepath.Glob("../results/reference/*/*.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	have := map[string]bool{}
	for _, file := range files {
		id := referenceID(filepath.ToSlash(file))
		have[id] = true
		side, err := openReference(file)
		if err != nil {
			t.Error(err)
			continue
		}
		name, profile := side.Manifest.Experiment, side.Manifest.Profile
		if name+"/"+profile != id || len(side.Records) == 0 {
			t.Errorf("%s is a reference of %s/%s, with %d records", file, name, profile, len(side.Records))
		}
		spec, err := readExperiment(name)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		if spec, err = spec.WithProfile(profile); err != nil || spec.Repeats.Value != side.Manifest.Repeats || spec.Seed != side.Manifest.Seed || (len(spec.Claims) > 0) != (len(side.Verdicts) > 0) {
			t.Errorf("%s is of another form of its experiment (%v): make reference", file, err)
		}
	}
	for _, name := range experiments.Names() {
		if !have[name+"/smoke"] {
			t.Errorf("%s has no reference: make reference", name)
		}
	}
}

// A method that fails in most repeats and is worse in the others is undecided: exit 5
// and an error in JUnit, unless --allow-undecided is given.
func TestCompareUndecided(t *testing.T) {
	dir := t.TempDir()
	whole := runSpec(t, filepath.Join(dir, "whole"), replaced(t, watchedSpec, "repeats: 4", "repeats: 12"))
	failing := func(out string, version string, factor float64) string {
		return rewritten(t, filepath.Join(dir, out), whole, func(r *results.Record) {
			if r.Method != "ekpca" {
				return
			}
			r.Key, r.Version = r.Key+version, version
			if scale(r, "recon_h", factor); r.Repeat >= 4 {
				r.Status, r.Reason, r.Metrics = results.Failed, "no convergence", results.Metrics{}
			}
		})
	}
	base, worse, better := failing("base", "1", 1), failing("worse", "2", 1.3), failing("better", "2", 0.7)
	junit := filepath.Join(dir, "junit.xml")
	for _, tt := range []struct {
		new, flag string
		code      int
		want      string
		errors    bool
	}{
		{worse, "--drift=1e-9", exitInconclusive, "undecided: watched: poly2 series ekpca: recon_h: +30 % (worse) in every repeat, but 4 repeats cannot tell it from chance; compare runs of 9 repeats or more\n", true},
		{worse, "--allow-undecided", exitOK, "warning: watched: poly2 series ekpca: recon_h: +30 % (worse) in every repeat", false},
		{better, "--drift=1e-9", exitOK, "no regression", false},
	} {
		code, stdout, stderr := mercer("compare", base, tt.new, tt.flag, "--write", junit)
		if code != tt.code || !strings.Contains(stdout, tt.want) {
			t.Errorf("%s %s: exit %d, want %d and %q\n%s%s", filepath.Base(tt.new), tt.flag, code, tt.code, tt.want, stdout, stderr)
		}
		if text, err := os.ReadFile(junit); err != nil || bytes.Contains(text, []byte(`<error message="watched: `)) != tt.errors {
			t.Errorf("%s %s: JUnit, error %v\n%s", filepath.Base(tt.new), tt.flag, err, text)
		}
	}
}

// Under profile ci a spec that says nothing else of repeats has as many as it takes to
// decide about all methods of any experiment, on the same samples.
func TestRepeatsOfCI(t *testing.T) {
	profile, err := configs.LoadProfile("ci")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("../results/reference/*/smoke.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		base, err := openReference(file)
		if err != nil {
			t.Fatal(err)
		}
		repeated := func(version string) compare.Side {
			s := base
			s.Verdicts, s.Records = nil, nil
			for _, r := range base.Records {
				if r.Repeat > 0 {
					continue
				}
				for r.Repeat = range profile.MaxRepeats {
					r.Key = fmt.Sprintf("%s-%d-%s", r.Key, r.Repeat, version)
					s.Records = append(s.Records, r)
				}
			}
			return s
		}
		options := compare.Options{Thresholds: compare.Thresholds(profile.Compare), Metrics: metricFacts}
		if err := compare.Compare([]compare.Pair{{Base: repeated("1"), New: repeated("2")}}, options, rand.New(rand.NewPCG(1, 1))).TooFew(); err != nil {
			t.Error(err)
		}
	}
}

// Where all records of both sides failed, nothing was compared, and that is not green; a
// base that failed and works now is; what worked and fails now is a regression.
func TestCompareAllFailed(t *testing.T) {
	dir := t.TempDir()
	const spec = `
name: failing
seed: 3
repeats: 16
datasets: [{id: poly2, use: series, decay: {power: 2}}]
grid: {n: [50], ell: [3]}
methods:
  - {id: script, use: exec, command: [SCRIPT], model: subspace}
measure: [recon_h]
`
	run := func(name, last string) string {
		script, file, out := filepath.Join(dir, name+".sh"), filepath.Join(dir, name+".yaml"), filepath.Join(dir, name)
		if err := errors.Join(os.WriteFile(script, []byte("#!/bin/sh\n"+last+"\n"), 0o777), os.WriteFile(file, []byte(replaced(t, spec, "SCRIPT", script)), 0o666)); err != nil {
			t.Fatal(err)
		}
		if code, _, stderr := mercer("run", file, "--out", out, "--quiet"); (code == exitOK) != (name == "works") {
			t.Fatalf("run exits with %d: %s", code, stderr)
		}
		return out
	}
	three, four := run("three", "exit 3"), run("four", "exit 4")
	works := run("works", `echo '{"indices":[0,1,2],"coef":[[1,0,0],[0,1,0],[0,0,1]],"values":[3,2,1]}'`)
	junit := filepath.Join(dir, "junit.xml")
	for _, tt := range []struct {
		base, new, flag string
		code            int
		want, inJUnit   string
	}{
		{three, four, "--drift=1e-9", exitInconclusive, "undecided: failing: nothing could be compared: all 16 records of poly2 series script failed on both sides; the first: poly2 series script n=50 ell=3 repeat 0: the program failed: exit status 4 (base: the program failed: exit status 3)", `errors="1"`},
		{three, three, "--drift=1e-9", exitInconclusive, "repeat 0: the program failed: exit status 3; find out why", `errors="1"`},
		{three, four, "--allow-undecided", exitOK, "warning: failing: nothing could be compared", `failures="0" errors="0"`},
		{three, works, "--drift=1e-9", exitOK, "script: 16 records are ok, failed before", `failures="0" errors="0"`},
		{works, four, "--drift=1e-9", exitRegression, "regression: failing: poly2 series script: 16 records are failed, ok before", `failures="1" errors="0"`},
	} {
		code, stdout, stderr := mercer("compare", tt.base, tt.new, tt.flag, "--write", junit)
		if code != tt.code || !strings.Contains(stdout, tt.want) || strings.Contains(stdout, "as distributions") {
			t.Errorf("%s %s %s: exit %d, want %d and %q\n%s%s", filepath.Base(tt.base), filepath.Base(tt.new), tt.flag, code, tt.code, tt.want, stdout, stderr)
		}
		if text, err := os.ReadFile(junit); err != nil || !bytes.Contains(text, []byte(tt.inJUnit)) {
			t.Errorf("%s %s %s: JUnit, error %v, want %s\n%s", filepath.Base(tt.base), filepath.Base(tt.new), tt.flag, err, tt.inJUnit, text)
		}
	}
}

// A comparison that is refused for too few repeats says so in the JUnit file and in an
// annotation, and writes nothing else; a wrong command line writes nothing.
func TestCompareRefused(t *testing.T) {
	dir := t.TempDir()
	base := runSpec(t, filepath.Join(dir, "base"), watchedSpec)
	other := runSpec(t, filepath.Join(dir, "other"), replaced(t, watchedSpec, "seed: 3", "seed: 4"))
	junit, markdown := filepath.Join(dir, "junit.xml"), filepath.Join(dir, "pr.md")
	t.Setenv("GITHUB_ACTIONS", "true")
	code, stdout, stderr := mercer("compare", base, other, "--write", junit, "--write", markdown, "--worse", "-1")
	if _, err := os.Stat(junit); code != exitUsage || err == nil || strings.Contains(stderr, "::error") {
		t.Errorf("a wrong flag: exit %d, JUnit %v\n%s%s", code, err, stdout, stderr)
	}
	code, stdout, stderr = mercer("compare", base, other, "--write", junit, "--write", markdown)
	if want := "::error title=mercer compare refused::nothing was compared, because there are too few repeats to decide:%0Awatched: 4 and 4 repeats are too few: 6 tests"; code != exitUsage || stdout != "" || !strings.HasPrefix(stderr, want) || strings.Count(stderr, "::error") != 1 {
		t.Errorf("exit %d\n%s%s", code, stdout, stderr)
	}
	var suites struct {
		Errors int `xml:"errors,attr"`
		Cases  []struct {
			Error struct {
				Message string `xml:"message,attr"`
			} `xml:"error"`
		} `xml:"testsuite>testcase"`
	}
	text, err := os.ReadFile(junit)
	if err == nil {
		err = xml.Unmarshal(text, &suites)
	}
	if err != nil || suites.Errors != 1 || len(suites.Cases) != 1 || !strings.Contains(suites.Cases[0].Error.Message, "watched: 4 and 4 repeats are too few") {
		t.Errorf("JUnit: error %v\n%s", err, text)
	}
	if _, err := os.Stat(markdown); err == nil {
		t.Errorf("%s was written", markdown)
	}
}
