package claims

import (
	"math"
	"strings"
	"testing"

	"mercer/configs"
)

// answered are answers to a target at n = 100, 10,000 and 10^6; an end of 0 was not found.
func answered(target string, ends ...[2]float64) []Answer {
	var answers []Answer
	for i, end := range ends {
		a := Answer{
			Target: target, Group: at("dataset", configs.TextOf("poly2")), Over: "n", At: math.Pow(100, float64(i+1)), Find: "m",
			Least: 4, Most: 4000,
		}
		if end[0] > 0 {
			a.Fails = &end[0]
		}
		if end[1] > 0 {
			a.Holds = &end[1]
		}
		answers = append(answers, a)
	}
	return answers
}

// TestOnAnswers: of sqrt(n) to 1.1 sqrt(n) the slope is 1/2, up to the 0.021 that three ends
// which are 10 % apart allow over 4 decades: log(1.1)/log(10^4) = 0.0103 each way.
func TestOnAnswers(t *testing.T) {
	root := answered("least", [2]float64{10, 11}, [2]float64{100, 110}, [2]float64{1000, 1100})
	open := answered("least", [2]float64{10, 11}, [2]float64{100, 110}, [2]float64{4000, 0})
	smallest := answered("least", [2]float64{0, 4}, [2]float64{100, 110}, [2]float64{1000, 1100})
	double := answered("double", [2]float64{20, 22}, [2]float64{200, 220}, [2]float64{2000, 2200})
	slope := func(s configs.Slope) configs.Claim {
		s.Of, s.Over = configs.NewQuantity("least"), configs.Word{Value: "n"}
		return configs.Claim{ID: "c", Slope: &s, OnTarget: true}
	}
	ratio := func(r configs.Ratio) configs.Claim {
		r.Of, r.To = configs.NewQuantity("double"), configs.Word{Value: "least"}
		return configs.Claim{ID: "c", Ratio: &r, OnTarget: true}
	}
	tests := map[string]struct {
		claim     configs.Claim
		answers   []Answer
		want      Outcome
		low, high float64
		says      string
	}{
		"slope":             {slope(configs.Slope{Equals: num("theta"), Within: num("0.011")}), root, Holds, 0.4897, 0.5103, "slope of the least values 0.5, interval [0.4897, 0.5103]"},
		"slope, narrow":     {slope(configs.Slope{Equals: num("theta"), Within: num("0.01")}), root, Inconclusive, 0.4897, 0.5103, "larger “to” of repeats"},
		"slope, wrong":      {slope(configs.Slope{AtLeast: num("1/alpha+0.02")}), root, Violated, 0.4897, 0.5103, "contradicts >= 0.52"},
		"slope, no end":     {slope(configs.Slope{Equals: num("0.7"), Within: num("0.1")}), open, Inconclusive, 0.6402, math.Inf(1), "larger “to” of repeats"},
		"slope, end unused": {slope(configs.Slope{AtLeast: num("0.6")}), open, Holds, 0.6402, math.Inf(1), ""},
		"slope, no start":   {slope(configs.Slope{AtMost: num("0.6")}), smallest, Inconclusive, math.NaN(), math.Inf(1), "least values without an end on one side give no slope"},
		"slope, two":        {slope(configs.Slope{AtMost: num("0.6")}), root[:2], Inconclusive, math.NaN(), math.NaN(), "a power law needs 3 answers and has 2"},
		"ratio":             {ratio(configs.Ratio{AtLeast: num("1.8")}), append(double, root...), Holds, 1.8182, 2.2, ""},
		"ratio, wrong":      {ratio(configs.Ratio{AtMost: num("1.8")}), append(double, root...), Violated, 1.8182, 2.2, "contradicts <= 1.8"},
		"ratio, no pair":    {ratio(configs.Ratio{AtMost: num("1.8")}), double, NotApplicable, math.NaN(), math.NaN(), "no cell is left to judge"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			for i, a := range test.answers {
				test.answers[i].Fixed = a.Group.With("theta", configs.NumberOf(0.5)).With("n", configs.NumberOf(a.At))
			}
			run := fake(nil, []string{"theta", "n"}, nil, 0, nil)
			verdicts, err := Judge([]configs.Claim{test.claim}, run, Context{Answers: test.answers})
			if err != nil || len(verdicts) != 1 {
				t.Fatalf("%+v, %v; want one verdict", verdicts, err)
			}
			v := verdicts[0]
			if v.Outcome != test.want || !strings.Contains(v.Reason+" "+v.Settle, test.says) {
				t.Errorf("%s: %s; %s; want %s and %q", v.Outcome, v.Reason, v.Settle, test.want, test.says)
			}
			if v.Outcome == Violated != v.Stands || v.Open() {
				t.Errorf("%s: stands %v, open %v", v.Outcome, v.Stands, v.Open())
			}
			for _, end := range [][2]float64{{v.Low, test.low}, {v.High, test.high}} {
				if !math.IsNaN(end[1]) && !(end[0] == end[1] || math.Abs(end[0]-end[1]) < 1e-4) {
					t.Errorf("the interval is [%g, %g], want [%g, %g] to 4 digits", v.Low, v.High, test.low, test.high)
				}
			}
		})
	}
}
