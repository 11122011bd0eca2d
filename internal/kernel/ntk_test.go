package kernel

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// tangent is the neural tangent kernel by its definition as a sum over layers of the product
// of the kernel of the layer below and the derivatives above it, Arora et al. (2019), eq 9.
// Where cosines lose an angle below 1e-5, it is the first terms of its series, right to 1e-15.
func tangent(depth int) func(x, y []float64) float64 {
	return func(x, y []float64) float64 {
		thetas := []float64{angleOf(x, y)}
		for h := range depth {
			theta := thetas[h]
			if theta < 1e-5 {
				thetas = append(thetas, theta*math.Sqrt(1-2*theta/(3*math.Pi)))
				continue
			}
			thetas = append(thetas, math.Acos(min(1, (math.Sin(theta)+(math.Pi-theta)*math.Cos(theta))/math.Pi)))
		}
		sum := 0.0
		for h := range depth + 1 {
			term := math.Cos(thetas[h])
			for _, theta := range thetas[h:depth] {
				term *= (math.Pi - theta) / math.Pi
			}
			sum += term
		}
		return lengths(x, y) * sum
	}
}

// gradients is the inner product of the gradients, with respect to all weights, of a network
// with random weights at x and y: for each layer that of its inputs times that of what comes
// back to it.
func gradients(depth, width int, seed uint64, x, y []float64) float64 {
	rng := newRand(seed)
	var weights []*mat.Dense
	inputs := [][]*mat.VecDense{{mat.NewVecDense(len(x), x), mat.NewVecDense(len(y), y)}}
	for h := range depth {
		w := normalPoints(rng, width, inputs[h][0].Len())
		weights = append(weights, w)
		var out []*mat.VecDense
		for _, in := range inputs[h] {
			hidden := mat.NewVecDense(width, nil)
			hidden.MulVec(w, in)
			for i := range width {
				hidden.SetVec(i, math.Sqrt(2/float64(width))*max(0, hidden.AtVec(i)))
			}
			out = append(out, hidden)
		}
		inputs = append(inputs, out)
	}

	last := normalPoints(rng, 1, width).RawRowView(0)
	back := [][]float64{append([]float64{}, last...), append([]float64{}, last...)}
	sum := mat.Dot(inputs[depth][0], inputs[depth][1])
	for h := depth - 1; h >= 0; h-- {
		for s, in := range inputs[h+1] {
			for i := range width {
				if in.AtVec(i) == 0 {
					back[s][i] = 0
				}
				back[s][i] *= math.Sqrt(2 / float64(width))
			}
		}
		sum += mat.Dot(inputs[h][0], inputs[h][1]) * floats.Dot(back[0], back[1])
		for s := range back {
			var below mat.VecDense
			below.MulVec(weights[h].T(), mat.NewVecDense(width, back[s]))
			back[s] = below.RawVector().Data
		}
	}
	return sum
}

// TestNTKIsThatOfWideNetworks: the mean over random networks is the kernel to 5 standard errors
// (a false alarm in 6e-7 of seeds for each of six values), but for the bias of a finite width, which falls
// as 1/width and is 1e-2 of k(x,x) here at most. The kernel of another depth is far off.
func TestNTKIsThatOfWideNetworks(t *testing.T) {
	x := []float64{0.6, -1.1, 0.4}
	for depth := 1; depth <= 2; depth++ {
		for _, y := range [][]float64{{0.6, -1.1, 0.4}, {1, 0.5, -0.3}, {-0.5, 1, -0.3}} {
			values := make([]float64, 150)
			for r := range values {
				values[r] = gradients(depth, 120, uint64(300+r), x, y)
			}
			mean, std := stat.MeanStdDev(values, nil)
			allowed := 5*std/math.Sqrt(float64(len(values))) + 0.01*NTK{depth}.At(x, x)
			if off := math.Abs(mean - NTK{depth}.At(x, y)); off > allowed {
				t.Errorf("depth %d: gradients give %.4f, the kernel is %.4f", depth, mean, NTK{depth}.At(x, y))
			}
			if off := math.Abs(mean - NTK{3 - depth}.At(x, x)); off < 2*allowed {
				t.Errorf("depth %d: gradients give %.4f, near k(x,x) of depth %d", depth, mean, 3-depth)
			}
		}
	}
}
