package kernel

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestCoordinates compares ⟨c(x), c(y)⟩ with k(x,y), to a few roundings of κ.
func TestCoordinates(t *testing.T) {
	series, err := NewFiniteSeries([]float64{1, 0.5, 0.2, 0.05})
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	x := mat.NewDense(30, 1, nil)
	for i := range 30 {
		x.Set(i, 0, rng.Float64())
	}
	for _, k := range []Finite{series, series.Iterated(2)} {
		c := k.Coordinates(x)
		if _, p := c.Dims(); p != k.Rank() {
			t.Fatalf("%s: %d coordinates, want %d", k, p, k.Rank())
		}
		var product mat.Dense
		product.Mul(c, c.T())
		gram := Gram(k, x)
		for i := range 30 {
			for j := range 30 {
				if d := math.Abs(product.At(i, j) - gram.At(i, j)); d > 1e-14*k.(*Series).Bound() {
					t.Fatalf("%s at %d, %d: %g from coordinates, %g from the kernel", k, i, j, product.At(i, j), gram.At(i, j))
				}
			}
		}
	}
}
