package compare

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"mercer/results"
)

// nightly are runs of one experiment: errors of the same seed, times with 5 % of
// noise a run and 3 % a record. change turns a run into what was measured.
func nightly(rng *rand.Rand, runs int, methods []string, change func(run int, r *results.Record)) []Side {
	var all []Side
	for i := range runs {
		load := math.Exp(0.05 * rng.NormFloat64())
		s := synthetic(methods, 2, func(method string, n, repeat int) map[string]float64 {
			return map[string]float64{"error": float64(len(method)) / float64(n+repeat), "floor": 1 / float64(n),
				"time_total": load * float64(n) * math.Exp(0.03*rng.NormFloat64()), "time_gram": rng.Float64()}
		})
		s.Name = fmt.Sprint("run ", i)
		if change != nil {
			s = changed(s, func(r *results.Record) { change(i, r) })
		}
		all = append(all, s)
	}
	return all
}

func scaled(r *results.Record, metric string, factor float64) {
	m, _ := r.Metrics.Get(metric)
	m.Value *= factor
	r.Metrics.Set(metric, m)
}

func historyOf(t *testing.T, runs []Side, level float64) map[string]Series {
	t.Helper()
	series := History(runs, HistoryOptions{Level: level, Drift: 1e-9, Elsewhere: 1e-6, Metrics: facts}, rand.New(rand.NewPCG(1, 2)))
	all := map[string]Series{}
	for _, s := range series {
		id := s.Method + " " + s.Metric
		if _, twice := all[id]; twice {
			id += " on " + s.On
		}
		all[id] = s
	}
	return all
}

// TestHistory: an error that rises by a thousandth is found at its run, without a
// test; times 20 % longer, to within one run; and nothing else is.
func TestHistory(t *testing.T) {
	runs := nightly(rand.New(rand.NewPCG(3, 3)), 30, []string{"a", "bb"}, func(run int, r *results.Record) {
		if r.Method == "a" && run >= 12 {
			scaled(r, "error", 1.001)
		}
		if r.Method == "bb" && run >= 20 {
			scaled(r, "time_total", 1.2)
		}
	})
	all := historyOf(t, runs, 0.01)
	if len(all) != 4 {
		t.Fatalf("%d series; want error and time_total of a and bb", len(all))
	}
	for id, s := range all {
		want := map[string]struct {
			at     int
			change float64
		}{"a error": {12, 0.001}, "bb time_total": {20, 0.2}}[id]
		switch {
		case want.at == 0:
			if len(s.Steps) > 0 {
				t.Errorf("%s: %+v", id, s.Steps)
			}
		case len(s.Steps) != 1:
			t.Errorf("%s: %+v", id, s.Steps)
		default:
			step := s.Steps[0]
			if slack := map[bool]int{true: 0, false: 1}[s.Exact]; max(step.At-want.at, want.at-step.At) > slack ||
				math.Abs(step.Change()-want.change) > 0.25*want.change || !step.Worse || (step.P > 0) == s.Exact {
				t.Errorf("%s, exact %v: %+v", id, s.Exact, step)
			}
		}
	}
	if why := all["a error"].Steps[0].Why; why != "the same records have other numbers" {
		t.Errorf("why: %s", why)
	}
}

// TestHistoryNearTheEnd: times half as long again are found three runs before the end.
func TestHistoryNearTheEnd(t *testing.T) {
	runs := nightly(rand.New(rand.NewPCG(5, 3)), 30, []string{"a"}, func(run int, r *results.Record) {
		if run >= 27 {
			scaled(r, "time_total", 1.5)
		}
	})
	if steps := historyOf(t, runs, 0.01)["a time_total"].Steps; len(steps) != 1 || steps[0].At != 27 {
		t.Errorf("%+v", steps)
	}
}

// TestHistoryFalseAlarms: of 300 histories without change, in four series of times
// each, at most 5 % have one at that level. More than 28 at exactly 5 % have
// probability 1e-3.
func TestHistoryFalseAlarms(t *testing.T) {
	alarms := 0
	rng := rand.New(rand.NewPCG(7, 3))
	for range 300 {
		for _, s := range historyOf(t, nightly(rng, 15, []string{"a", "b", "c", "d"}, nil), 0.05) {
			if len(s.Steps) > 0 {
				alarms++
				break
			}
		}
	}
	t.Logf("%.1f %%", float64(alarms)/3)
	if alarms > 28 {
		t.Errorf("%d of 300 histories without change have one", alarms)
	}
}

