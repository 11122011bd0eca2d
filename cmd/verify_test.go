package cmd

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mercer/internal/crate"
	"mercer/internal/linalg/openblas"
	"mercer/results"
	"mercer/runner/verify"
)

const crateSpec = `
name: small
seed: 5
repeats: 4
datasets: [{id: poly2, use: series, decay: {power: 2}}]
grid: {n: [40, 60, 80], ell: [2]}
methods: [{id: ekpca, use: ekpca, center: u}, {id: nystrom, use: nystrom, m: 20}]
measure: [recon_h]
claims:
  - {id: floor, value: {of: recon_h/recon_h_floor, at_least: 1, each: true}}
  - {id: thm, bound: {theorem: nyk-4.1-ii, delta: 0.05, where: {method: ekpca}}}
plots: [{id: rates, kind: line, x: n, y: recon_h}]
`

// newCrate runs the small spec, with MERCER_BLAS as given, and packs it as a crate.
func newCrate(t *testing.T, blas string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "small.yaml"), []byte(crateSpec), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"run", "small.yaml", "--quiet"}, {"export", "small", "--format", "ro-crate", "--out", "crate"}} {
		c := mercerCommand(dir, args...)
		if blas != "" {
			c.Env = append(c.Env, openblas.Variable+"="+blas)
		}
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
	}
	return filepath.Join(dir, "crate")
}

// verified is what mercer verify says of a crate, all of whose records are computed again.
func verified(t *testing.T, dir string) (r verify.Result, code int) {
	t.Helper()
	var out, errs bytes.Buffer
	code = Main([]string{"verify", dir, "--sample", "99", "--json"}, nil, &out, &errs)
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		t.Fatalf("exit %d: %v\n%s%s", code, err, &out, &errs)
	}
	return r, code
}

// verifiedWith is the same under MERCER_BLAS as given.
func verifiedWith(t *testing.T, dir, blas string) (r verify.Result, code int) {
	t.Helper()
	c := mercerCommand(filepath.Dir(dir), "verify", filepath.Base(dir), "--sample", "99", "--json")
	c.Env = append(c.Env, openblas.Variable+"="+blas)
	out, err := c.Output()
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		code = failed.ExitCode()
	}
	if err := json.Unmarshal(out, &r); err != nil {
		t.Fatalf("exit %d: %v\n%s", code, err, out)
	}
	return r, code
}

// TestVerify: a crate passes bit for bit on the back end that made it.
func TestVerify(t *testing.T) {
	dir := newCrate(t, "")
	r, code := verified(t, dir)
	if s := r.Sample; code != 0 || !r.Passed || s == nil || !s.Exact || s.Records != 24 || s.MostWrong != 0 || s.Numbers.Identical == 0 || s.Numbers.Compared != s.Numbers.Identical || r.Verdicts != 3 || !r.Report {
		t.Errorf("exit %d: %+v", code, r)
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		link = dir
	}
	var out, errs bytes.Buffer
	if code := Main([]string{"verify", link, "--sample", "5", "--seed", "3"}, nil, &out, &errs); code != 0 ||
		!strings.Contains(out.String(), ", 24 records of small (paper)\n") || !strings.Contains(out.String(), "computed again: 5 of 24 records (--sample 5 --seed 3); same back end and machine") || !strings.HasSuffix(out.String(), "\npassed\n") {
		t.Errorf("exit %d:\n%s%s", code, &out, &errs)
	}
}

// TestVerifyElsewhere: a crate that OpenBLAS made passes without it, and the reverse; a
// number that is beyond the tolerance, or a verdict, is found there too.
func TestVerifyElsewhere(t *testing.T) {
	if _, err := openblas.Load(""); err != nil {
		t.Skipf("NOT TESTED: crates of another back end: %v", err)
	}
	for _, blas := range [][2]string{{"", "none"}, {"none", ""}} {
		dir := newCrate(t, blas[0])
		r, code := verifiedWith(t, dir, blas[1])
		if s := r.Sample; code != 0 || !r.Passed || s == nil || s.Exact || r.Report || s.Numbers.Within == 0 || s.Numbers.Compared != s.Numbers.Identical+s.Numbers.Within || r.Verdicts != 3 {
			t.Errorf("made with %q, verified with %q: exit %d: %+v", blas[0], blas[1], code, r)
		}
		for about, change := range map[string]func(*testing.T, string){
			"numbers":  scaleNumber(1e-3),
			"verdicts": edit(crate.VerdictsFile, `"outcome": "holds"`, `"outcome": "violated"`),
		} {
			changed := filepath.Join(t.TempDir(), "crate")
			if err := os.CopyFS(changed, os.DirFS(dir)); err != nil {
				t.Fatal(err)
			}
			change(t, changed)
			if err := crate.Seal(changed, ""); err != nil {
				t.Fatal(err)
			}
			if r, code := verifiedWith(t, changed, blas[1]); code != exitRegression || len(r.Findings) == 0 || r.Findings[0].About != about {
				t.Errorf("%s changed: exit %d: %+v", about, code, r)
			}
		}
	}
}

