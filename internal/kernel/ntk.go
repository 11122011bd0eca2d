package kernel

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
)

// NTK is the neural tangent kernel of an infinitely wide, fully connected network with Depth
// hidden layers of ReLUs, no biases, weights N(0,1) and each hidden layer multiplied by
// √(2/width): the inner product of the gradients of its output at x and y with respect to all
// weights. With θ the angle between x and y and the arc-cosine kernels
// κ0(θ) = 1 − θ/π and κ1(θ) = (sin θ + (π−θ)·cos θ)/π of points of norm 1,
//
//	θ_0 = θ, Θ_0 = cos θ;  Θ_h = Θ_{h−1}·κ0(θ_{h−1}) + κ1(θ_{h−1}), cos θ_h = κ1(θ_{h−1})
//
// for h = 1 … Depth, and k(x,y) = ‖x‖‖y‖·Θ_Depth, so that k(x,x) = (Depth+1)·‖x‖². A value
// costs O(D + Depth), without a matrix product: it feels errors of the angle.
//
// Reference: Jacot, Gabriel and Hongler (2018), Neural tangent kernel, thm 1; Arora, Du, Hu, Li,
// Salakhutdinov and Wang (2019), On exact computation with an infinitely wide neural net, §3.
type NTK struct{ Depth int }

func (k NTK) String() string { return fmt.Sprintf("ntk depth=%d", k.Depth) }

// Bound is +Inf.
func (k NTK) Bound() float64 { return math.Inf(1) }

// At is the formula above.
func (k NTK) At(x, y []float64) float64 {
	theta := angle(x, y)
	value := math.Cos(theta)
	for range k.Depth {
		value *= 1 - theta/math.Pi
		// sin²(θ_h/2) = (1−κ1)/2, where cos θ_h would lose small angles.
		half := math.Sin(theta / 2)
		theta = 2 * math.Asin(math.Sqrt(max(0, half*half-(math.Sin(theta)-theta*math.Cos(theta))/(2*math.Pi))))
		value += math.Cos(theta)
	}
	return floats.Norm(x, 2) * floats.Norm(y, 2) * value
}

// NTKOptions are the parameters of a neural tangent kernel.
type NTKOptions struct {
	Depth int `yaml:"depth" min:"1" max:"100" doc:"hidden layers, 1 to 100 (default 1)"`
}

// Build returns the neural tangent kernel.
func (o *NTKOptions) Build(Distances) (Kernel, error) { return NTK{o.Depth}, nil }
