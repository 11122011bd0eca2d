package runner

import (
	"math"
	"strings"
	"testing"

	"mercer/runner/plan"
	"mercer/runner/populations"
)

const populationsSpec = `name: populations
seed: 11
repeats: 3
datasets:
  - {id: poly, use: series, decay: {power: 2}}
  - {id: rings, use: cluster-in-cluster, population: {held_out: 60}}
  - {id: pool, use: csv, path: points.csv, population: self}
kernels:
  - {id: narrow, use: gaussian, bandwidth: {median: 0.5}, form: two-sigma-squared}
  - {id: wide, use: gaussian, bandwidth: {median: 2}, form: two-sigma-squared}
grid: {n: 5, ell: [1, 3]}
methods: [{id: kpca, use: ekpca, center: u}]
measure: [recon_h]
`

// What verdicts are judged against is what the run measured against: the floor
// Σ_{i>ℓ} λ_i of each record comes out again, bit for bit, in any order.
func TestPopulationsAreThoseOfTheRun(t *testing.T) {
	p := planOf(t, populationsSpec, "")
	run, _ := runIn(t, t.TempDir(), p, Options{Workers: 1})
	opened := populations.Of(p)
	floors := map[string]map[float64]bool{}
	for i := range run.Rows {
		r := run.Rows[len(run.Rows)-1-i]
		population, err := opened.At(r.Population, r.Repeat)
		if err != nil {
			t.Fatal(err)
		}
		floor, err := population.Tail(1, at(r, "ell"))
		want := r.Metrics["recon_h_floor"]
		// The run opened fewer eigenpairs: a few units in the last place.
		if err != nil || math.Abs(floor-want) > 1e-13*want {
			t.Errorf("%s repeat %d: floor %v, the run has %v (%v)", r.At, r.Repeat, floor, want, err)
		}
		id := r.Dataset() + r.Kernel()
		if floors[id] == nil {
			floors[id] = map[float64]bool{}
		}
		floors[id][want] = true
	}
	for id, want := range map[string]int{"polyseries": 2, "ringsnarrow": 6, "ringswide": 6, "poolnarrow": 2} {
		if len(floors[id]) != want {
			t.Errorf("%s has %d floors, want %d", id, len(floors[id]), want)
		}
	}
	same := func(dataset, kernel string) bool {
		a, _ := opened.At(named(p, dataset, kernel), 0)
		b, err := opened.At(named(p, dataset, kernel), 1)
		return err == nil && a.Population == b.Population
	}
	if !same("poly", "series") || !same("pool", "wide") || same("rings", "wide") {
		t.Error("repeats share a population where they should not, or do not where they should")
	}
}

// More eigenpairs than the population was opened with are there for the asking.
func TestPopulationsGrow(t *testing.T) {
	p := planOf(t, populationsSpec, "")
	opened := populations.Of(p)
	population, err := opened.At(named(p, "rings", "narrow"), 2)
	if err != nil {
		t.Fatal(err)
	}
	few, err := population.Eigenvalues(5)
	if err != nil {
		t.Fatal(err)
	}
	all, err := population.Eigenvalues(60)
	if err != nil {
		t.Fatal(err)
	}
	trace, _ := population.Tail(1, 0)
	sum := 0.0
	for i, v := range all {
		sum += v
		if i < 5 && math.Abs(v-few[i]) > 1e-12 {
			t.Errorf("eigenvalue %d: %v, then %v", i+1, few[i], v)
		}
	}
	if math.Abs(sum-trace) > 1e-12 {
		t.Errorf("60 eigenvalues sum to %v, the trace is %v", sum, trace)
	}
	if tail, err := population.Tail(1, 50); err != nil || tail < 0 || tail > trace {
		t.Errorf("tail %v (%v)", tail, err)
	}
}

func TestPopulationsThatCannotBeOpened(t *testing.T) {
	p := planOf(t, strings.Replace(strings.Replace(populationsSpec, "{held_out: 60}", "none", 1), "[recon_h]", "[recon_h, rank]", 1), "")
	for name, want := range map[string]string{named(p, "rings", "wide"): "declares none", "0123": `no population "0123"`} {
		if _, err := populations.Of(p).At(name, 0); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v does not say %q", err, want)
		}
	}
}

// named is the name that rows have for a population.
func named(p *plan.Plan, dataset, kernel string) string {
	for _, g := range p.Groups {
		if g.Dataset.ID == dataset && g.KernelID == kernel {
			return g.Population
		}
	}
	return ""
}

// Samples are independent draws from a population in closed form, and from that of a
// file which is sampled with replacement; not from points that were held out or drawn
// without replacement.
func TestIndependentSamples(t *testing.T) {
	p := planOf(t, strings.Replace(populationsSpec, "kernels:", "  - {id: again, use: csv, path: points.csv, population: self, sample: with_replacement}\nkernels:", 1), "")
	opened := populations.Of(p)
	for dataset, want := range map[string]bool{"poly": true, "rings": false, "pool": false, "again": true} {
		kernel := "wide"
		if dataset == "poly" {
			kernel = "series"
		}
		if at, err := opened.At(named(p, dataset, kernel), 0); err != nil || at.Independent != want {
			t.Errorf("%s: independent %v, want %v (%v)", dataset, at.Independent, want, err)
		}
	}
}
