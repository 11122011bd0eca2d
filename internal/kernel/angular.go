package kernel

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/linalg"
)

// ArcCosine is the kernel of an infinitely wide network with Depth hidden layers of steps
// (Order 0) or ReLUs (Order 1) and no biases. With θ the angle between x and y, one layer is
//
//	Order 0: 1 − θ/π    Order 1: ‖x‖‖y‖·J(cos θ), J(cos θ) = (sin θ + (π−θ)·cos θ)/π.
//
// A further layer of ReLUs takes J of the cosine that the layer below gives. That is the
// kernel of neural network Gaussian processes (NNGP) with weights of variance 2/width. The
// angle of a zero point with any other is π/2, as if a step at 0 were ½. Depth is 1 for Order 0.
//
// Reference: Cho and Saul (2009), Kernel methods for deep learning, eqs 1–6 and 12.
type ArcCosine struct{ Order, Depth int }

func (a ArcCosine) String() string {
	return fmt.Sprintf("arc-cosine order=%d depth=%d", a.Order, a.Depth)
}

// Bound is 1 for Order 0, +Inf for Order 1.
func (a ArcCosine) Bound() float64 {
	if a.Order == 0 {
		return 1
	}
	return math.Inf(1)
}

// At is the formula above.
func (a ArcCosine) At(x, y []float64) float64 {
	if a.Order == 0 {
		return 1 - angle(x, y)/math.Pi
	}
	return a.ofProducts(floats.Dot(x, y), floats.Dot(x, x), floats.Dot(y, y))
}

// ofProducts is the kernel of Order 1 from ⟨x,y⟩, ‖x‖² and ‖y‖².
func (a ArcCosine) ofProducts(xy, xx, yy float64) float64 {
	cos := cosineOf(xy, xx, yy)
	for range a.Depth {
		cos = (math.Sqrt(1-cos*cos) + (math.Pi-math.Acos(cos))*cos) / math.Pi
		cos = min(cos, 1)
	}
	return math.Sqrt(xx) * math.Sqrt(yy) * cos
}

func (a ArcCosine) against(y *mat.Dense) filler {
	if a.Order == 0 {
		return pairwise(y, a.At) // 1 − θ/π feels the root of an error of the cosine
	}
	return products(y, a.ofProducts)
}

// angle is the angle between x and y, accurate where it is small, and π/2 where one is zero.
//
// Reference: Kahan (2006), How futile are mindless assessments of roundoff, §12.
func angle(x, y []float64) float64 {
	xn, yn := floats.Norm(x, 2), floats.Norm(y, 2)
	if xn == 0 || yn == 0 {
		return math.Pi / 2
	}
	less, more := 0.0, 0.0
	for j, v := range x {
		u, v := v/xn, y[j]/yn
		less += (u - v) * (u - v)
		more += (u + v) * (u + v)
	}
	return 2 * math.Atan2(math.Sqrt(less), math.Sqrt(more))
}

// cosineOf is ⟨x,y⟩/(‖x‖‖y‖), in [−1,1] and exactly 1 for equal points; 0 where one is zero.
func cosineOf(xy, xx, yy float64) float64 {
	if xx == 0 || yy == 0 {
		return 0
	}
	return math.Copysign(min(1, math.Sqrt(xy/xx*(xy/yy))), xy)
}

// products evaluates a function of ⟨x,y⟩, ‖x‖² and ‖y‖², the first by a matrix product.
func products(y *mat.Dense, value func(xy, xx, yy float64) float64) filler {
	m, d := y.Dims()
	none := make([]float64, d)
	_, yNorms := shifted(y, none, nil)
	return func(dst, x *mat.Dense, from int) {
		_, xNorms := shifted(x, none, nil)
		linalg.Gemm(blas.NoTrans, blas.Trans, 1, x.RawMatrix(), linalg.Rows(y, from, m).RawMatrix(), 0, dst.RawMatrix())
		for i, xx := range xNorms {
			row := dst.RawRowView(i)
			for j, yy := range yNorms[from:] {
				row[j] = value(row[j], xx, yy)
			}
		}
	}
}

// ArcCosineOptions are the parameters of an arc-cosine kernel.
type ArcCosineOptions struct {
	Order int `yaml:"order" doc:"0 for steps, 1 for ReLUs (default 1)"`
	Depth int `yaml:"depth" doc:"hidden layers, 1 to 100, of order 1; order 0 has one (default 1)"`
}

// Build returns the arc-cosine kernel.
func (o *ArcCosineOptions) Build(Distances) (Kernel, error) {
	if most := []int{1, 100}; o.Order < 0 || o.Order > 1 || o.Depth < 1 || o.Depth > most[o.Order] {
		return nil, fmt.Errorf("arc-cosine kernel of order %d and depth %d: needs order 0 and depth 1, or order 1 and depth 1 to 100", o.Order, o.Depth)
	}
	return ArcCosine{o.Order, o.Depth}, nil
}

// Cosine is the kernel ⟨x,y⟩/(‖x‖‖y‖), 0 where one point is zero.
type Cosine struct{}

func (Cosine) String() string { return "cosine <x,y>/|x||y|" }

// Bound is 1.
func (Cosine) Bound() float64 { return 1 }

// At is the formula above.
func (Cosine) At(x, y []float64) float64 {
	return cosineOf(floats.Dot(x, y), floats.Dot(x, x), floats.Dot(y, y))
}

func (Cosine) against(y *mat.Dense) filler { return products(y, cosineOf) }

// CosineOptions has no parameters.
type CosineOptions struct{}

// Build returns the cosine kernel.
func (*CosineOptions) Build(Distances) (Kernel, error) { return Cosine{}, nil }

// SigmoidOptions are the parameters of a kernel that is refused.
type SigmoidOptions struct {
	Gamma  float64 `yaml:"gamma" doc:"factor of the inner product"`
	Offset float64 `yaml:"offset" doc:"constant added to the product"`
}

// Build fails: the function is not positive semidefinite.
func (*SigmoidOptions) Build(Distances) (Kernel, error) {
	return nil, errors.New("the sigmoid tanh(γ⟨x,y⟩ + offset) is indefinite: it is no kernel, and its matrices have negative eigenvalues; take arc-cosine, the kernel of a network of ReLUs or steps, or polynomial")
}
