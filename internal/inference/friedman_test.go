package inference

import (
	"fmt"
	"math"
	"os/exec"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/combin"
)

// measured are values of four methods on seven problems, with ties.
var measured = [][]float64{{3.1, 2, 5.5, 4.2}, {1, 1, 2, 3}, {9, 7, 8, 10}, {0.2, 0.1, 0.4, 0.3}, {5, 5, 5, 6}, {2.2, 1.9, 2.5, 2.4}, {7, 8, 9, 6}}

// Both numbers are those of friedman.test of R 4.2.2, and of scipy.stats.friedmanchisquare
// of SciPy 1.10.1; all digits but the last few agree.
func TestFriedmanAgainstR(t *testing.T) {
	mean, chi2, p := Friedman(measured)
	if math.Abs(chi2-10.0153846153846) > 1e-12 || math.Abs(p-0.0184358122572751) > 1e-12 {
		t.Errorf("χ² = %.15g, p = %.15g", chi2, p)
	}
	want := []float64{(2 + 1.5 + 3 + 2 + 2 + 2 + 2) / 7.0, (1 + 1.5 + 1 + 1 + 2 + 1 + 3) / 7.0, (4 + 3 + 2 + 4 + 2 + 4 + 4) / 7.0, (3 + 4 + 4 + 3 + 4 + 3 + 1) / 7.0}
	for j := range want {
		if math.Abs(mean[j]-want[j]) > 1e-12 {
			t.Errorf("mean ranks %v, by hand %v", mean, want)
		}
	}
	var program strings.Builder
	for _, row := range measured {
		fmt.Fprintf(&program, "%s,", strings.Trim(strings.ReplaceAll(fmt.Sprint(row), " ", ","), "[]"))
	}
	text := fmt.Sprintf("m <- matrix(c(%s), ncol = 4, byrow = TRUE); f <- friedman.test(m); cat(sprintf('%%.15g %%.15g', f$statistic, f$p.value))", strings.TrimSuffix(program.String(), ","))
	out, err := exec.Command("Rscript", "-e", text).Output()
	if err != nil {
		t.Skip("SKIPPED in part: no Rscript here, Friedman's test is not run in R")
	}
	var chi2R, pR float64
	if _, err := fmt.Sscan(string(out), &chi2R, &pR); err != nil || math.Abs(chi2-chi2R) > 1e-12 || math.Abs(p-pR) > 1e-12 {
		t.Errorf("R gives %q (%v)", out, err)
	}
}

// The size of the test by every order of three methods on three and on five problems, each
// as probable as any other. Printed tables of the exact law have 0.028 for χ² = 6 and 0.039
// for χ² = 6.4, the least values beyond 5.99.
func TestFriedmanByEnumeration(t *testing.T) {
	orders := combin.NewPermutationGenerator(3, 3)
	var rows [][]float64
	for orders.Next() {
		row := make([]float64, 3)
		for i, v := range orders.Permutation(nil) {
			row[i] = float64(v)
		}
		rows = append(rows, row)
	}
	for _, tt := range []struct {
		problems int
		size     float64
	}{{3, 0.028}, {5, 0.039}} {
		rejected, all := 0.0, math.Pow(6, float64(tt.problems))
		values := make([][]float64, tt.problems)
		for code := range int(all) {
			for i := range values {
				values[i], code = rows[code%6], code/6
			}
			if _, _, p := Friedman(values); p < 0.05 {
				rejected++
			}
		}
		if share := rejected / all; math.Abs(share-tt.size) > 5e-4 {
			t.Errorf("%d problems: rejected with probability %.4f", tt.problems, share)
		}
	}
}

// All values tied say nothing; one method below all others on each of many problems says it.
func TestFriedmanAtItsEnds(t *testing.T) {
	if mean, chi2, p := Friedman([][]float64{{1, 1, 1}, {2, 2, 2}}); chi2 != 0 || p != 1 || mean[0] != 2 {
		t.Errorf("tied: %v, χ² = %g, p = %g", mean, chi2, p)
	}
	if mean, chi2, p := Friedman([][]float64{{1, 2, 3}, {1, 2, 3}, {1, 2, 3}, {4, 6, 8}}); chi2 != 8 || math.Abs(p-math.Exp(-4)) > 1e-15 || mean[2] != 3 {
		t.Errorf("one order: %v, χ² = %g of 8, p = %g of exp(-4)", mean, chi2, p)
	}
}
