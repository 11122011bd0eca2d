package cmd

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mercer/experiments"
	"mercer/internal/compare"
	"mercer/internal/linalg/openblas"
	"mercer/internal/linalg/vector"
	"mercer/results"
)

// figureExperiments are those of the papers' figures and the study beside them;
// the Makefile's FIGURES are the same.
var figureExperiments = []string{"kjl-fig1", "kjl-table2", "kjl-fig2", "skp-fig2", "kkm-fig1", "kkm-fig2", "comparative"}

// TestFiguresOfMakefile: the Makefile makes the figures that are tested here.
func TestFiguresOfMakefile(t *testing.T) {
	makefile, err := os.ReadFile(filepath.Join("..", "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	if want := "FIGURES = " + strings.Join(figureExperiments, " ") + "\n"; !strings.Contains(string(makefile), want) {
		t.Errorf("the Makefile does not have %q", want)
	}
}

// TestBackEnds runs the first repeat of smoke profiles, on their real data, on each
// back end of linear algebra that is not the default, and holds every number
// against the reference, which the default one made: they agree to 1e−9, relative to
// the number itself. Of the papers' figures there are plots. Data that cannot be had
// are told, and their part skips.
func TestBackEnds(t *testing.T) {
	if !vector.Accelerated() {
		t.Skip("SKIPPED: the references were made on vector instructions with fused products, which this processor does not have")
	}
	if own := os.Getenv("MERCER_TEST_DATA"); own != "" && os.Getenv("MERCER_DATA") == "" {
		t.Setenv("MERCER_DATA", own)
	}
	// The slowest, whose numbers agree to 1e−13, are left out.
	slow := []string{"mnist-kpca", "landmarks-compared", "skp-fig2"}
	names := slices.DeleteFunc(experiments.Names(), func(name string) bool { return slices.Contains(slow, name) })
	t.Run("own kernels", func(t *testing.T) { testBackEnd(t, "none", append(names, "skp-fig2")) }) // which has a figure
	t.Run("library alone", func(t *testing.T) {
		library, err := openblas.Load("")
		if err != nil {
			t.Skipf("SKIPPED: no BLAS library: %v", err)
		}
		testBackEnd(t, library.Path(), names)
	})
}

func testBackEnd(t *testing.T, blas string, names []string) {
	root := t.TempDir()
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			c := mercerCommand(".", "run", name, "--profile", "smoke", "--filter", "repeat == 0", "--results", root, "--skip-missing-data")
			c.Env = append(c.Env, openblas.Variable+"="+blas)
			var errs bytes.Buffer
			c.Stderr = &errs
			if err := c.Run(); err != nil {
				t.Fatalf("%v: %s", err, &errs)
			}
			partly := false
			for line := range strings.Lines(errs.String()) {
				if strings.Contains(line, "is skipped: ") {
					partly = true
					t.Log("SKIPPED in part: " + line)
				}
			}
			dir := filepath.Join(root, name, "smoke")
			if slices.Contains(figureExperiments, name) && !partly {
				for _, want := range []string{"report/index.html", "report/figures/plot-*.svg", "report/tables/plot-*.csv"} {
					if found, err := filepath.Glob(filepath.Join(dir, filepath.FromSlash(want))); err != nil || len(found) == 0 {
						t.Errorf("no %s", want)
					}
				}
			}
			run, err := results.Load(dir)
			if err != nil {
				t.Fatal(err)
			}
			if compared := compareNumbers(t, run.Records, referenceRecords(t, name)); compared == 0 && !partly {
				t.Error("no number was compared")
			}
		})
	}
}

// referenceRecords are those of a smoke profile, by key.
func referenceRecords(t *testing.T, experiment string) map[string]results.Record {
	t.Helper()
	file, err := os.Open(filepath.Join("..", "results", "reference", experiment, "smoke.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	side, err := compare.ReadReference(file, experiment)
	if err != nil {
		t.Fatal(err)
	}
	byKey := map[string]results.Record{}
	for _, r := range side.Records {
		byKey[r.Key] = r
	}
	return byKey
}

// compareNumbers says how many numbers it has compared.
func compareNumbers(t *testing.T, records []results.Record, reference map[string]results.Record) (compared int) {
	t.Helper()
	for _, r := range records {
		want, known := reference[r.Key]
		if !known || r.Status != want.Status {
			t.Errorf("%s at %v: status %s, %s in the reference (there: %v)", r.Method, r.Point, r.Status, want.Status, known)
			continue
		}
		for name, w := range want.Metrics.All() {
			if strings.HasPrefix(name, "time") {
				continue
			}
			got := r.Metrics.Value(name)
			if off := math.Abs(got - w.Value); !(off <= 1e-9*max(math.Abs(got), math.Abs(w.Value))) {
				t.Errorf("%s of %s on %s at %v: %v, %v in the reference, %.2g of it", name, r.Method, r.Dataset, r.Point, got, w.Value, off/math.Abs(w.Value))
			}
			compared++
		}
	}
	return compared
}