// tampering is a way to change a crate that must be noticed.
type tampering struct {
	name  string
	about string // of the finding
	text  string // in it
	seal  bool   // metadata are made again, so that hashes are right
	do    func(t *testing.T, dir string)
}

var tamperings = []tampering{
	{"a changed number", "file", "records.jsonl was changed", false, edit(results.RecordsFile, `"recon_h":{"v":0.`, `"recon_h":{"v":0.1`)},
	{"a changed number without its checksum", "records", "the line was changed or damaged", true, edit(results.RecordsFile, `"recon_h":{"v":0.`, `"recon_h":{"v":0.1`)},
	{"a changed number with its checksum", "numbers", "of recon_h differ", true, scaleNumber(1e-14)},
	{"two records' numbers swapped", "numbers", "of recon_h differ", true, editRecords(func(list []results.Record) []results.Record {
		list[0].Metrics, list[1].Metrics = list[1].Metrics, list[0].Metrics
		return list
	})},
	{"two records' keys swapped", "records", "another cell, repeat, seed", true, editRecords(func(list []results.Record) []results.Record {
		list[0].Key, list[1].Key = list[1].Key, list[0].Key
		return list
	})},
	{"a failure where there was none", "numbers", "has status failed; computed again, ok", true, editRecords(func(list []results.Record) []results.Record {
		list[5].Status, list[5].Metrics = results.Failed, results.Metrics{}
		return list
	})},
	{"a metric left out", "numbers", "has the metrics", true, editRecords(func(list []results.Record) []results.Record {
		list[5].Metrics = results.NewMetrics(map[string]results.Metric{"recon_h": {Value: list[5].Metrics.Value("recon_h")}})
		return list
	})},
	{"a dropped record", "records", "1 of 24 records are missing", true, editRecords(func(list []results.Record) []results.Record { return list[1:] })},
	{"a dropped record, also from the manifest", "spec", "1 of its spec are not in the crate", true, func(t *testing.T, dir string) {
		editRecords(func(list []results.Record) []results.Record { return list[1:] })(t, dir)
		editManifest(func(m *results.Manifest) {
			run, err := results.Load(dir)
			if err != nil {
				t.Fatal(err)
			}
			m.Keys = slices.DeleteFunc(m.Keys, func(key string) bool {
				return !slices.ContainsFunc(run.Records, func(r results.Record) bool { return r.Key == key })
			})
			m.Cells = len(m.Keys)
		})(t, dir)
	}},
	{"a changed spec", "file", "spec.yaml was changed", false, edit(crate.SpecFile, "at_least: 1", "at_least: 2")},
	{"a changed spec with its hash", "spec", "spec.yaml is not the spec", true, edit(crate.SpecFile, "at_least: 1", "at_least: 2")},
	{"a changed spec in all places", "spec", "24 records of the crate are not of its spec", true, editSpec("power: 2", "power: 4")},
	{"a spec that gives no plan", "spec", `unknown method "ekpka"`, true, editSpec("use: ekpca", "use: ekpka")},
	{"a changed seed", "spec", "the manifest has seed 6", true, editManifest(func(m *results.Manifest) { m.Seed = 6 })},
	{"another question", "spec", "the manifest has question Why?", true, editManifest(func(m *results.Manifest) { m.Question = "Why?" })},
	{"another answer", "spec", "the manifest has answer map[holds:Yes.]", true, editManifest(func(m *results.Manifest) { m.Answer = map[string]string{"holds": "Yes."} })},
	{"a changed seed in all places", "spec", "24 records of the crate are not of its spec", true, func(t *testing.T, dir string) {
		editSpec("seed: 5", "seed: 6")(t, dir)
		editManifest(func(m *results.Manifest) { m.Seed = 6 })(t, dir)
	}},
	{"a changed claim", "verdicts", "judged again", true, editSpec("at_least: 1", "at_least: 2")},
	{"a claim left out", "verdicts", "there are 3; judged again", true, editSpec("  - {id: floor, value: {of: recon_h/recon_h_floor, at_least: 1, each: true}}\n", "")},
	{"a changed verdict", "verdicts", "judged again", true, edit(crate.VerdictsFile, `"outcome": "holds"`, `"outcome": "violated"`)},
	{"facts on a population changed", "verdicts", "judged again from the crate alone", true, edit(results.PopulationsFile, `"iid":true`, `"iid":false`)},
	{"a changed fingerprint of the data", "spec", "data set poly2 has the fingerprint", true, editManifest(func(m *results.Manifest) {
		m.Datasets["poly2"] = results.DatasetInfo{Fingerprint: "another"}
	})},
	{"a missing file", "file", "report/tables/summary.csv is missing", false, remove("report/tables/summary.csv")},
	{"a file too many", "file", "notes.txt is not among those", false, func(t *testing.T, dir string) { writeInto(t, dir, "notes.txt", "x") }},
	{"a link in place of a file", "file", "manifest.json is no regular file", false, func(t *testing.T, dir string) {
		if err := os.Rename(filepath.Join(dir, results.ManifestFile), filepath.Join(dir, "..", "elsewhere.json")); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink("../elsewhere.json", filepath.Join(dir, results.ManifestFile)); err != nil {
			t.Skip("no links here:", err)
		}
	}},
	{"a changed figure with its hash", "report", "figures/plot-rates.svg is not what the records give", true, edit("report/figures/plot-rates.svg", "</svg>", "<!-- x --></svg>")},
	{"a figure left out of files and metadata", "report", "figures/plot-rates.svg is not what the records give", true, remove("report/figures/plot-rates.svg")},
	{"another machine in the metadata", "metadata", "#machine", false, edit(crate.MetadataFile, `"name": "machine"`, `"name": "my machine"`)},
	{"another run in the metadata", "metadata", "#more follows from no other file", false, edit(crate.MetadataFile, `"@graph": [`, `"@graph": [{"@id": "#more", "@type": "CreateAction"},`)},
}

