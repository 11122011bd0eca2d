package claims

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"
)

// TestExtrapolate compares the interval with one from regressions through every choice of ends: the
// largest slope of these 8, and the slope of the middles, whose mean is the slope of the upper line. The
// answers go down in n, which must not matter.
func TestExtrapolate(t *testing.T) {
	answers := answered("least", [2]float64{10, 14}, [2]float64{100, 110}, [2]float64{800, 1100})
	for i := range answers {
		answers[i].Group, answers[i].Tested = answers[0].Group, 5
	}
	slope := func(end ...float64) float64 {
		_, slope := stat.LinearRegression([]float64{math.Log(1e2), math.Log(1e4), math.Log(1e6)}, end, nil, false)
		return slope
	}
	middles, largest := []float64(nil), math.Inf(-1)
	for _, a := range answers {
		middles = append(middles, (math.Log(*a.Fails)+math.Log(*a.Holds))/2)
	}
	for ends := range 8 {
		var chosen []float64
		for i, a := range answers {
			chosen = append(chosen, math.Log([]float64{*a.Fails, *a.Holds}[ends>>i&1]))
		}
		largest = max(largest, slope(chosen...))
	}
	want := math.Ceil(1100 * math.Pow(4, (slope(middles...)+largest)/2))
	slices.Reverse(answers)
	a, err := Extrapolate(answers, 4e6)
	if err != nil {
		t.Fatal(err)
	}
	if *a.Fails != 800 || *a.Holds != want || a.At != 4e6 || a.Factor != 4 || a.Target != "least" || a.Find != "m" || a.Tested != 0 || a.Wrong != ExtrapolationError {
		t.Errorf("%+v: %s; want 800 < m <= %g", a, a.Interval(), want)
	}
	if answers[0].At != 1e6 || *answers[0].Holds != 1100 || answers[0].Factor != 0 {
		t.Errorf("the answers changed: %+v", answers[0])
	}
}

// TestExtrapolateLaws: whatever the ladder of m, the interval contains the least m of power laws and of those
// that level off, for the last Fails lies below them, and a line through the middles that goes on from
// the last Holds is off by less than its slope may be: all 3 answers are rounded to the same ladder.
func TestExtrapolateLaws(t *testing.T) {
	for _, law := range []func(n float64) float64{
		func(float64) float64 { return 40 },
		func(n float64) float64 { return math.Sqrt(n) },
		func(n float64) float64 { return n / 3 },
		func(n float64) float64 { return 90 * n / (n + 900) },
		func(n float64) float64 { return math.Pow(math.Log(n), 2) },
	} {
		for offset := 1.0; offset < math.Sqrt2; offset += 0.01 {
			rung := func(n float64) [2]float64 { // the answer of a ladder of factor 2^(1/4), one value of which is undecided
				step := math.Floor(4 * math.Log2(law(n)/offset))
				return [2]float64{offset * math.Exp2((step-0.5)/4), offset * math.Exp2((step+1.5)/4)}
			}
			answers := answered("least", rung(1000), rung(2000), rung(4000))
			for i := range answers {
				answers[i].At = 1000 * math.Exp2(float64(i))
			}
			for _, at := range []float64{8000, 16000, 32000} {
				a, err := Extrapolate(answers, at)
				if err != nil {
					continue // too wide
				}
				if m := law(at); m <= *a.Fails || m > *a.Holds {
					t.Errorf("at %g the least m is %g, not %s", at, m, a.Interval())
				}
			}
		}
	}
}

func TestExtrapolateRefuses(t *testing.T) {
	root := answered("least", [2]float64{10, 11}, [2]float64{100, 110}, [2]float64{1000, 1100})
	near := answered("least", [2]float64{10, 11}, [2]float64{10, 12}, [2]float64{11, 13})
	for i := range near {
		near[i].At = 1000 + float64(i)
	}
	tests := map[string]struct {
		answers []Answer
		at      float64
		says    string
	}{
		"few":        {root[:2], 1e7, "2 answers cannot"},
		"not beyond": {root, 1e6, "n = 1000000 was searched"},
		"inside":     {root, 1e5, "n = 1000000 was searched"},
		"far":        {root, 33e6, "more than 32 times 1000000"},
		"no number":  {root, math.NaN(), "NaN"},
		"no holds":   {answered("least", [2]float64{10, 11}, [2]float64{100, 110}, [2]float64{4000, 0}), 1e7, "lacks an end"},
		"no fails":   {answered("least", [2]float64{0, 4}, [2]float64{100, 110}, [2]float64{1000, 1100}), 1e7, "lacks an end"},
		"falls":      {answered("least", [2]float64{100, 110}, [2]float64{90, 100}, [2]float64{50, 60}), 1e7, "fall"},
		"bends up":   {answered("least", [2]float64{10, 11}, [2]float64{20, 22}, [2]float64{400, 440}), 1e7, "faster and faster"},
		"wide":       {answered("least", [2]float64{10, 110}, [2]float64{100, 1100}, [2]float64{1000, 11000}), 2e6, "all that is known"},
		"near":       {near, 4000, "all that is known"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if a, err := Extrapolate(test.answers, test.at); err == nil || !strings.Contains(err.Error(), test.says) {
				t.Errorf("%s, %v; want an error that says %q", a.Interval(), err, test.says)
			}
		})
	}
}

// TestExtrapolateOpen: what an unfinished search has found counts as that of one that has ended.
func TestExtrapolateOpen(t *testing.T) {
	root := answered("least", [2]float64{10, 11}, [2]float64{100, 110}, [2]float64{1000, 1100})
	want, err := Extrapolate(root, 1e7)
	if err != nil {
		t.Fatal(err)
	}
	for i := range root {
		open := slices.Clone(root)
		open[i].Open = true
		if got, err := Extrapolate(open, 1e7); err != nil || got.Open || got.Interval() != want.Interval() || !open[i].Open {
			t.Errorf("%s, %v; want %s", got.Interval(), err, want.Interval())
		}
	}
}
