package claims

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"mercer/configs"
	"mercer/results"
)

// scores are count numbers of mean 0 and standard deviation 1 exactly.
func scores(count int) []float64 {
	z := make([]float64, count)
	for r := range z {
		z[r] = distuv.UnitNormal.Quantile((float64(r) + 0.5) / float64(count))
	}
	mean, sd := stat.MeanStdDev(z, nil)
	for r := range z {
		z[r] = (z[r] - mean) / sd
	}
	return z
}

// Several cells share a level: a cell that is called violated by itself is not
// where there are many, and its p in the verdict is Holm's.
func TestHolmOverCells(t *testing.T) {
	const repeats = 20
	z := scores(repeats)
	at := func(p float64) float64 { return tQuantile(1-p, repeats-1) / math.Sqrt(repeats) } // in standard deviations
	along10 := along("n", 100, 200, 300, 400, 500, 600, 700, 800, 900, 1000)
	logs := func(methods []string, points []map[string]float64, f func(method string, p map[string]float64, z float64) float64) results.Run {
		return fake(methods, []string{"n", "m"}, points, repeats, func(method string, p map[string]float64, repeat int) map[string]float64 {
			return map[string]float64{"x": math.Exp(f(method, p, z[repeat]))}
		})
	}
	// Method a stands p = 0.004 beyond b at n = 300, and far below elsewhere.
	pair := logs([]string{"a", "b"}, along10, func(method string, p map[string]float64, z float64) float64 {
		switch {
		case method == "b":
			return 0
		case p["n"] == 300:
			return 0.2 * (at(0.004) + z)
		}
		return 0.2 * (z - 3)
	})
	// Along n, x falls, but for one step of p = 0.004 from 300 to 400.
	steps := logs([]string{"a"}, along10[:6], func(_ string, p map[string]float64, z float64) float64 {
		level := 0.0
		for n := 100.0; n < p["n"]; n += 100 {
			if n == 300 {
				level += 0.2 * (at(0.004) + z)
			} else {
				level -= 1
			}
		}
		return level
	})
	// Of two lines along n, one rises with p = 0.008.
	var grid []map[string]float64
	for _, n := range []float64{100, 200} {
		for _, m := range []float64{10, 20} {
			grid = append(grid, map[string]float64{"n": n, "m": m})
		}
	}
	lines := logs([]string{"a"}, grid, func(_ string, p map[string]float64, z float64) float64 {
		switch {
		case p["n"] == 100:
			return 0
		case p["m"] == 10:
			return 0.2 * (at(0.008) + z)
		}
		return -1
	})
	value := logs([]string{"a"}, along10, func(_ string, p map[string]float64, z float64) float64 {
		if p["n"] == 300 {
			return math.Log(10 + at(0.004) + z)
		}
		return 0
	})
	falls := configs.Order{Of: configs.Quantity{Text: "x"}, Over: configs.Word{Value: "n"}, Direction: "falls"}
	for _, tt := range []struct {
		name  string
		claim configs.Claim
		run   results.Run
		alone configs.Conditions
		p     float64 // of the cell, adjusted
	}{
		{"ratio", configs.Claim{Ratio: &configs.Ratio{Of: configs.Quantity{Text: "x"}, Method: configs.Word{Value: "a"}, To: configs.Word{Value: "b"}, AtMost: num("1")}}, pair, configs.Conditions{"n": {Value: []string{"300"}}}, 0.04},
		{"order of methods", configs.Claim{Order: &configs.Order{Of: configs.Quantity{Text: "x"}, Methods: configs.Words{{Value: "a"}, {Value: "b"}}}}, pair, configs.Conditions{"n": {Value: []string{"300"}}}, 0.04},
		{"order along n", configs.Claim{Order: &falls}, steps, configs.Conditions{"n": {Value: []string{"300", "400"}}}, 0.02},
		{"order of lines", configs.Claim{Order: &falls}, lines, configs.Conditions{"m": {Value: []string{"10"}}}, 0.016},
		{"value", configs.Claim{Value: &configs.ValueClaim{Of: configs.Quantity{Text: "x"}, AtMost: num("10")}}, value, configs.Conditions{"n": {Value: []string{"300"}}}, 0.04},
	} {
		selection := func(where configs.Conditions) configs.Claim {
			c := tt.claim
			c.ID = "c"
			switch s := (configs.Selection{Where: where}); {
			case c.Ratio != nil:
				of := *c.Ratio
				of.Selection, c.Ratio = s, &of
			case c.Order != nil:
				of := *c.Order
				of.Selection, c.Order = s, &of
			default:
				of := *c.Value
				of.Selection, c.Value = s, &of
			}
			return c
		}
		t.Run(tt.name, func(t *testing.T) {
			wants(t, one(t, selection(tt.alone), tt.run), Violated)
			v := one(t, selection(nil), tt.run)
			wants(t, v, Inconclusive, "repeats in place of 20")
			least := slices.MinFunc(v.Cells, func(a, b CellOutcome) int { return int(math.Copysign(1, a.P-b.P)) })
			if math.Abs(least.P-tt.p) > 1e-6 {
				t.Errorf("adjusted p %v, want %v", least.P, tt.p)
			}
		})
	}
}

