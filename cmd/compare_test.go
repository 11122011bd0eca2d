package cmd

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"mercer/configs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mercer/configs/source"
	"mercer/experiments"
	"mercer/internal/compare"
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

// rewritten is a run whose rows were changed.
func rewritten(t *testing.T, out, from string, change func(*results.Row)) string {
	t.Helper()
	run, err := results.Load(from)
	if err != nil {
		t.Fatal(err)
	}
	for i := range run.Rows {
		change(&run.Rows[i])
	}
	spec, err := os.ReadFile(filepath.Join(from, results.SpecFile))
	if err = errors.Join(err, results.WriteManifest(out, run.Manifest), os.WriteFile(filepath.Join(out, results.SpecFile), spec, 0o666)); err != nil {
		t.Fatal(err)
	}
	store, err := results.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	if err := store.Append(run.Rows...); err != nil {
		t.Fatal(err)
	}
	return out
}

func scale(r *results.Row, metric string, factor float64) {
	r.Metrics.Set(metric, factor*r.Metrics[metric])
}

// A comparison can be read by people, and by a program.
func TestCompareFormats(t *testing.T) {
	dir := t.TempDir()
	base := runSpec(t, filepath.Join(dir, "base"), watchedSpec)
	worse := rewritten(t, filepath.Join(dir, "new"), base, func(r *results.Row) { scale(r, "recon_h", 1.01) })
	code, table, _ := mercer("compare", base, worse)
	if code != exitRegression || !strings.Contains(table, "| watched    | 3     | 48 (12 drifted)") {
		t.Errorf("exit %d\n%s", code, table)
	}
	_, text, _ := mercer("compare", base, worse, "--json")
	var comparison compare.Comparison
	if err := json.Unmarshal([]byte(text), &comparison); err != nil || comparison.Count(compare.Regression) != 2 || comparison.Experiments[0].Numbers.Drifted == 0 {
		t.Errorf("JSON: error %v, %+v", err, comparison)
	}
}

// Each experiment has a reference of its smoke profile, and each reference its
// experiment, with the number of repeats that the profile has.
func TestReferences(t *testing.T) {
	files, err := filepath.Glob("../results/reference/*/*/" + compare.VerdictsFile)
	if err != nil {
		t.Fatal(err)
	}
	have := map[string]bool{}
	for _, file := range files {
		dir := filepath.Dir(file)
		id := filepath.Base(filepath.Dir(dir)) + "/" + filepath.Base(dir)
		have[id] = true
		side, _, err := compare.ReadReference(dir, dir)
		if err != nil {
			t.Error(err)
			continue
		}
		name, profile := side.Spec.Name, side.Manifest.Profile
		if name+"/"+profile != id || len(side.Rows) == 0 {
			t.Errorf("%s is a reference of %s/%s, with %d rows", file, name, profile, len(side.Rows))
		}
		spec, err := readExperiment(name)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		if spec, err = source.Under(spec, profile); err != nil || spec.Repeats.Value != side.Manifest.Repeats || spec.Seed != side.Spec.Seed || (len(spec.Statements()) > 0) != (len(side.Verdicts) > 0) {
			t.Errorf("%s is of another form of its experiment (%v): make reference", file, err)
		}
	}
	for _, name := range experiments.Names() {
		if !have[name+"/smoke"] {
			t.Errorf("%s has no reference: make reference", name)
		}
	}
}

// Under profile ci a spec that says nothing else of repeats has as many as it takes to
// decide about all methods of any experiment, on the same samples; those that have more
// cells say it.
func TestRepeatsOfCI(t *testing.T) {
	profile, err := configs.Profile("ci")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("../results/reference/*/smoke")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		base, _, err := compare.ReadReference(file, file)
		if err != nil {
			t.Fatal(err)
		}
		spec, err := readExperiment(base.Spec.Name)
		if err == nil {
			spec, err = source.Under(spec, "ci")
		}
		if err != nil {
			t.Fatal(err)
		}
		repeats := max(profile.MaxRepeats, spec.Repeats.Value)
		repeated := func(version string) compare.Side {
			s := base
			s.Verdicts, s.Rows = nil, nil
			for _, r := range base.Rows {
				if r.Repeat > 0 {
					continue
				}
				for r.Repeat = range repeats {
					r.ID = fmt.Sprintf("%s-%d-%s", r.ID, r.Repeat, version)
					s.Rows = append(s.Rows, r)
				}
			}
			return s
		}
		options := compare.Standard
		c := compare.Compare([]compare.Pair{{Base: repeated("1"), New: repeated("2")}}, options)
		if c.Count(compare.Undecided) > 0 {
			t.Error(c.All()[0])
		}
	}
}
