package cmd

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mercer/configs"
	"mercer/results"
)

// namesSpec has every name of a spec that becomes part of a path, to be replaced one
// at a time.
const namesSpec = `
name: NAME
seed: 1
repeats: 2
datasets:
  - {id: DATASET, use: crescent-full-moon, population: {held_out: 20}}
  - {id: file, use: csv, path: PATH, population: {held_out: 2}}
kernels: [{id: KERNEL, use: gaussian, sigma: 1, form: sigma-squared}]
grid: {n: [5, 8], ell: [1]}
methods: [{id: METHOD, use: ekpca, center: u}]
measure: [recon_h]
claims: [{id: CLAIM, says: one, value: {of: recon_h, at_least: 0}}]
plots: [{id: PLOT, kind: line, y: recon_h, x: n}]
`

// TestNamesStayInside: no name in a spec leads a run out of its directory; all such
// are refused before anything is written.
func TestNamesStayInside(t *testing.T) {
	root := t.TempDir()
	work := filepath.Join(root, "deep", "work")
	if err := os.MkdirAll(work, 0o777); err != nil {
		t.Fatal(err)
	}
	t.Chdir(work)
	good := map[string]string{"NAME": "names", "DATASET": "moons", "PATH": "x.csv", "KERNEL": "rbf", "METHOD": "ekpca", "CLAIM": "claim", "PLOT": "plot"}
	run := func(names map[string]string) (int, string) {
		t.Helper()
		text := namesSpec
		for place, name := range names {
			quoted, err := json.Marshal(name)
			if err != nil {
				t.Fatal(err)
			}
			text = strings.Replace(text, place, string(quoted), 1)
		}
		if err := os.WriteFile("spec.yaml", []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		var stdout, stderr bytes.Buffer
		code := Main([]string{"run", "spec.yaml", "--quiet"}, strings.NewReader(""), &stdout, &stderr)
		return code, stderr.String()
	}
	points := ""
	for i := range 12 {
		points += fmt.Sprintf("%d,%d\n", i, i*i%7)
	}
	if err := os.WriteFile("x.csv", []byte(points), 0o666); err != nil {
		t.Fatal(err)
	}
	for place := range good {
		for _, evil := range []string{"../x", "../../../x.csv", "/tmp/x", "..", ".", "", "a/../../../x", `..\x`, `C:\x`, "x\x00y", strings.Repeat("x", 5000)} {
			if evil == "" && (place == "DATASET" || place == "KERNEL" || place == "METHOD") {
				continue // the id is then the registered name
			}
			names := map[string]string{}
			for p, name := range good {
				names[p] = name
			}
			names[place] = evil
			if code, said := run(names); code != exitUsage || said == "" || strings.Contains(said, "panic") {
				t.Errorf("%s %.20q: exit code %d\n%s", place, evil, code, said)
			}
		}
	}
	for dir, want := range map[string]int{root: 1, filepath.Join(root, "deep"): 1, work: 2} { // the spec and the points
		if left, err := os.ReadDir(dir); err != nil || len(left) != want {
			t.Errorf("%s has %v, %v", dir, left, err)
		}
	}
	if code, said := run(good); code != exitOK {
		t.Fatalf("the spec without a change: exit code %d\n%s", code, said)
	}
}

// TestForeignRowsStayInside: ids of rows and of what they are of in the files
// of a run, which somebody else may have made, lead no command out of its directory.
func TestForeignRowsStayInside(t *testing.T) {
	root := t.TempDir()
	work := filepath.Join(root, "deep", "work")
	if err := os.MkdirAll(filepath.Join(work, "run"), 0o777); err != nil {
		t.Fatal(err)
	}
	t.Chdir(work)
	const evil = "../../../evil"
	spec := strings.NewReplacer("NAME", "names", "DATASET", "moons", "  - {id: file, use: csv, path: PATH, population: {held_out: 2}}\n", "", "KERNEL", "rbf", "METHOD", "ekpca", "CLAIM", "claim",
		"kind: line, y: recon_h, x: n", "kind: scatter", "PLOT", "plot").Replace(namesSpec)
	runSpec(t, "run", spec)
	m, err := results.ReadManifest("run")
	if err != nil {
		t.Fatal(err)
	}
	store, err := results.Open("run")
	if err != nil {
		t.Fatal(err)
	}
	m.IDs = nil
	for i := range 4 {
		id := fmt.Sprint(evil, i)
		m.IDs = append(m.IDs, id)
		names, value := []string{"dataset", "kernel", "method"}, configs.TextOf(evil)
		r := results.Row{Schema: results.SchemaVersion, ID: id, At: results.NewKey(names, []results.Value{value, value, value}), Repeat: i, Status: results.OK,
			Metrics: map[string]float64{"recon_h": 1}}
		if err := store.Append(r); err != nil {
			t.Fatal(err)
		}
		if err := results.WritePoints("run", id, results.Points{Input: [][2]float64{{1, 2}}}); err == nil || results.HasPoints("run", id) {
			t.Errorf("points of row %s: %v", id, err)
		}
		if _, err := results.ReadPoints("run", id); err == nil {
			t.Errorf("points of row %s are read", id)
		}
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	m.Profile, m.Dir = evil, evil
	if err := results.WriteManifest("run", m); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS("other", os.DirFS("run")); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"report", "run"}, {"check", "run"}, {"export", "run"}, {"compare", "run", "other"}} {
		var stdout, stderr bytes.Buffer
		Main(args, strings.NewReader(""), &stdout, &stderr)
		if strings.Contains(stderr.String(), "panic") {
			t.Errorf("%v: %s", args, &stderr)
		}
	}
	for dir, want := range map[string]int{root: 1, filepath.Join(root, "deep"): 1} {
		if left, err := os.ReadDir(dir); err != nil || len(left) != want {
			t.Errorf("%s has %v, %v", dir, left, err)
		}
	}
}
