package vector_test

import (
	"fmt"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/blas/gonum"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/linalg/vector"
)

// All of gonum/mat runs on the package once it is registered.
func ExampleImplementation() {
	blas64.Use(vector.Implementation{})
	defer blas64.Use(gonum.Implementation{})
	a := mat.NewDense(2, 3, []float64{1, 2, 3, 4, 5, 6})
	var gram mat.Dense
	gram.Mul(a, a.T())
	fmt.Println(mat.Formatted(&gram))
	// Output:
	// ⎡14  32⎤
	// ⎣32  77⎦
}

// A Gaussian kernel from squared distances, in place.
func ExampleExpScaled() {
	k := []float64{0, 1, 4}
	vector.ExpScaled(k, k, -0.5)
	fmt.Printf("%.4f\n", k)
	// Output: [1.0000 0.6065 0.1353]
}
