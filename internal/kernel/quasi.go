package kernel

import (
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/samplemv"

	"mercer/internal/kernel/sobol"
)

// haltonLimit is how many coordinates gonum's Halton sequence has.
const haltonLimit = 1000

// newHalton maps the first m points of a Halton sequence to frequencies, by
// FrequencyAt. The digits of each coordinate, to full precision, go through
// independent random permutations: every point is then uniform on its own and
// the features are unbiased without a further shift. The first m' of m
// frequencies are those of a draw of m'.
//
// It panics where the kernel needs more than 1000 coordinates. The cost is
// m·D·53/log₂(p) digits, p the coordinate's prime.
//
// Reference: Avron, Sindhwani, Yang and Mahoney (2016), Quasi-Monte Carlo feature
// maps; the permutations, Owen (2017), A randomized Halton algorithm in R.
func newHalton(k ShiftInvariant, m, dim int, rng *rand.Rand) *Fourier {
	mustFit("Halton", k, dim, haltonLimit)
	f := &Fourier{Frequencies: mat.NewDense(m, dim, nil)}
	points := mat.NewDense(m, k.Uniforms(dim), nil)
	samplemv.Halton{Kind: samplemv.Owen, Q: unitCube{}, Src: rng}.Sample(points)
	f.at(k, points)
	return f
}

// newSobol maps the first m points of a Sobol' sequence under a random digital
// shift to frequencies, by FrequencyAt: unbiased, and nested as newHalton. It is
// most even where m is a power of two.
//
// It panics where the kernel needs more than sobol.MaxDim coordinates.
//
// Reference: Avron, Sindhwani, Yang and Mahoney (2016), Quasi-Monte Carlo feature
// maps.
func newSobol(k ShiftInvariant, m, dim int, rng *rand.Rand) *Fourier {
	mustFit("Sobol'", k, dim, sobol.MaxDim)
	f := &Fourier{Frequencies: mat.NewDense(m, dim, nil)}
	points := mat.NewDense(m, k.Uniforms(dim), nil)
	sobol.New(k.Uniforms(dim)).Fill(points, rng)
	f.at(k, points)
	return f
}

func mustFit(sequence string, k ShiftInvariant, dim, limit int) {
	if need := k.Uniforms(dim); need > limit {
		panic(fmt.Sprintf("kernel: %s frequencies of %s in %d dimensions need %d coordinates; there are %d", sequence, k, dim, need, limit))
	}
}

// at fills the frequencies from points of the unit cube.
func (f *Fourier) at(k ShiftInvariant, points *mat.Dense) {
	for i := range f.Features() {
		k.FrequencyAt(f.Frequencies.RawRowView(i), points.RawRowView(i))
	}
}

// unitCube is the uniform distribution, kept off the ends of the interval: gonum
// adds up to 53 digits from the first on, which can give 0 or round to 1.
type unitCube struct{}

// Quantile fills x with p.
func (unitCube) Quantile(x, p []float64) []float64 {
	const least = 1. / (1 << 53)
	for j, v := range p {
		x[j] = min(max(v, least), 1-least)
	}
	return x
}
