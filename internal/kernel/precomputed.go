package kernel

import (
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"
)

// Precomputed is the kernel k(i,j) = K_ij of points in R^1 that are indices 0 … N−1 of a
// kernel matrix. At and matrices panic at other points.
type Precomputed struct {
	Name string        // names the matrix by its contents
	K    *mat.SymDense // N×N, positive semidefinite
}

func (p Precomputed) String() string { return "precomputed " + p.Name }

// Bound is the largest K_ij, which stands on the diagonal: N² comparisons.
func (p Precomputed) Bound() float64 { return mat.Max(p.K) }

// At is K_ij.
func (p Precomputed) At(x, y []float64) float64 { return p.K.At(index(x), index(y)) }

func index(x []float64) int {
	i := int(x[0])
	if len(x) != 1 || float64(i) != x[0] {
		panic(fmt.Sprintf("kernel: %v is no index of a kernel matrix", x))
	}
	return i
}

// CheckCoordinates says why what works on coordinates of points, and not on kernel values
// alone, cannot be run with a kernel; nil where it can.
func CheckCoordinates(k Kernel) error {
	if _, ok := k.(Precomputed); ok {
		return errors.New("it needs the coordinates of points, and a kernel matrix has none; take a method of kernel values, such as kernel-kmeans, ekpca or nystrom, or a program with gram: true")
	}
	return nil
}
