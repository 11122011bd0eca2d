package claims

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"mercer/configs"
	"mercer/internal/sizes"
	"mercer/results"
)

// num is a target as a spec would write it.
func num(text string) *configs.Value { return &configs.Value{Text: text} }

func stream(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 2025)) }

// measured gives the metrics of one record.
type measured func(method string, point map[string]float64, repeat int) map[string]float64

// fake is a complete run of the given methods and points under a law.
func fake(methods []string, variables []string, points []map[string]float64, repeats int, f measured) results.Run {
	run := results.Run{Manifest: results.Manifest{
		Source: "a source", Variables: variables, Repeats: repeats,
		Datasets: map[string]results.DatasetInfo{"poly2": {Constants: map[string]float64{"alpha": 2}}},
	}}
	for _, method := range methods {
		for _, p := range points {
			for repeat := range repeats {
				r := results.Record{
					Schema: results.SchemaVersion, Key: fmt.Sprint(method, p, repeat), Dataset: "poly2", Method: method,
					Sizes: sizes.Sizes{N: int(p["n"]), M: int(p["m"]), Ell: int(p["ell"])}, Point: p, Repeat: repeat, Status: results.OK,
				}
				values := map[string]results.Metric{}
				for name, v := range f(method, p, repeat) {
					values[name] = results.Metric{Value: v}
				}
				r.Metrics = results.NewMetrics(values)
				run.Records = append(run.Records, r)
			}
		}
	}
	return run
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
