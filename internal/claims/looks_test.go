package claims

import (
	"math"
	"testing"

	"mercer/configs"
	"mercer/results"
)

// The looks of a run that goes on until its verdicts are decided are planned ones: 1/2 and
// 1/6 of the rates. What is violated at a look stands over the claims of all looks.
func TestJudgeLooks(t *testing.T) {
	z := scores(16)
	run := fake([]string{"a"}, []string{"n"}, along("n", 100), 16, func(_ string, _ map[string]float64, repeat int) map[string]float64 {
		return map[string]float64{"x": 10 + z[repeat], "y": float64(1 - 2*(repeat%2))}
	})
	claim := func(id, of string) configs.Claim {
		return configs.Claim{ID: id, Value: &configs.ValueClaim{Of: configs.Quantity{Text: of}, AtMost: num("0")}}
	}
	verdicts, err := JudgeLooks([]configs.Claim{claim("far", "x"), claim("edge", "y")}, run, Context{}, []int{8, 16})
	if err != nil || len(verdicts) != 2 {
		t.Fatalf("%d verdicts, %v", len(verdicts), err)
	}
	far, edge := verdicts[0], verdicts[1]
	wants(t, far, Violated)
	wants(t, edge, Inconclusive)
	if far.Repeats != 8 || math.Abs(far.Level-0.975) > 1e-12 || !far.Stands {
		t.Errorf("far: %d repeats, level %g, stands %v", far.Repeats, far.Level, far.Stands)
	}
	if edge.Repeats != 16 || math.Abs(edge.Level-(1-0.05/6)) > 1e-12 {
		t.Errorf("edge: %d repeats, level %g", edge.Repeats, edge.Level)
	}
}

// Planned looks share what looks before them have left: after one that nobody had planned a
// tenth, of which the first has half. A look after a plan of three has half of a quarter.
func TestLooksShareWhatIsLeft(t *testing.T) {
	plan := []results.PlannedLooks{{At: []int{8, 16, 20}}}
	for _, tt := range []struct {
		name    string
		m       results.Manifest
		planned int
		want    float64
	}{
		{"first", results.Manifest{}, 0, 0.9},
		{"second", results.Manifest{Looks: []int{5}}, 0, 0.05},
		{"the same again", results.Manifest{Looks: []int{5, 3, 7}}, 0, 0.05},
		{"planned", results.Manifest{FirstLook: 8, Plans: plan}, 2, 1.0 / 6},
		{"planned after one that was not", results.Manifest{Looks: []int{5}, FirstLook: 8, Plans: []results.PlannedLooks{{After: 1, At: []int{8, 16}}}}, 1, 0.05},
		{"planned by an earlier version", results.Manifest{Looks: []int{5}, FirstLook: 8}, 1, 0.05},
		{"planned after another plan", results.Manifest{FirstLook: 4, Plans: append(plan, plan...)}, 1, 0.125},
		{"after a plan", results.Manifest{Plans: plan}, 0, 0.125},
	} {
		run := results.Run{Manifest: tt.m, Rows: []results.Row{{Repeat: 0}, {Repeat: 1}, {Repeat: 2}}}
		if got := lookAt(run, tt.planned).Share(); math.Abs(got-tt.want) > 1e-12 {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

// An incomplete run decides nothing, but for what one record violates by itself.
func TestIncompleteRunIsNoLook(t *testing.T) {
	z := scores(8)
	run := fake([]string{"a"}, []string{"n"}, along("n", 100), 8, func(_ string, _ map[string]float64, repeat int) map[string]float64 {
		return map[string]float64{"x": 10 + z[repeat]}
	})
	claim := func(id string, each bool) configs.Claim {
		return configs.Claim{ID: id, Value: &configs.ValueClaim{Of: configs.Quantity{Text: "x"}, AtMost: num("0"), Each: each}}
	}
	list := []configs.Claim{claim("mean", false), claim("each", true)}
	for missing, want := range map[int][]Outcome{0: {Violated, Violated}, 8: {Inconclusive, Violated}} {
		run.Manifest.IDs = make([]string, len(run.Rows)+missing)
		verdicts, err := Judge(list, run, Context{})
		if err != nil || verdicts[0].Outcome != want[0] || verdicts[1].Outcome != want[1] || verdicts[0].Stands != (missing == 0) {
			t.Errorf("%d records missing: %s and %s, %v; want %v", missing, verdicts[0].Outcome, verdicts[1].Outcome, err, want)
		}
	}
}
