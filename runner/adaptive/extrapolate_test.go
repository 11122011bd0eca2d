//go:build system

package adaptive

import (
	"cmp"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"

	"mercer/internal/claims"
	"mercer/internal/linalg"
	"mercer/internal/lists"
)

var largestKernel = flag.Int("kernel.n", 8192, "with -groups.all: the largest n of approximations of kernel matrices")

// points is a data set of a spec but for its population; dir is where its files are.
type points struct{ name, use, dir string }

// generated are sets that few landmarks span, and ones that many do. One point in 100 of the last set
// is in a cluster of its own.
var generated = []points{
	{"smile", "use: smile", ""},
	{"mixture3", "use: gaussian-mixture, k: 5, d: 3", ""},
	{"mixture10", "use: gaussian-mixture, k: 10, d: 10", ""},
	{"sphere6", "use: sphere, d: 6", ""},
	{"rare", "use: gaussian-mixture, k: 4, d: 5, weights: [0.7, 0.25, 0.04, 0.01]", ""},
}

// laws have eigenvalues i^(-α), of which more count as n grows.
var laws = []points{
	{"power2", "use: atoms, atoms: 128, decay: {power: 2}", ""},
	{"power4", "use: atoms, atoms: 80, decay: {power: 4}", ""},
}

// files are avila and banknote in $MERCER_TEST_DATA, and the CSV files in $MERCER_TEST_CSV, which have no
// header, and as their last column the response.
func files(t *testing.T) (list []points) {
	if dir := os.Getenv("MERCER_TEST_DATA"); dir != "" {
		list = append(list, points{"avila", "use: avila, parts: all, standardize: true", dir}, points{"banknote", "use: banknote, standardize: true", dir})
	}
	found, err := filepath.Glob(filepath.Join(os.Getenv("MERCER_TEST_CSV"), "*.csv"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range found {
		dir, name := filepath.Split(file)
		list = append(list, points{strings.TrimSuffix(name, ".csv"), "use: csv, path: " + name + ", header: false, response: -1, standardize: true", dir})
	}
	return list
}

// gaussian has a bandwidth that n does not change.
const gaussian = "kernels: [{id: gaussian, use: gaussian, bandwidth: {median: 1}, form: two-sigma-squared}]\n"

// kpca asks for 10 % more than the error of exact kernel PCA.
const kpca = `methods:
  - {id: ekpca, use: ekpca, center: u}
  - {id: uniform, use: nystrom, landmarks: uniform}
  - {id: rpcholesky, use: nystrom, landmarks: rpcholesky}
measure: [recon_h]
targets:
  - {id: uniform, find: m, over: n, such_that: {ratio: {of: recon_h, method: uniform, to: ekpca, at_most: 1.1}}}
  - {id: rpcholesky, find: m, over: n, such_that: {ratio: {of: recon_h, method: rpcholesky, to: ekpca, at_most: 1.1}}}
`

// question is a spec but for its data set, n and m.
type question struct {
	name    string
	largest [2]int // n, in the short form and in the long one; 0: the flag
	least   string // m
	keys    string // of the data set
	text    string // begins inside the grid
}

var questions = []question{
	{"kernel", [2]int{4096, 0}, "2", "", gaussian + `methods:
  - {id: uniform, use: nystrom-embedding, landmarks: uniform, rank: full}
  - {id: rpcholesky, use: nystrom-embedding, landmarks: rpcholesky, rank: full}
measure: [matrix_trace]
targets:
  - {id: uniform-1, find: m, over: n, such_that: {value: {of: matrix_trace, where: {method: uniform}, at_most: 0.01}}}
  - {id: uniform-5, find: m, over: n, such_that: {value: {of: matrix_trace, where: {method: uniform}, at_most: 0.05}}}
  - {id: rpcholesky-1, find: m, over: n, such_that: {value: {of: matrix_trace, where: {method: rpcholesky}, at_most: 0.01}}}
  - {id: rpcholesky-5, find: m, over: n, such_that: {value: {of: matrix_trace, where: {method: rpcholesky}, at_most: 0.05}}}
`},
	{"pca", [2]int{1024, 4096}, "ell", ", population: {held_out: 200}", "  ell: 10\n" + gaussian + kpca},
	{"rate", [2]int{1 << 23, 1 << 23}, "ell", "", `  ell: "max(2, round(0.6*n^(0.5/alpha)))"
` + kpca},
	{"regress", [2]int{0, 4096}, "2", ", split: {test: 0.2}", gaussian + `methods:
  - {id: krr, use: krr, ridge: 1e-4}
  - {id: uniform, use: nystrom-krr, landmarks: uniform, ridge: 1e-4}
  - {id: rpcholesky, use: nystrom-krr, landmarks: rpcholesky, ridge: 1e-4}
  - {id: features, use: rff-krr, features: fourier, ridge: 1e-4}
measure: [rmse]
targets:
  - {id: uniform, find: m, over: n, such_that: {ratio: {of: rmse, method: uniform, to: krr, at_most: 1.05}}}
  - {id: rpcholesky, find: m, over: n, such_that: {ratio: {of: rmse, method: rpcholesky, to: krr, at_most: 1.05}}}
  - {id: features, find: m, over: n, such_that: {ratio: {of: rmse, method: features, to: krr, at_most: 1.05}}}
`},
}

// spec has n = N, N/2, … , N/128 of a set and, for each, values of m up to n, four to a factor of 2.
func (q question) spec(p points) string {
	n := fmt.Sprint(q.largest[0])
	if *allGroups {
		n = fmt.Sprint(cmp.Or(q.largest[1], *largestKernel))
	}
	if p.dir != "" {
		n = "min(N, " + n + ")"
	}
	steps := make([]string, 0, 45)
	for step := range cap(steps) {
		steps = append(steps, fmt.Sprint(step))
	}
	return fmt.Sprintf(`name: extrapolation
seed: 1
repeats: {from: 8, to: 32, until: decided}
datasets: [{id: %s, %s%s}]
grid:
  halved: [7, 6, 5, 4, 3, 2, 1, 0]
  n: "round(%s/2^halved)"
  step: [%s]
  m: "round(2*2^(step/4))"
  skip: ["step == 1", "step == 3", "n < 32", "m < %s", "m > n"]
%s`, p.name, p.use, q.keys, n, strings.Join(steps, ", "), q.least, q.text)
}

// tally counts extrapolations by the same factor.
type tally struct {
	asked, covered, centred int
	widths                  []float64 // high/low of those that were not refused
}

// add compares what Extrapolate says with what a search found. It covers that if their intervals have a value in
// common, and its centre if the geometric mean of what was found is inside.
func (c *tally) add(seen []claims.Answer, found claims.Answer) string {
	c.asked++
	e, err := claims.Extrapolate(seen, found.At)
	if err != nil {
		return err.Error()
	}
	c.widths = append(c.widths, *e.Holds / *e.Fails)
	if m := math.Sqrt(*found.Fails * *found.Holds); *e.Fails < m && m <= *e.Holds {
		c.centred++
	}
	if *e.Fails < *found.Holds && *found.Fails < *e.Holds {
		c.covered++
		return e.Interval()
	}
	return e.Interval() + ", MISSED"
}

// quantile is of high/low; NaN if all were refused.
func (c tally) quantile(p float64) float64 {
	if len(c.widths) == 0 {
		return math.NaN()
	}
	slices.Sort(c.widths)
	return stat.Quantile(p, stat.Empirical, c.widths, nil)
}

// String has the cases, how many were not refused, how many of these are covered and have their centre covered, and
// the median and the 90 % quantile of high/low.
func (c tally) String() string {
	return fmt.Sprintf("%d | %d | %d | %d | %.1f | %.1f", c.asked, len(c.widths), c.covered, c.centred, c.quantile(0.5), c.quantile(0.9))
}

// tallies are by the logarithm of the factor to base 2.
type tallies [6]tally

// add extrapolates from each three successive answers to a target to the later ones.
func (all *tallies) add(t *testing.T, answers []claims.Answer) {
	for _, list := range lists.By(answers, func(a claims.Answer) string { return a.Target }) {
		slices.SortFunc(list, func(a, b claims.Answer) int { return cmp.Compare(a.At, b.At) })
		for to, found := range list {
			t.Logf("%s at n = %g: %s", found.Target, found.At, found.Interval())
			for k := 1; k < len(all) && k <= to-2 && found.Fails != nil && found.Holds != nil; k++ {
				seen := list[to-k-2 : to-k+1]
				t.Logf("  from %g: %s", seen[2].At, all[k].add(seen, found))
			}
		}
	}
}

// join adds what was counted for a question, and logs it.
func (all *tallies) join(t *testing.T, question string, counts tallies) {
	for k, c := range counts {
		if c.asked > 0 {
			t.Logf("| %s | %d | %s |", question, 1<<k, c)
		}
		sum := &all[k]
		sum.asked, sum.covered, sum.centred, sum.widths = sum.asked+c.asked, sum.covered+c.covered, sum.centred+c.centred, append(sum.widths, c.widths...)
	}
}

// TestExtrapolation extrapolates each three successive answers, at n, 2n and 4n, to those at 8n to 128n. At each
// factor one of what is said may miss what was found, and 5 % besides. At 4 times the largest n at most a quarter may
// be refused, and the median of high/low is at most 3. It logs a table of tallies.
//
// The seed is fixed. With others, if each case were missed in 1 % of runs, independently: the 19 at 32 times of the
// short form would have two misses or more in 1.5 % of runs, and lesser factors, which have more, too many in
// 0.2 % together. With seeds 2 to 6 none of 1977 was missed.
func TestExtrapolation(t *testing.T) {
	if _, err := linalg.Use(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(linalg.UseGonum)
	if *allGroups && len(files(t)) == 0 {
		t.Run("files", func(t *testing.T) {
			t.Skip("SKIPPED: only generated sets are extrapolated: set MERCER_TEST_DATA to a directory with avila/ and banknote/, or MERCER_TEST_CSV to one of CSV files")
		})
	}
	var total tallies
	for _, q := range questions {
		t.Run(q.name, func(t *testing.T) {
			var counts tallies
			for _, p := range q.sets(t) {
				t.Run(p.name, func(t *testing.T) {
					t.Setenv("MERCER_DATA", p.dir)
					looks, _ := start(t, t.TempDir(), q.spec(p), 1<<30)
					counts.add(t, looks[len(looks)-1].Answers)
				})
			}
			total.join(t, q.name, counts)
		})
	}
	new(tallies).join(t, "all", total)
	for k, c := range total {
		if said := len(c.widths); said-c.covered > 1+int(claims.ExtrapolationError*float64(said)) {
			t.Errorf("at %d times the size %d of %d are covered", 1<<k, c.covered, said)
		}
	}
	if c := total[2]; 4*len(c.widths) < 3*c.asked || c.quantile(0.5) > 3 {
		t.Errorf("at 4 times the size too few answers are of use: %s", c)
	}
}

// sets are those of the question, in the long form with files.
func (q question) sets(t *testing.T) (list []points) {
	switch {
	case q.name == "rate":
		return laws
	case *allGroups && q.name == "regress":
		return lists.Where(files(t), func(p points) bool { return strings.Contains(p.use, "response") })
	case *allGroups:
		return append(slices.Clone(generated), files(t)...)
	case q.name == "regress":
		return nil
	}
	return generated
}
