package methods_test

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
	"mercer/methods"
)

// TestFewPointsAreTheSamePointsOften: an estimate from 30 points is that from the same
// points five times over, which are more than the 80 coordinates: one is found by a 30×30
// matrix, the other by an 80×80 one. So is an estimate from points that count for several.
// 1e-9: the tenth eigenvalue is 1e-4 of the first, and rounding of the larger matrix is
// divided by the gaps.
func TestFewPointsAreTheSamePointsOften(t *testing.T) {
	const n, m, ell, times = 30, 40, 10, 5
	few := regressionProblem(n, m)
	few.Sizes.Ell = ell
	often := few
	often.X, often.Responses, often.Sizes.N = new(mat.Dense), new(mat.Dense), n*times
	counted := few
	counted.Sizes.N = n * times
	for i := range times {
		if i == 0 {
			often.X.CloneFrom(few.X)
			often.Responses.CloneFrom(few.Responses)
		} else {
			var longer, more mat.Dense
			longer.Stack(often.X, few.X)
			more.Stack(often.Responses, few.Responses)
			often.X, often.Responses = &longer, &more
		}
	}
	for range n {
		counted.Counts = append(counted.Counts, times)
	}
	for name, o := range map[string]methods.Options{
		"rff, center v":    &methods.RFFOptions{Features: "fourier", Center: "v"},
		"rff, center none": &methods.RFFOptions{Features: "fourier", Center: "none"},
		"rff-krr":          &methods.RFFKRROptions{Features: "fourier", RidgeOptions: methods.RidgeOptions{Ridge: 0.1}},
	} {
		want := functionsOf(t, o, often)
		for how, p := range map[string]methods.Sample{"few": few, "counted": counted} {
			got := functionsOf(t, o, p)
			if off := floats.Distance(got, want, math.Inf(1)); !(off <= 1e-9) {
				t.Errorf("%s, %s: values are off by %.2g", name, how, off)
			}
		}
	}
}

// functionsOf are the values at 9 points of the functions that a method finds, squared
// where their signs are arbitrary, with what else the model says of them.
func functionsOf(t *testing.T, o methods.Options, p methods.Sample) []float64 {
	t.Helper()
	method, err := o.Method()
	if err != nil {
		t.Fatal(err)
	}
	model, err := method.Fit(context.Background(), p, newRand(7))
	if err != nil {
		t.Fatal(err)
	}
	x := uniformPoints(3, 9, 2)
	switch m := model.(type) {
	case *methods.FeatureSubspace:
		y := m.Eval(x)
		y.MulElem(y, y)
		for _, center := range m.Center {
			m.Values = append(m.Values, math.Abs(center))
		}
		return append(m.Values, y.RawMatrix().Data...)
	case *methods.Regression:
		return mat.Col(nil, 0, m.Eval(x))
	}
	t.Fatalf("a model of type %T", model)
	return nil
}

// TestFewPointsCostTheirSquare: the forecast of 12 points with 40,000 coordinates is
// megabytes, where the moment of these would take 12.8 GB; it does not move for n ≥ p.
func TestFewPointsCostTheirSquare(t *testing.T) {
	for name, o := range map[string]methods.Options{
		"rff":     &methods.RFFOptions{Features: "fourier", Center: "u"},
		"rff-krr": &methods.RFFKRROptions{Features: "fourier", RidgeOptions: methods.RidgeOptions{Ridge: 0.1}},
	} {
		method, err := o.Method()
		if err != nil {
			t.Fatal(err)
		}
		k, sizes := kernel.NewGaussian(1), methods.Sizes{N: 12, M: 20_000, Ell: 2}
		if err := method.Check(k, sizes); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if c := method.Cost(k, sizes, 3); c.Bytes > 40e6 || c.Flops > 1e9 {
			t.Errorf("%s: %.3g bytes and %.3g flops", name, c.Bytes, c.Flops)
		}
	}
}
