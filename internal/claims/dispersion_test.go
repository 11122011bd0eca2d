package claims

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat"

	"mercer/configs"
	"mercer/internal/inference"
	"mercer/results"
)

// Pseudo-values by their definition, from standard deviations without each value in
// turn. 1e-9: of numbers of which one is far from the others, the rest's spread is found
// by a difference.
func TestLogSpreads(t *testing.T) {
	for _, values := range [][]float64{
		{1, 2, 4, 8, 16}, {-3, 0.1, 0.2, 0.1, 5, 7, 1e3}, {1e-200, 3e-200, 2e-200, 5e-200, 1e-200},
		{1e200, 3e200, -2e200, 5e200, 1e200}, {1e6, 1, 2, 3, 4, 5},
	} {
		n := float64(len(values))
		unit := 1.0 // squares of the numbers as they are overflow
		if a := math.Abs(values[0]); a > 1e100 || a < 1e-100 {
			unit = a
		}
		logSD := func(skip int) float64 {
			var kept []float64
			for i, v := range values {
				if i != skip {
					kept = append(kept, v/unit)
				}
			}
			return math.Log(stat.StdDev(kept, nil)) + math.Log(unit)
		}
		for i, got := range inference.LogSpreads(values) {
			if want := n*logSD(-1) - (n-1)*logSD(i); !(math.Abs(got-want) <= 1e-9*(1+math.Abs(want))) {
				t.Errorf("%v: pseudo-value %d is %v, want %v", values, i, got, want)
			}
		}
	}
}

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
		{"holds, of negative numbers", configs.Ratio{AtMost: num("1.5")}, spreadRun(20, alike), Holds, []string{"all 2 cells", "ratio of standard deviations 1."}},
		{"violated", configs.Ratio{AtMost: num("1.5")}, spreadRun(20, wide), Violated, []string{"contradicts <= 1.5"}},
		{"at least", configs.Ratio{AtLeast: num("1.5")}, spreadRun(20, wide), Holds, nil},
		{"on the edge", configs.Ratio{AtMost: num("1")}, spreadRun(20, alike), Inconclusive, []string{"lies above 1, but not beyond doubt"}},
		{"too few repeats", configs.Ratio{AtMost: num("1.5")}, spreadRun(4, alike), Inconclusive, []string{"4 repeats", "at least 5 repeats"}},
		{"no spread", configs.Ratio{AtMost: num("1.5")}, spreadRun(20, still), Inconclusive, []string{"no spread that could be compared"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := ratioClaim(tt.claim)
			wants(t, one(t, configs.Claim{ID: "d", Dispersion: &configs.Dispersion{Ratio: *c.Ratio}}, tt.run), tt.want, tt.words...)
		})
	}
}
