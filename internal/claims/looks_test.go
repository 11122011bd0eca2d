package claims

import (
	"math"
	"testing"

	"mercer/configs"
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
