package compare

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"mercer/internal/claims"
	"mercer/internal/sizes"
	"mercer/results"
)

// standard are the thresholds of the run profiles.
var standard = Thresholds{Drift: 1e-9, Elsewhere: 1e-6, Worse: 0.005, Slower: 1.1, Confidence: 0.99}

// facts are those of the metrics of tests.
func facts(name string) Metric {
	return map[string]Metric{
		"error": {Better: Less}, "score": {Better: More, Steps: true}, "time_total": {Better: Less}, "memory": {Better: Less},
	}[name]
}

var options = Options{Thresholds: standard, Metrics: facts}

// points are the sizes n of the cells of a method of a synthetic run.
var points = []int{100, 200, 400}

// synthetic is a run of methods over sizes: value gives the metrics of a record.
func synthetic(methods []string, repeats int, value func(method string, n, repeat int) map[string]float64) Side {
	s := Side{Name: "run", Manifest: results.Manifest{
		Experiment: "exp", Profile: "smoke", Seed: 7, Repeats: repeats, Variables: []string{"n"},
		Datasets: map[string]results.DatasetInfo{"data": {Fingerprint: "f"}},
		Machine:  results.Machine{OS: "linux", Arch: "amd64", CPU: "cpu", Cores: 2},
		Versions: map[string]string{"blas": "blas 1"},
	}}
	for _, method := range methods {
		for _, n := range points {
			for repeat := range repeats {
				r := results.Record{
					Schema: results.SchemaVersion, Experiment: "exp", Dataset: "data", Kernel: "rbf", Method: method,
					Sizes: sizes.Sizes{N: n}, Point: map[string]float64{"n": float64(n)}, Repeat: repeat, Seed: 7, Status: results.OK,
					Version: "1", BLAS: "blas 1",
				}
				for name, v := range value(method, n, repeat) {
					r.Metrics.Set(name, results.Metric{Value: v, Unit: map[string]string{"time_total": "s", "memory": "B"}[name]})
				}
				s.Records = append(s.Records, rekeyed(r))
			}
		}
	}
	return s
}

// rekeyed gives a record the key that goes with its seed and version.
func rekeyed(r results.Record) results.Record {
	r.Key = fmt.Sprintf("%s-%d-%d-%d-%s", r.Method, r.N, r.Repeat, r.Seed, r.Version)
	return r
}

// changed is a copy of a side with its records changed.
func changed(s Side, change func(r *results.Record)) Side {
	s.Records = slices.Clone(s.Records)
	for i := range s.Records {
		change(&s.Records[i])
	}
	return s
}

// reseeded is a side whose records were made from another seed.
func reseeded(s Side, seed uint64) Side {
	s = changed(s, func(r *results.Record) { r.Seed = seed; *r = rekeyed(*r) })
	s.Manifest.Seed = seed
	return s
}

// upgraded is a side whose method has another version.
func upgraded(s Side, method string) Side {
	return changed(s, func(r *results.Record) {
		if r.Method == method {
			r.Version = "2"
			*r = rekeyed(*r)
		}
	})
}

func verdict(claim, method string, outcome claims.Outcome) claims.Verdict {
	return claims.Verdict{Claim: claim, Group: []claims.Coordinate{{Name: "method", Value: method}}, Outcome: outcome, Reason: "because"}
}

// remove takes a metric from a record.
func remove(r *results.Record, metric string) {
	all := maps.Collect(r.Metrics.All())
	delete(all, metric)
	r.Metrics = results.NewMetrics(all)
}

// TestMatches: a cell is the same where a method's own size became another; not where
// the grid point did.
func TestMatches(t *testing.T) {
	a := Side{Records: []results.Record{{Method: "a", Sizes: sizes.Sizes{N: 10, M: 5}, Point: map[string]float64{"n": 10}}}}
	b := changed(a, func(r *results.Record) { r.M = 7 })
	if m := matches(Pair{a, b}); len(m) != 1 || !m[0].onBoth() || m[0].cell.M != 7 {
		t.Errorf("another size: %v", m)
	}
	b = changed(a, func(r *results.Record) { r.Point = map[string]float64{"n": 11} })
	if m := matches(Pair{a, b}); len(m) != 2 {
		t.Errorf("another grid point: %v", m)
	}
}
