package methods

import (
	"math"
	"strings"
	"testing"
)

// TestTheoremD3 holds the rates to values worked out by hand from Theorem D.3:
// k = 2, gap = 1/2, Λ = 4/5 and δ = 1/2 give T_0 = 4·2·0.8/(0.25·0.25) = 102.4 and
// T_1 = 0.8/0.25 = 3.2.
func TestTheoremD3(t *testing.T) {
	o := RateOptions{Schedule: theoremD3, C: 1, K: 2, Gap: 0.5, Lambda: 0.8, Delta: 0.5}
	if err := o.check(); err != nil {
		t.Fatal(err)
	}
	for step, want := range map[int]float64{
		1: 0.01953125, 102: 0.01953125, // 1/(0.5·102.4)
		103: 0.625, 105: 0.625, // 1/(0.5·3.2)
		106: 1 / 1.8, 202: 1 / 49.8, // 1/(0.5·(t − 102.4))
	} {
		if got := o.rate(step); math.Abs(got-want) > 1e-12*want {
			t.Errorf("step %d: rate %v, want %v", step, got, want)
		}
		o.C = 3
		if got := o.rate(step); math.Abs(got-3*want) > 1e-12*want {
			t.Errorf("step %d: rate %v with c = 3, want %v", step, got, 3*want)
		}
		o.C = 1
	}
}

// TestRateOptions: parameters that are missing, out of a theorem's range or of
// another schedule are refused.
func TestRateOptions(t *testing.T) {
	theorem := RateOptions{Schedule: theoremD3, C: 1, K: 2, Gap: 0.5, Lambda: 0.8, Delta: 0.5}
	for _, tt := range []struct {
		change func(o *RateOptions)
		says   string
	}{
		{func(o *RateOptions) {}, ""},
		{func(o *RateOptions) { o.Gap = 0.6 }, "a gap in (0, 1/k] = (0, 0.5], not 0.6"},
		{func(o *RateOptions) { o.Gap = 0 }, "a gap in (0, 1/k]"},
		{func(o *RateOptions) { o.Lambda = 1.5 }, "lambda in (0, 1], not 1.5"},
		{func(o *RateOptions) { o.Delta = 1 }, "delta in (0, 1), not 1"},
		{func(o *RateOptions) { o.K = 0 }, "needs components"},
		{func(o *RateOptions) { o.C = 0 }, "needs c above 0"},
		{func(o *RateOptions) { o.Schedule = adaOja }, "components, gap, lambda and delta belong to schedule theorem-d3"},
		{func(o *RateOptions) { *o = RateOptions{Schedule: adaOja} }, ""},
		{func(o *RateOptions) { *o = RateOptions{Schedule: adaOja, C: 1} }, "c, components"},
		{func(o *RateOptions) { o.Schedule = "1/t" }, "must be theorem-d3 or adaoja"},
	} {
		o := theorem
		tt.change(&o)
		switch err := o.check(); {
		case tt.says == "" && err != nil:
			t.Errorf("%+v: %v", o, err)
		case tt.says != "" && (err == nil || !strings.Contains(err.Error(), tt.says)):
			t.Errorf("%+v: error %v, want one that says %q", o, err, tt.says)
		}
	}
}
