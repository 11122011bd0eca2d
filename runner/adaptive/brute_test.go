//go:build system

package adaptive

import (
	"flag"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"

	"mercer/internal/claims"
	"mercer/results"
	"mercer/runner"
)

var allGroups = flag.Bool("groups.all", false, "search and brute force in 45 groups, and extrapolate on files too, for minutes, in place of 6")

// leastM has the sizes and rules of the experiment least-m on fewer atoms, with m up to 12ℓ, and
// no claims, so that each end of an answer may be wrong in 5 % of runs.
const leastM = `name: least-m
seed: SEED
repeats: REPEATS
datasets:
POWER2  - {id: power4, use: atoms, atoms: ATOMS, decay: {power: 4}}
grid:
  ell: ELL
  n: "round((ell + 0.5)^(2*alpha))"
  step: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23]
  m: "round(4*2^(step/4))"
  skip: ["n < 900", "n > 2e9", "m < ell", "m > 12*ell"]
methods:
  - {id: ekpca, use: ekpca, center: u}
  - {id: uniform, use: nystrom, landmarks: uniform}
  - {id: leverage, use: nystrom, landmarks: leverage}
  - {id: rpcholesky, use: nystrom, landmarks: rpcholesky}
measure: [recon_h]
targets:
  - {id: uniform, find: m, over: n, such_that: {ratio: {of: recon_h, method: uniform, to: ekpca, at_most: 1.1}}}
  - {id: leverage, find: m, over: n, such_that: {ratio: {of: recon_h, method: leverage, to: ekpca, at_most: 1.1}}}
  - {id: rpcholesky, find: m, over: n, such_that: {ratio: {of: recon_h, method: rpcholesky, to: ekpca, at_most: 1.1}}}
`

// least is the least m at which R of a method is at most 1.1 of that of the exact one, by the
// geometric mean of all repeats, and this mean with its standard error.
func least(run results.Run, a claims.Answer) (m float64, text string) {
	exact, ratios := map[int]float64{}, map[float64][]float64{}
	read := func(method string, use func(results.Row, float64)) {
		for _, r := range run.Rows {
			n, _ := r.At.Number("n")
			if x, ok := r.Metrics["recon_h"]; ok && r.Method() == method && r.Dataset() == a.Group.Text("dataset") && n == a.At && r.Status == results.OK {
				use(r, x)
			}
		}
	}
	read("ekpca", func(r results.Row, x float64) { exact[r.Repeat] = x })
	read(a.Target, func(r results.Row, x float64) {
		m, _ := r.At.Number("m")
		ratios[m] = append(ratios[m], math.Log(x/exact[r.Repeat]))
	})
	for _, m := range slices.Sorted(maps.Keys(ratios)) {
		mean, sd := stat.MeanStdDev(ratios[m], nil)
		text = fmt.Sprintf("%.4f ± %.4f", math.Exp(mean), math.Exp(mean)*stat.StdErr(sd, float64(len(ratios[m]))))
		if mean <= math.Log(1.1) {
			return m, text
		}
	}
	return math.Inf(1), text
}

// TestBruteForce holds the intervals that a search finds against the least m of a full grid,
// with 200 repeats of another seed at every m: 95 % of the 45 intervals must contain it. Of the 6
// groups of the short form, with 40 repeats, one may miss it.
func TestBruteForce(t *testing.T) {
	ells, power2, atoms, repeats, misses := "[3, 4]", "", "80", "40", 1
	if *allGroups {
		ells, atoms, repeats, misses = "[2, 3, 4, 5, 6, 7, 8, 9, 10]", "128", "200", 2
		power2 = "  - {id: power2, use: atoms, atoms: 128, decay: {power: 2}}\n"
	}
	spec := func(seed, repeats string) string {
		return strings.NewReplacer("SEED", seed, "REPEATS", repeats, "ELL", ells, "POWER2", power2, "ATOMS", atoms).Replace(leastM)
	}
	dir, full := t.TempDir(), t.TempDir()
	looks, _ := start(t, dir, spec("1", "{from: 8, to: 160, until: decided}"), 1<<30)
	text, _, _ := strings.Cut(spec("2", repeats), "targets:") // these need repeats that are added
	p := prepared(t, text)
	if _, err := runner.Run(t.Context(), p, runner.NewManifest(p, "", "", runner.ThisMachine()), runner.Options{Dir: full, Workers: 2}); err != nil {
		t.Fatal(err)
	}
	run, whole, answers, contained := load(t, dir), load(t, full), looks[len(looks)-1].Answers, 0
	for _, a := range answers {
		m, ratio := least(whole, a)
		inside := (a.Fails == nil || *a.Fails < m) && (a.Holds == nil || m <= *a.Holds)
		if inside {
			contained++
		}
		t.Logf("| %s | %s | %g | %s | %g | %s | %v |", a.Target, a.Group.Text("dataset"), a.At, a.Interval(), m, ratio, inside)
	}
	t.Logf("%d of %d intervals contain the least m of brute force; %d records, the full grid %d", contained, len(answers), len(run.Rows), len(whole.Rows))
	if len(answers) == 0 || contained < len(answers)-misses {
		t.Errorf("%d of %d intervals contain the least m of brute force", contained, len(answers))
	}
}
