package claims

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"mercer/configs"
	"mercer/results"
)

// num is a target as a spec would write it.
func num(text string) *configs.Value { return &configs.Value{Text: text} }

func stream(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 2025)) }

// measured gives the metrics of one row.
type measured func(method string, point map[string]float64, repeat int) map[string]float64

// fake is a complete run of the given methods and points under a law. Its methods use all
// variables of a point.
func fake(methods []string, variables []string, points []map[string]float64, repeats int, f measured) results.Run {
	run := results.Run{
		Spec:     &configs.Spec{Source: "a source"},
		Manifest: results.Manifest{Repeats: repeats},
		Catalog: results.Catalog{
			Columns:     []results.Column{{Name: "dataset"}, {Name: "kernel"}, {Name: "method"}},
			Metrics:     map[string]results.MetricInfo{},
			Populations: map[string]results.Population{"poly2": {Dataset: "poly2", Constants: map[string]float64{"alpha": 2}}},
		},
	}
	for _, p := range points {
		for _, name := range slices.Sorted(maps.Keys(p)) {
			if !slices.Contains(variables, name) {
				variables = append(variables, name)
			}
		}
	}
	for _, name := range variables {
		run.Catalog.Columns = append(run.Catalog.Columns, results.Column{Name: name, Free: true})
	}
	for _, method := range methods {
		for _, p := range points {
			for repeat := range repeats {
				r := results.Row{Schema: results.SchemaVersion, Population: "poly2", Repeat: repeat, Status: results.OK, Metrics: f(method, p, repeat)}
				for name := range r.Metrics.All() {
					run.Catalog.Metrics[name] = results.MetricInfo{}
				}
				r.At = at("dataset", configs.TextOf("poly2")).With("method", configs.TextOf(method))
				for _, name := range variables {
					if x, has := p[name]; has {
						r.At = r.At.With(name, configs.NumberOf(x))
					}
				}
				r.ID = fmt.Sprint(r.At, repeat)
				run.Rows = append(run.Rows, r)
			}
		}
	}
	return run
}

// number is a row's number in a column; 0 for none.
func number(r results.Row, column string) float64 {
	x, _ := r.At.Number(column)
	return x
}

// set puts a number into a column of every row.
func set(run *results.Run, column string, of func(results.Row) float64) {
	for i, r := range run.Rows {
		run.Rows[i].At = r.At.With(column, configs.NumberOf(of(r)))
	}
	if !slices.ContainsFunc(run.Catalog.Columns, func(c results.Column) bool { return c.Name == column }) {
		run.Catalog.Columns = append(run.Catalog.Columns, results.Column{Name: column, Free: true})
	}
}

// along lists points that differ in one variable.
func along(name string, values ...float64) []map[string]float64 {
	var points []map[string]float64
	for _, v := range values {
		points = append(points, map[string]float64{name: v})
	}
	return points
}

// one judges one claim and wants one verdict.
func one(t *testing.T, c configs.Claim, run results.Run) Verdict {
	t.Helper()
	verdicts, err := Judge([]configs.Claim{c}, run, Context{})
	if err != nil {
		t.Fatal(err)
	}
	if len(verdicts) != 1 {
		t.Fatalf("%d verdicts, want 1: %+v", len(verdicts), verdicts)
	}
	return verdicts[0]
}

// rates counts outcomes of a simulation.
func rates(trials int, trial func(rng *rand.Rand) Outcome, rng *rand.Rand) map[Outcome]float64 {
	out := map[Outcome]float64{}
	for range trials {
		out[trial(rng)]++
	}
	for o := range out {
		out[o] /= float64(trials)
	}
	return out
}
