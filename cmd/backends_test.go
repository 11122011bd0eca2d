//go:build system

package cmd

import (
	"bytes"
	"flag"
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

// thorough asks for what takes too long after every change: make thorough.
var thorough = flag.Bool("thorough", false, "all experiments on each back end, more of them on arm64, and advice on more data sets")

// TestBackEnds runs the first repeat of smoke profiles, on their real data, on each
// back end of linear algebra that is not the default, or turn by turn on one of them where
// the test is not thorough, and holds every number against the reference, which the default
// one made: they agree to 1e−9, relative to the number itself. Of the papers' figures there are plots. Cells of data sets that
// are missing are not compared, and the test says so.
func TestBackEnds(t *testing.T) {
	if !vector.Accelerated() {
		t.Skip("SKIPPED: the references were made on vector instructions with fused products, which this processor does not have")
	}
	t.Parallel()
	// The slowest, whose numbers agree to 1e−13, are left out.
	slow := []string{"mnist-kpca", "landmarks-compared", "skp-fig2"}
	names := slices.DeleteFunc(experiments.Names(), func(name string) bool { return slices.Contains(slow, name) })
	var own, library []string
	for i, name := range names {
		if *thorough || i%2 == 0 {
			own = append(own, name)
		}
		if *thorough || i%2 == 1 {
			library = append(library, name)
		}
	}
	t.Run("own kernels", func(t *testing.T) { testBackEnd(t, "none", append(own, "skp-fig2")) }) // which has a figure
	t.Run("library alone", func(t *testing.T) {
		openBLAS, err := openblas.Load("")
		if err != nil {
			t.Skipf("SKIPPED: no BLAS library: %v", err)
		}
		testBackEnd(t, openBLAS.Path(), library)
	})
}

func testBackEnd(t *testing.T, blas string, names []string) {
	root := t.TempDir()
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			c := mercerCommand(".", "run", name, "--profile", "smoke", "--filter", "repeat == 0", "--results", root, "--skip-missing-data")
			c.Env = append(c.Env, openblas.Variable+"="+blas)
			if own := os.Getenv("MERCER_TEST_DATA"); own != "" && os.Getenv("MERCER_DATA") == "" {
				c.Env = append(c.Env, "MERCER_DATA="+own)
			}
			var errs bytes.Buffer
			c.Stderr = &errs
			if err := c.Run(); err != nil {
				t.Fatalf("%v: %s", err, &errs)
			}
			dir := filepath.Join(root, name, "smoke")
			run, err := results.Load(dir)
			if err != nil {
				t.Fatal(err)
			}
			var absent []string
			run.Rows, absent = withoutAbsent(run.Rows)
			compared := compareNumbers(t, run.Rows, referenceRows(t, name))
			switch {
			case compared == 0 && len(absent) > 0:
				t.Skipf("SKIPPED: nothing to compare without data of %s: make system MERCER_TEST_DATA=DIR", strings.Join(absent, ", "))
			case compared == 0:
				t.Error("no number was compared")
			case len(absent) > 0:
				t.Run("absent data", func(t *testing.T) {
					t.Skipf("SKIPPED: no data of %s: make system MERCER_TEST_DATA=DIR", strings.Join(absent, ", "))
				})
			case slices.Contains(figureExperiments, name):
				for _, want := range []string{"report/index.html", "report/figures/plot-*.svg", "report/tables/plot-*.csv"} {
					if found, err := filepath.Glob(filepath.Join(dir, filepath.FromSlash(want))); err != nil || len(found) == 0 {
						t.Errorf("no %s", want)
					}
				}
			}
		})
	}
}

// withoutAbsent leaves out the rows of data sets that are missing, and names
// these.
func withoutAbsent(rows []results.Row) (rest []results.Row, absent []string) {
	for _, r := range rows {
		if r.Status != results.Skipped || !strings.HasPrefix(r.Reason, "data: ") {
			rest = append(rest, r)
		} else if !slices.Contains(absent, r.Dataset()) {
			absent = append(absent, r.Dataset())
		}
	}
	return rest, absent
}

// referenceRows are those of a smoke profile, by id.
func referenceRows(t *testing.T, experiment string) map[string]results.Row {
	t.Helper()
	side, _, err := compare.ReadReference(filepath.Join("..", "results", "reference", experiment, "smoke"), experiment)
	if err != nil {
		t.Fatal(err)
	}
	byID := map[string]results.Row{}
	for _, r := range side.Rows {
		byID[r.ID] = r
	}
	return byID
}

// compareNumbers says how many numbers it has compared.
func compareNumbers(t *testing.T, rows []results.Row, reference map[string]results.Row) (compared int) {
	t.Helper()
	for _, r := range rows {
		want, known := reference[r.ID]
		if !known || r.Status != want.Status {
			t.Errorf("%s: status %s, %s in the reference (there: %v)", r.At, r.Status, want.Status, known)
			continue
		}
		for name, w := range want.Metrics.All() {
			if strings.HasPrefix(name, "time") {
				continue
			}
			got := r.Metrics[name]
			if off := math.Abs(got - w); !(off <= 1e-9*max(math.Abs(got), math.Abs(w))) && !rounded(name, r.At, got, w) {
				t.Errorf("%s at %s: %v, %v in the reference, %.2g of it", name, r.At, got, w, off/math.Abs(w))
			}
			compared++
		}
	}
	return compared
}

// rounded says whether numbers differ by the rounding of what they are the rest of, or by
// what back ends may choose: the flops of a plan are those of the solver that is quicker on
// the back end, of which there is a choice where both take about as long. SKP's
// errors of populations are rests of sums of order 1, and residuals of landmarks those of
// the kernel's diagonal. R, T and the error of the trace are subtracted from tr Σ, tr Σ²
// and tr K; of a ratio of two such errors, of 1e-8 and less, a few digits are left. From n = 10^6
// on, which only counts have, the square of a distance of eigenspaces is far below the
// sums of order 1 whose difference it is. 1e-14 is 45 units of rounding
// of such a sum; of OpenBLAS's kernels those without fused products differ by up to 14, and by 100 through a
// sketch.
func rounded(name string, at results.Key, a, b float64) bool {
	n, _ := at.Number("n")
	switch {
	case name == "flops":
		return math.Abs(a-b) <= 0.2*max(a, b)
	case strings.HasPrefix(name, "skp_"), strings.Contains(name, "_residual"):
		return math.Abs(a-b) <= 1e-14
	case name == "matrix_trace_ratio":
		return math.Abs(a-b) <= 1e-6*max(a, b)
	case strings.HasPrefix(name, "matrix_trace"):
		return math.Abs(a-b) <= 1e-14
	case strings.HasPrefix(name, "recon_"):
		return math.Abs(a-b) <= 5e-14
	case n >= 1e6 && (name == "eigenspace_l2" || name == "eigenfunction_l2"):
		return math.Abs(a*a-b*b) <= 1e-14
	}
	return false
}
