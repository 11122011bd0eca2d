package kernel

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// Finite is a kernel of finite rank, k(x,y) = ⟨c(x), c(y)⟩ for p coordinates c.
type Finite interface {
	Kernel
	// Rank is p; 0 where there is no such p.
	Rank() int
	// Coordinates are c(x_i) for the rows of x (n×D), n×p.
	Coordinates(x *mat.Dense) *mat.Dense
}

// Rank is the number of terms, 0 for infinitely many.
func (s *Series) Rank() int { return s.Terms() }

// Coordinates are √λ_j e_j(x_i), n×p.
func (s *Series) Coordinates(x *mat.Dense) *mat.Dense {
	c := s.Eigenfunctions(x, s.Rank())
	roots := make([]float64, s.Rank())
	for j := range roots {
		roots[j] = math.Sqrt(s.Eigenvalue(j + 1))
	}
	c.Apply(func(_, j int, v float64) float64 { return roots[j] * v }, c)
	return c
}
