package kernel

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/linalg"
)

// Polynomial is the kernel
//
//	k(x,y) = (Gamma·⟨x,y⟩ + Offset)^Degree
//
// with Gamma > 0, Offset >= 0 and Degree >= 1. Linear is Degree 1, Offset 0.
type Polynomial struct {
	Degree int
	Gamma  float64
	Offset float64
}

func (p Polynomial) String() string {
	return fmt.Sprintf("polynomial (%.17g*<x,y>+%.17g)^%d", p.Gamma, p.Offset, p.Degree)
}

// Bound is +Inf.
func (p Polynomial) Bound() float64 { return math.Inf(1) }

// At is the formula above.
func (p Polynomial) At(x, y []float64) float64 { return p.atProduct(floats.Dot(x, y)) }

func (p Polynomial) atProduct(dot float64) float64 {
	base, power := p.Gamma*dot+p.Offset, 1.0
	for range p.Degree {
		power *= base
	}
	return power
}

func (p Polynomial) against(y *mat.Dense) filler {
	m, _ := y.Dims()
	return func(dst, x *mat.Dense, from int) {
		blas64.Gemm(blas.NoTrans, blas.Trans, 1, x.RawMatrix(), linalg.Rows(y, from, m).RawMatrix(), 0, dst.RawMatrix())
		eachRow(dst, func(row []float64) {
			for j, dot := range row {
				row[j] = p.atProduct(dot)
			}
		})
	}
}
