package claims

import (
	"testing"

	"mercer/configs"
	"mercer/results"
)

// spreadRun has metric x: a level and a deviation that all methods of a repeat share,
// which each method magnifies by its factor.
func spreadRun(repeats int, factor map[string]float64) results.Run {
	return fake([]string{"a", "b"}, []string{"n"}, along("n", 100, 200), repeats, func(method string, p map[string]float64, repeat int) map[string]float64 {
		shared := stream(uint64(repeat)).NormFloat64()
		own := stream(uint64(1000*repeat) + uint64(method[0]) + uint64(p["n"])).NormFloat64()
		return map[string]float64{"x": -5 + factor[method]*(shared+0.1*own)}
	})
}

func TestDispersionOutcomes(t *testing.T) {
	wide, alike, still := map[string]float64{"a": 2, "b": 1}, map[string]float64{"a": 1, "b": 1}, map[string]float64{"a": 0, "b": 1}
	for _, tt := range []struct {
		name  string
		claim configs.Ratio
		run   results.Run
		want  Outcome
		words []string
	}{
		{"holds, of negative numbers", configs.Ratio{AtMost: num("1.5")}, spreadRun(80, alike), Holds, []string{"all 2 cells", "ratio of standard deviations 1."}},
		{"violated", configs.Ratio{AtMost: num("1.5")}, spreadRun(80, wide), Violated, []string{"contradicts <= 1.5"}},
		{"at least", configs.Ratio{AtLeast: num("1.5")}, spreadRun(80, wide), Holds, nil},
		{"on the edge", configs.Ratio{AtMost: num("1")}, spreadRun(20, alike), Inconclusive, []string{"neither lies at or below 1 nor contradicts it"}},
		{"too few repeats", configs.Ratio{AtMost: num("1.5")}, spreadRun(4, alike), Inconclusive, []string{"4 repeats", "at least 5 repeats"}},
		{"no spread", configs.Ratio{AtMost: num("1.5")}, spreadRun(20, still), Inconclusive, []string{"no spread that could be compared"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := ratioClaim(tt.claim)
			wants(t, one(t, configs.Claim{ID: "d", Dispersion: &configs.Dispersion{Ratio: *c.Ratio}}, tt.run), tt.want, tt.words...)
		})
	}
}