// TestHistoryOfOtherSeedsAndMachines: runs with seeds of their own are tested, not
// held to a tolerance; times of two machines have a series each; a changed version
// is said to be one; cells that not all runs have do not count.
func TestHistoryOfOtherSeedsAndMachines(t *testing.T) {
	runs := nightly(rand.New(rand.NewPCG(9, 3)), 16, []string{"a"}, nil)
	for i := range runs {
		if i%2 == 1 {
			runs[i].Manifest.Machine.CPU = "other"
		}
	}
	if all := historyOf(t, runs, 0.01); len(all) != 3 || len(all["a time_total"].Runs) != 8 || len(all["a error"].Runs) != 16 {
		t.Errorf("two machines: %v", all)
	}
	upgrade := slices.Clone(runs)
	for i := 8; i < len(upgrade); i++ {
		upgrade[i] = changed(upgrade[i], func(r *results.Record) { r.Version = "2"; *r = rekeyed(*r); scaled(r, "error", 0.9) })
	}
	steps := historyOf(t, upgrade, 0.01)["a error"].Steps
	if len(steps) != 1 || steps[0].At != 8 || steps[0].Worse || steps[0].Why[:9] != "the spec," {
		t.Errorf("another version: %+v", steps)
	}
	upgrade[3].Records = slices.DeleteFunc(slices.Clone(upgrade[3].Records), func(r results.Record) bool { return r.N == 400 })
	if s := historyOf(t, upgrade, 0.01)["a error"]; s.Records != 4 || len(s.Steps) != 1 {
		t.Errorf("a cell that one run lacks: %d records, %+v", s.Records, s.Steps)
	}
	for i := range runs {
		runs[i] = changed(reseeded(runs[i], uint64(i)), func(r *results.Record) { scaled(r, "error", 1+0.001*float64(i%5)) })
	}
	if s := historyOf(t, runs, 0.01)["a error"]; s.Exact || len(s.Steps) > 0 {
		t.Errorf("other seeds: exact %v, %+v", s.Exact, s.Steps)
	}
}

// TestHistoryOfFailures: a repeat that fails in one run, or that one run does not
// have, is pooled in none and is no change; a value of 0 in one run does not turn
// the others' geometric means into arithmetic ones.
func TestHistoryOfFailures(t *testing.T) {
	runs := nightly(rand.New(rand.NewPCG(11, 3)), 4, []string{"a"}, nil)
	runs[2] = changed(runs[2], func(r *results.Record) {
		if r.Repeat == 1 {
			r.Status, r.Metrics = results.Failed, results.Metrics{}
		}
	})
	runs[3].Records = slices.DeleteFunc(slices.Clone(runs[3].Records), func(r results.Record) bool { return r.Repeat == 1 && r.N == 100 })
	if s := historyOf(t, runs, 0.01)["a error"]; s.Records != 3 || len(s.Steps) > 0 {
		t.Errorf("failures: %d records, %+v", s.Records, s.Steps)
	}
	runs = nightly(rand.New(rand.NewPCG(11, 3)), 2, []string{"a"}, nil)
	runs[1] = changed(runs[1], func(r *results.Record) {
		if r.N == 400 {
			scaled(r, "error", 0)
		}
	})
	if s := historyOf(t, runs, 0.01)["a error"]; len(s.Steps) != 1 || s.Steps[0].Worse || !(s.Values[1] < s.Values[0]) {
		t.Errorf("an error of 0: %v, %+v", s.Values, s.Steps)
	}
	runs = nightly(rand.New(rand.NewPCG(11, 3)), 2, []string{"a"}, nil)
	runs[1] = changed(runs[1], func(r *results.Record) { scaled(r, "error", 1+1e-8) })
	if steps := historyOf(t, runs, 0.01)["a error"].Steps; len(steps) != 1 {
		t.Errorf("rounding on one machine: %+v", steps)
	}
	runs[1].Manifest.Machine.CPU = "other"
	if steps := historyOf(t, runs, 0.01)["a error"].Steps; len(steps) > 0 {
		t.Errorf("rounding elsewhere: %+v", steps)
	}
}
