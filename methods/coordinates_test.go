package methods_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
	"mercer/methods"
)

// coordinates are those of a model that no program evaluates.
func coordinates(t *testing.T, m methods.Model, x *mat.Dense, most int) *mat.Dense {
	t.Helper()
	z, err := methods.Coordinates(context.Background(), m, x, most)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

// TestCoordinates holds the scores of kernel PCA against the eigenvectors of the
// centred Gram matrix, √μ_i·v_i up to their signs, by gonum's dense solver. What
// rounding leaves of components with μ_2/μ_1 above 0.1 is far below 1e-9.
func TestCoordinates(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	const n, d = 40, 3
	x := mat.NewDense(n, d, nil)
	x.Apply(func(int, int, float64) float64 { return rng.NormFloat64() }, x)
	k := kernel.NewGaussian(1)
	fit := func(o methods.Options, s methods.Sizes) methods.Model {
		method, err := o.Method()
		if err != nil {
			t.Fatal(err)
		}
		m, err := method.Fit(t.Context(), methods.Sample{X: x, Kernel: k, Sizes: s}, rand.New(rand.NewPCG(1, 1)))
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	gram := kernel.Gram(k, x)
	centred := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			row, column, all := 0.0, 0.0, 0.0
			for a := range n {
				row += gram.At(i, a) / n
				column += gram.At(a, j) / n
				for b := range n {
					all += gram.At(a, b) / (n * n)
				}
			}
			centred.SetSym(i, j, gram.At(i, j)-row-column+all)
		}
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(centred, true) {
		t.Fatal("no eigenvectors")
	}
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	z := coordinates(t, fit(&methods.EKPCAOptions{Center: "v"}, methods.Sizes{N: n, Ell: 5}), x, 2)
	if rows, columns := z.Dims(); rows != n || columns != 2 {
		t.Fatalf("%d×%d coordinates", rows, columns)
	}
	for c := range 2 {
		root := math.Sqrt(eigen.Values(nil)[n-1-c])
		sign := math.Copysign(1, z.At(0, c)*vectors.At(0, n-1-c))
		for i := range n {
			if want := sign * root * vectors.At(i, n-1-c); math.Abs(z.At(i, c)-want) > 1e-9 {
				t.Fatalf("score %d of point %d is %g, want %g", c, i, z.At(i, c), want)
			}
		}
	}

	one := coordinates(t, fit(&methods.EKPCAOptions{Center: "v"}, methods.Sizes{N: n, Ell: 1}), x, 2)
	if _, columns := one.Dims(); columns != 1 {
		t.Errorf("%d coordinates of one component", columns)
	}
	// Clusters of the points as they are lie among the points; those of a Gram
	// matrix have no coordinates.
	input := coordinates(t, fit(methods.Registry["kmeans"].New(), methods.Sizes{N: n, K: 2}), x, 2)
	if !mat.Equal(input, x.Slice(0, n, 0, 2)) {
		t.Error("k-means in input space moves the points")
	}
	if z := coordinates(t, fit(methods.Registry["kernel-kmeans"].New(), methods.Sizes{N: n, K: 2}), x, 2); z != nil {
		t.Error("clusters of a Gram matrix have coordinates")
	}
	if z := coordinates(t, &methods.Exact{}, x, 2); z != nil {
		t.Error("the population's eigenspace has coordinates")
	}
	sketch := fit(methods.Registry["kjl"].New(), methods.Sizes{N: n, M: 20, D: 3}).(*methods.Embedding)
	if all := sketch.Eval(x); !mat.Equal(coordinates(t, sketch, x, 2), all.Slice(0, n, 0, 2)) {
		t.Error("an embedding's coordinates are not its first ones")
	}
}
