package theory

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"mercer/data"
	"mercer/internal/metrics"
	"mercer/methods"
)

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 5)) }

// must is for calls whose arguments the test knows to be right.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// measured are the metrics of a model at ell.
func measured(truth metrics.Truth, model methods.Model, ell int, measures ...string) map[string]float64 {
	values, _, err := metrics.Evaluate(context.Background(), truth, model, []int{ell}, measures)
	return must(values, err)[0]
}

// opened is the population of a data set that brings its own kernel.
func opened(options data.Options) data.Population {
	dataset := must(options.Open(data.Context{}))
	draw := must(dataset.Draw(func(string) data.Source { return rand.NewPCG(1, 5) }))
	return must(draw.Population(dataset.Kernel(), 10))
}

// finite is the series population with these eigenvalues.
func finite(lambda ...float64) data.Population {
	return opened(&data.SeriesOptions{Eigenvalues: lambda})
}

// nearly fails unless got is within a relative tolerance of want.
func nearly(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance*math.Abs(want)) {
		t.Errorf("%s is %.15g, want %.15g: %.2g of it apart, tolerance %.2g", what, got, want, math.Abs(got/want-1), tolerance)
	}
}

// applied is the bound of a theorem whose conditions must hold.
func applied(t *testing.T, key string, s Setting) Bound {
	t.Helper()
	b, err := Registry[key].Bound(s)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range Failing(b.Conditions) {
		t.Fatalf("%s: %s fails", key, c)
	}
	return b
}

// failing are the conditions that fail, in words.
func failing(t *testing.T, key string, s Setting) string {
	t.Helper()
	b, err := Registry[key].Bound(s)
	if err != nil {
		t.Fatal(err)
	}
	if b.Applies() || !math.IsNaN(b.Upper) || !math.IsInf(b.Lower, -1) {
		t.Errorf("%s gives [%g, %g] where %v fails", key, b.Lower, b.Upper, Failing(b.Conditions))
	}
	return fmt.Sprint(Failing(b.Conditions))
}