// TestTampering: each way to change a crate is noticed, and told.
func TestTampering(t *testing.T) {
	whole := newCrate(t, "")
	for _, tamper := range tamperings {
		t.Run(tamper.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "crate")
			if err := os.CopyFS(dir, os.DirFS(whole)); err != nil {
				t.Fatal(err)
			}
			tamper.do(t, dir)
			if tamper.seal {
				if err := crate.Seal(dir, ""); err != nil {
					t.Fatal(err)
				}
			}
			r, code := verified(t, dir)
			if code != exitRegression || r.Passed || !slices.ContainsFunc(r.Findings, func(f crate.Finding) bool {
				return f.About == tamper.about && strings.Contains(f.Text, tamper.text)
			}) {
				t.Errorf("exit %d, no finding about %q with %q: %+v", code, tamper.about, tamper.text, r.Findings)
			}
		})
	}
}

func writeInto(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// edit replaces a text where it first stands in a file.
func edit(name, from, to string) func(*testing.T, string) {
	return func(t *testing.T, dir string) {
		t.Helper()
		text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil || !strings.Contains(string(text), from) {
			t.Fatalf("%s has no %q (%v)", name, from, err)
		}
		writeInto(t, dir, name, strings.Replace(string(text), from, to, 1))
	}
}

func remove(name string) func(*testing.T, string) {
	return func(t *testing.T, dir string) {
		if err := os.Remove(filepath.Join(dir, filepath.FromSlash(name))); err != nil {
			t.Fatal(err)
		}
	}
}

// editRecords changes records, and mends their checksums.
func editRecords(change func([]results.Record) []results.Record) func(*testing.T, string) {
	return func(t *testing.T, dir string) {
		run, err := results.Load(dir)
		if err != nil {
			t.Fatal(err)
		}
		var text bytes.Buffer
		run.Records = change(run.Records)
		if err := results.WriteJSONL(&text, run); err != nil {
			t.Fatal(err)
		}
		writeInto(t, dir, results.RecordsFile, text.String())
	}
}

// scaleNumber changes a number of one record by a share of it.
func scaleNumber(share float64) func(*testing.T, string) {
	return editRecords(func(list []results.Record) []results.Record {
		m, _ := list[3].Metrics.Get("recon_h")
		m.Value *= 1 + share
		list[3].Metrics.Set("recon_h", m)
		return list
	})
}

func editManifest(change func(*results.Manifest)) func(*testing.T, string) {
	return func(t *testing.T, dir string) {
		m, err := results.ReadManifest(dir)
		if err != nil {
			t.Fatal(err)
		}
		change(&m)
		if err := results.WriteManifest(dir, m); err != nil {
			t.Fatal(err)
		}
	}
}

// editSpec changes the spec in its file and in the manifest, with its hash.
func editSpec(from, to string) func(*testing.T, string) {
	return func(t *testing.T, dir string) {
		edit(crate.SpecFile, from, to)(t, dir)
		text, err := os.ReadFile(filepath.Join(dir, crate.SpecFile))
		if err != nil {
			t.Fatal(err)
		}
		editManifest(func(m *results.Manifest) { m.Spec, m.SpecHash = string(text), hashOf(text) })(t, dir)
	}
}

func hashOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// TestVerifyData: data that the crate does not contain are looked for where --dir says,
// and must have its fingerprint.
func TestVerifyData(t *testing.T) {
	dir := t.TempDir()
	writeInto(t, dir, "points.csv", "1,2\n3,4\n5,7\n6,9\n8,1\n9,4\n")
	writeInto(t, dir, "csv.yaml", `
name: csv
seed: 5
repeats: 1
datasets: [{id: points, use: csv, path: points.csv, header: false, label: none, population: {held_out: 2}}]
kernels: [{id: rbf, use: gaussian, bandwidth: {quantile: 0.5}, form: sigma-squared}]
grid: {n: 3, ell: 1}
methods: [{id: kpca, use: kpca}]
measure: [recon_h]
`)
	for _, args := range [][]string{{"run", "csv.yaml", "--quiet"}, {"export", "csv", "--format", "ro-crate", "--out", "crate"}} {
		if out, err := mercerCommand(dir, args...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
	}
	there := t.TempDir()
	for _, c := range []struct {
		points string // of the file in the other directory; empty for none
		code   int
		says   string
	}{
		{"", exitFailed, "--dir names another directory"},
		{"1,2\n3,4\n5,7\n6,9\n8,1\n9,4\n", exitOK, "passed"},
		{"1,2\n3,4\n5,7\n6,9\n8,1\n9,5\n", exitRegression, "data set points has the fingerprint"},
	} {
		if c.points != "" {
			writeInto(t, there, "points.csv", c.points)
		}
		var out, errs bytes.Buffer
		if code := Main([]string{"verify", filepath.Join(dir, "crate"), "--dir", there}, nil, &out, &errs); code != c.code || !strings.Contains(out.String()+errs.String(), c.says) {
			t.Errorf("points %q: exit %d, want %d and %q:\n%s%s", c.points, code, c.code, c.says, &out, &errs)
		}
	}
}

// TestVerifyRefuses: what is no crate, and a spec that runs programs of strangers.
func TestVerifyRefuses(t *testing.T) {
	whole := newCrate(t, "")
	programs := filepath.Join(t.TempDir(), "crate")
	if err := os.CopyFS(programs, os.DirFS(whole)); err != nil {
		t.Fatal(err)
	}
	editSpec("use: nystrom, m: 20", "use: exec, command: [touch, ran], model: subspace, m: 20, uses: [n, m, ell]")(t, programs)
	if err := crate.Seal(programs, ""); err != nil {
		t.Fatal(err)
	}
	run := filepath.Join(filepath.Dir(whole), "results", "small", "paper")
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"verify", run}, "no crate of mercer"},
		{[]string{"verify", filepath.Join(whole, "nowhere")}, "no crate of mercer"},
		{[]string{"verify", whole, "--sample", "-1"}, "--sample must not be negative"},
		{[]string{"verify", programs}, "the spec of this crate runs programs (method nystrom): read its spec.yaml"},
		{[]string{"export", run, "--format", "ro-crate"}, "needs --out"},
		{[]string{"export", run, "--out", "x"}, "--format ro-crate needs"},
		{[]string{"export", run, "--format", "ro-crate", "--out", "x", "--metrics", "recon_h"}, "a crate has all of a run"},
	} {
		var out, errs bytes.Buffer
		if code := Main(c.args, nil, &out, &errs); code != exitUsage || !strings.Contains(errs.String(), c.says) {
			t.Errorf("%v: exit %d, want 2 and %q:\n%s%s", c.args, code, c.says, &out, &errs)
		}
	}
	var out, errs bytes.Buffer
	if code := Main([]string{"export", run, "--format", "ro-crate", "--out", whole}, nil, &out, &errs); code != exitFailed || !strings.Contains(errs.String(), "is not empty") {
		t.Errorf("a crate over another: exit %d: %s", code, &errs)
	}
}