// With as many repeats as advised, of the same mean and standard deviation, the
// claim is decided; with one fewer it is not.
func TestRepeatsNeeded(t *testing.T) {
	for _, b := range []band{{relation: "=", value: 1, within: 0.2}, {relation: "<=", value: 1}, {relation: ">=", value: 1}} {
		for _, mean := range []float64{0.7, 0.95, 1.05, 1.1, 1.3} {
			for _, others := range []int{0, 9} {
				verdict := func(repeats int) Verdict {
					cells := make([]cell, 1+others)
					for k := range cells {
						cells[k].band = b
						for _, z := range scores(repeats) {
							x := mean + 0.5*z
							if k > 0 { // far inside
								x = map[string]float64{"=": 1, "<=": -9, ">=": 9}[b.relation] + 1e-3*z
							}
							cells[k].values = append(cells[k].values, x)
						}
					}
					return judgeCells(Verdict{Level: 0.95}, cells, plainScale)
				}
				v := verdict(4)
				if v.Outcome != Inconclusive {
					continue // sure already
				}
				var need int
				if _, err := fmt.Sscanf(v.Settle, "about %d repeats in place of 4", &need); err != nil {
					t.Errorf("%v, mean %g: %q", b, mean, v.Settle)
					continue
				}
				if at, before := verdict(need).Outcome, verdict(need-1).Outcome; at == Inconclusive || before != Inconclusive {
					t.Errorf("%v, mean %g, %d cells: with %d repeats %s, with one fewer %s", b, mean, 1+others, need, at, before)
				}
			}
		}
	}
	if got := settleRepeats(5, meanTest{band{relation: "<="}, 0.95}.needed(estimate{sd: 1}, violatedP)); !strings.HasPrefix(got, "no number of repeats") {
		t.Errorf("on the edge: %q", got)
	}
}

// Of several undecided cells, all must come to hold, or one to be violated; and
// what failed is to be run again as well.
func TestSettleCells(t *testing.T) {
	b := band{relation: "<=", value: 1}
	with := func(mean, sd float64) cell {
		c := cell{band: b}
		for _, z := range scores(8) {
			c.values = append(c.values, mean+sd*z)
		}
		return c
	}
	needs := func(mean, sd float64, cells int) int {
		return meanTest{b, 0.95}.needed(estimate{mean: mean, sd: sd}, violatedP/float64(cells))
	}
	for _, tt := range []struct {
		name  string
		cells []cell
		want  string
	}{
		{"the slowest to hold", []cell{with(0.9, 0.2), with(0.9, 0.5), with(-9, 1)}, fmt.Sprintf("about %d repeats in place of 8", needs(0.9, 0.5, 3))},
		{"the first to be violated", []cell{with(0.9, 0.5), with(1.1, 0.5), with(1.2, 0.5)}, fmt.Sprintf("about %d repeats in place of 8", needs(1.2, 0.5, 3))},
		{"one lost", []cell{with(0.9, 0.5), {band: b, lost: 8}}, fmt.Sprintf("%s; and about %d repeats in place of 8", runAgain, needs(0.9, 0.5, 2))},
		{"one that cannot be", []cell{{band: b, problem: Doubt{"no", "do this"}}, {band: b, lost: 8}}, "do this; and " + runAgain},
	} {
		v := judgeCells(Verdict{Level: 0.95}, tt.cells, plainScale)
		if parts := strings.Split(v.Settle, "; and "); v.Outcome != Inconclusive || !slices.Equal(sorted(parts), sorted(strings.Split(tt.want, "; and "))) {
			t.Errorf("%s: %s, %q, want %q", tt.name, v.Outcome, v.Settle, tt.want)
		}
	}
}

func sorted(words []string) []string { return slices.Sorted(slices.Values(words)) }
