package plan

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/stat/distuv"
)

const unitsSpec = `
name: units
seed: 3
repeats: 3
datasets: [{id: poly2, use: series, decay: {power: 2}}, {id: poly4, use: series, decay: {power: 4}}]
grid: {n: [60, 120, 240], ell: [2, 3], m: [20, 30]}
methods:
  - {id: oja, use: rf-oja, features: mercer, schedule: adaoja}
  - {id: nystrom, use: nystrom}
  - {id: rff, use: rff, features: mercer}
measure: [recon_l2, MEASURE]
`

// TestUnits: fits of a streaming method that differ in n only are one pass, and cells that
// differ in ell only are one fit; a timed cell is a unit by itself.
func TestUnits(t *testing.T) {
	for measure, want := range map[string]struct{ units, fits, cells int }{"rank": {2 * (2 + 6 + 6) * 3, 6, 2}, "time": {2 * 36 * 3, 1, 1}} {
		p := planOf(t, strings.Replace(unitsSpec, "MEASURE", measure, 1), Input{})
		units, fits, cells := 0, 0, 0
		for repeat := range p.Repeats() {
			for _, g := range p.Groups {
				for _, u := range p.Units(g, repeat) {
					units++
					if u.Fits[0].Method.ID == "oja" {
						fits = max(fits, 2*len(u.Fits))
					}
					cells = max(cells, len(u.Cells[0]))
				}
			}
		}
		if want.fits = max(2, want.fits); units != want.units || fits != want.fits || cells != want.cells {
			t.Errorf("%s: %d units, passes over %d fits of %d cells, want %+v", measure, units, fits/2, cells, want)
		}
	}
}

// TestPerEll: a program has a fit of its own for each ℓ.
func TestPerEll(t *testing.T) {
	p := planOf(t, `
name: test
seed: 1
repeats: 1
datasets: [{id: poly2, use: series, decay: {power: 2}}]
grid: {n: [10, 20], ell: [1, 2, 3]}
methods:
  - {id: own, use: exec, command: [go], model: subspace, uses: [n, ell]}
measure: [recon_h]
`, Input{})
	fits := map[string]int{}
	for _, f := range p.Groups[0].Fits {
		if fits[f.Method.ID]++; len(f.Cells) != 1 || f.Cells[0].Sizes.Ell != f.Sizes.Ell {
			t.Errorf("a fit at ell = %d serves other ℓ", f.Sizes.Ell)
		}
	}
	if fits["own"] != 6 {
		t.Errorf("fits %v, want 6", fits)
	}
}

// TestShards: each unit is in exactly one shard, whole; shards beyond the units are empty, and
// all are of one plan.
func TestShards(t *testing.T) {
	text := strings.Replace(unitsSpec, "MEASURE", "rank", 1)
	whole := planOf(t, text, Input{})
	all, unit := whole.IDs(), map[string]string{}
	for repeat := range whole.Repeats() {
		for i, g := range whole.Groups {
			for j, u := range whole.Units(g, repeat) {
				for _, c := range slices.Concat(u.Cells...) {
					unit[c.ID(repeat)] = fmt.Sprint(repeat, i, j)
				}
			}
		}
	}
	for _, count := range []int{1, 2, 3, 7, 120} {
		in, empty, found := map[string]int{}, 0, 0
		for i := range count {
			p := planOf(t, text, Input{Shard: Shard{I: i + 1, N: count}})
			ids := p.IDs()
			if found += len(ids); len(ids) == 0 {
				empty++
			}
			for _, id := range ids {
				if other, cut := in[unit[id]]; unit[id] == "" || cut && other != i {
					t.Errorf("%d shards: unit %q is in %d and in %d", count, unit[id], other, i)
				}
				in[unit[id]] = i
			}
			if p.Hash() != whole.Hash() {
				t.Errorf("shard %d of %d is of another plan", i+1, count)
			}
		}
		if found != len(all) || count == 120 && empty < 120-84 || count < 7 && empty > 0 {
			t.Errorf("%d shards: %d rows of %d, %d empty", count, found, len(all), empty)
		}
	}
	for _, wrong := range []string{"0/2", "3/2", "1", "a/b", "1/2/3", "01/2", "-1/2"} {
		if _, err := ParseShard(wrong); err == nil {
			t.Errorf("shard %q is taken", wrong)
		}
	}
	if s, err := ParseShard("3/8"); err != nil || s != (Shard{3, 8}) || s.String() != "3/8" {
		t.Errorf("%v, %v", s, err)
	}
}

