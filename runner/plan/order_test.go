package plan

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/stat/distuv"
)

const timedSpec = `
name: timed
seed: 3
repeats: 3000
datasets: [{id: poly2, use: series, decay: {power: 2}}]
grid: {n: [20, 40], ell: [2]}
methods:
  - {id: a, use: ekpca, center: u}
  - {id: b, use: nystrom, m: 5}
  - {id: c, use: rff, features: mercer, m: 5}
measure: [recon_h, time]
`

// steps are the fits of a group in the order in which they are computed: "a20 b20 …".
func steps(p *Plan, g *Group) []string {
	var all []string
	for _, pass := range p.Order(g) {
		for _, f := range pass {
			if len(f.Cells) > 0 {
				all = append(all, f.Method+map[int]string{20: "20", 40: "40"}[f.Sizes.N])
			}
		}
	}
	return all
}

// TestOrderIsFair: over the repeats of a timed plan all orders of the points, of the
// methods at a point, and all pairs of orders at the two points are about equally
// frequent: chi-square tests, a false alarm of any of the four in 4 of 10000 seeds.
func TestOrderIsFair(t *testing.T) {
	p := planOf(t, timedSpec, "")
	points, first, second, both := map[string]float64{}, map[string]float64{}, map[string]float64{}, map[string]float64{}
	for _, g := range p.Groups {
		all := steps(p, g)
		at := map[string]string{} // the methods at each point, by its n
		for _, s := range all {
			at[s[1:]] += s[:1]
		}
		if all[0][1:] != all[2][1:] || all[3][1:] != all[5][1:] || len(at["20"]) != 3 {
			t.Fatalf("repeat %d: %v: the methods of a point are apart", g.Repeat, all)
		}
		points[all[0][1:]]++
		first[at["20"]]++
		second[at["40"]]++
		both[at["20"]+at["40"]]++
	}
	for _, c := range []struct {
		what   string
		counts map[string]float64
		kinds  int
	}{{"points", points, 2}, {"methods at 20", first, 6}, {"methods at 40", second, 6}, {"pairs", both, 36}} {
		want, sum := float64(len(p.Groups))/float64(c.kinds), 0.0
		for _, n := range c.counts {
			sum += (n - want) * (n - want) / want
		}
		sum += want * float64(c.kinds-len(c.counts))
		if most := (distuv.ChiSquared{K: float64(c.kinds - 1)}).Quantile(1 - 1e-4); sum > most {
			t.Errorf("orders of %s: chi-square %.1f, above %.1f: %v", c.what, sum, most, c.counts)
		}
	}
}

// TestOrderIsKeyed: the order is the same in each plan of a spec, and what a filter or
// another method leaves of it; keys keep theirs. Where nothing is timed it is that of
// the passes.
func TestOrderIsKeyed(t *testing.T) {
	text := strings.Replace(timedSpec, "repeats: 3000", "repeats: 20", 1)
	whole, again := planOf(t, text, ""), planOf(t, text, "")
	fewer := planOf(t, strings.Replace(text, "  - {id: b, use: nystrom, m: 5}\n", "", 1), "")
	large := planOf(t, text, "n == 40")
	changed := 0
	for i, g := range whole.Groups {
		all := steps(whole, g)
		if diff := cmp.Diff(all, steps(again, again.Groups[i])); diff != "" {
			t.Errorf("repeat %d:\n%s", g.Repeat, diff)
		}
		without := slices.DeleteFunc(slices.Clone(all), func(s string) bool { return s[0] == 'b' })
		if diff := cmp.Diff(without, steps(fewer, fewer.Groups[i])); diff != "" {
			t.Errorf("repeat %d without method b:\n%s", g.Repeat, diff)
		}
		at40 := slices.DeleteFunc(slices.Clone(all), func(s string) bool { return s[1:] == "20" })
		if diff := cmp.Diff(at40, steps(large, large.Groups[i])); diff != "" {
			t.Errorf("repeat %d, n = 40 alone:\n%s", g.Repeat, diff)
		}
		if !slices.Equal(all, steps(whole, whole.Groups[0])) {
			changed++
		}
	}
	if changed < 10 {
		t.Errorf("%d of 19 repeats have another order than the first", changed)
	}
	untimed := planOf(t, strings.Replace(text, ", time", "", 1), "")
	for _, g := range untimed.Groups {
		if !slices.EqualFunc(untimed.Order(g), untimed.Passes(g), slices.Equal) {
			t.Errorf("repeat %d: passes that are not timed have another order", g.Repeat)
		}
	}
}