// TestFilter: a condition picks rows by their columns and repeat; a row without a column is
// picked where some value of the column meets it. A filter that picks none is refused, and changes no id.
func TestFilter(t *testing.T) {
	text := strings.Replace(unitsSpec, "MEASURE", "rank", 1)
	all := planOf(t, text, Input{}).IDs()
	for filter, want := range map[string]int{
		"n == 60": 2 * 3 * 3 * 4, "repeat == 1 and dataset == \"poly4\"": 36, "m > 20 && method != \"oja\"": 2 * 3 * 2 * 6, "ell == 3 || n == 240": 2 * 3 * 3 * (6 + 2),
	} {
		ids := planOf(t, text, Input{Filter: filter}).IDs()
		if len(ids) != want || slices.ContainsFunc(ids, func(id string) bool { return !slices.Contains(all, id) }) {
			t.Errorf("%s: %d rows, want %d", filter, len(ids), want)
		}
	}
	if ids := planOf(t, timedSpec, Input{Filter: "m != 6 && repeat == 0"}).IDs(); len(ids) != 6 {
		t.Errorf("%d rows at m = 5 or without m, want 6", len(ids))
	}
	for filter, want := range map[string]string{
		"n == 61": `filter "n == 61" picks no row of this spec`, "nn == 60": `unknown name "nn"`, "dataset == 3": "== needs a text, found a number",
	} {
		if _, err := prepared(text, Input{Filter: filter}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", filter, err)
		}
	}
}

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

// steps are the fits in the order in which they are computed in a repeat: "a20 b20 …".
func steps(p *Plan, repeat int) (all []string) {
	for _, u := range p.Units(p.Groups[0], repeat) {
		all = append(all, fmt.Sprint(u.Fits[0].Method.ID, u.Fits[0].Sizes.N))
	}
	return all
}

// TestOrderIsFair: over the repeats of a timed plan all orders of the points, of the
// methods at a point, and all pairs of orders at the two points are about equally
// frequent: chi-square tests, a false alarm of any of the four in 4 of 10000 seeds.
func TestOrderIsFair(t *testing.T) {
	p := planOf(t, timedSpec, Input{})
	points, first, second, both := map[string]float64{}, map[string]float64{}, map[string]float64{}, map[string]float64{}
	for repeat := range p.Repeats() {
		all := steps(p, repeat)
		at := map[string]string{} // the methods at each point, by its n
		for _, s := range all {
			at[s[1:]] += s[:1]
		}
		if all[0][1:] != all[2][1:] || all[3][1:] != all[5][1:] || len(at["20"]) != 3 {
			t.Fatalf("repeat %d: %v: the methods of a point are apart", repeat, all)
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
		want, sum := float64(p.Repeats())/float64(c.kinds), 0.0
		for _, n := range c.counts {
			sum += (n - want) * (n - want) / want
		}
		sum += want * float64(c.kinds-len(c.counts))
		if most := (distuv.ChiSquared{K: float64(c.kinds - 1)}).Quantile(1 - 1e-4); sum > most {
			t.Errorf("orders of %s: chi-square %.1f, above %.1f: %v", c.what, sum, most, c.counts)
		}
	}
}

// TestOrderIsKeyed: the order is the same in each plan of a spec, and what a filter, a shard
// or another method leaves of it.
func TestOrderIsKeyed(t *testing.T) {
	text := strings.Replace(timedSpec, "repeats: 3000", "repeats: 20", 1)
	whole := planOf(t, text, Input{})
	changed := 0
	for name, part := range map[string]*Plan{
		"again": planOf(t, text, Input{}), "without b": planOf(t, strings.Replace(text, "  - {id: b, use: nystrom, m: 5}\n", "", 1), Input{}),
		"n = 40": planOf(t, text, Input{Filter: "n == 40"}), "shard": planOf(t, text, Input{Shard: Shard{1, 2}}),
	} {
		for repeat := range 20 {
			all, left := steps(whole, repeat), steps(part, repeat)
			due := slices.DeleteFunc(slices.Clone(all), func(s string) bool { return !slices.Contains(left, s) })
			if diff := cmp.Diff(due, left, cmp.Transformer("", func(s []string) string { return strings.Join(s, " ") })); diff != "" {
				t.Errorf("%s, repeat %d:\n%s", name, repeat, diff)
			}
			if name == "again" && !slices.Equal(all, steps(whole, 0)) {
				changed++
			}
		}
	}
	if changed < 10 {
		t.Errorf("%d of 19 repeats have another order than the first", changed)
	}
}
