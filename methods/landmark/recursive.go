package landmark

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"mercer/internal/kernel"
	"mercer/internal/linalg"
)

// recursive draws by approximate ridge leverage scores, for which it recurses to
// a random half of the points: a sample of the half, drawn by scores, gives the
// scores of the whole. The innermost sample is uniform, of about m points.
//
// At a given level the ridge is the same everywhere; otherwise it follows at each
// stage from the sample itself, see tailRidge, and samples between have about m
// points.
//
// Reference: [RLS, Algorithm 2] at a given level, [RLS, Algorithm 3] otherwise.
// Deviation: points between are kept with probability min(1, log(m)·ℓ̃), as in the
// authors' code, in place of 16·log(Σℓ̃/δ)·(3/2)·ℓ̃; and m landmarks are drawn at
// last, where Algorithm 2 has a random number.
func (p *problem) recursive() (Set, error) {
	scores, ridge, err := p.recursiveScores(p.oversample())
	if err != nil {
		return Set{}, err
	}
	set, err := p.byWeight(scores)
	return p.atLevel(set, ridge, 0, true), err
}

// oversample is log m: a point between is kept with probability min(1, oversample·ℓ̃).
func (p *problem) oversample() float64 { return max(1, math.Log(float64(p.m))) }

// recursiveScores are the approximate scores of all points, and the ridge nt of
// the last stage.
func (p *problem) recursiveScores(oversample float64) ([]float64, float64, error) {
	largest, err := p.setDiagonal()
	if err != nil {
		return nil, 0, err
	}
	order := p.rng.Perm(p.n)
	sizes := []int{p.n} // of the halves, from the whole inwards
	for sizes[len(sizes)-1] > p.m {
		sizes = append(sizes, (sizes[len(sizes)-1]+1)/2)
	}
	d := dictionary{indices: order[:sizes[len(sizes)-1]]}
	d.weights = constant(len(d.indices), 1)
	// With m = n there is nothing to halve, and no score matters.
	least := p.leastRidge(largest)
	scores, ridge := constant(p.n, 1), max(least, float64(p.n)*p.Level)
	for stage := len(sizes) - 2; stage >= 0; stage-- {
		half := order[:sizes[stage]]
		if p.Level == 0 {
			if ridge, err = p.tailRidge(d, oversample, least); err != nil {
				return nil, 0, err
			}
		}
		if scores, err = p.approximateScores(half, d, ridge); err != nil {
			return nil, 0, err
		}
		if stage > 0 {
			d = p.thinned(half, scores, oversample)
		}
	}
	if len(sizes) == 1 {
		return scores, 0, nil
	}
	sorted := make([]float64, p.n)
	for i, index := range order {
		sorted[index] = scores[i]
	}
	return sorted, ridge, nil
}

func constant(n int, value float64) []float64 {
	c := make([]float64, n)
	floats.AddConst(value, c)
	return c
}

// thinned keeps each point with probability min(1, oversample·ℓ̃), which is its
// weight; should that leave none, the first m, which are a uniform sample.
func (p *problem) thinned(at []int, scores []float64, oversample float64) dictionary {
	d := dictionary{}
	for i, index := range at {
		probability := min(1, oversample*scores[i])
		if p.rng.Float64() < probability {
			d.indices = append(d.indices, index)
			d.weights = append(d.weights, probability)
		}
	}
	if len(d.indices) > 0 {
		return d
	}
	s := min(p.m, len(at))
	return dictionary{at[:s], constant(s, float64(s)/float64(len(at)))}
}

// tailRidge is (1/k)·Σ_{i>k} σ_i of the weighted sample's kernel matrix, k =
// ⌈m/(4·log m)⌉: at this ridge the effective dimension is at most 2k, and a
// sample of it about m/2. It is least where the sample has rank k.
//
// Cost: |J|² kernel values and a top-k eigensolve.
func (p *problem) tailRidge(d dictionary, oversample, least float64) (float64, error) {
	if err := p.ctx.Err(); err != nil {
		return 0, err
	}
	k := int(math.Ceil(float64(p.m) / (4 * oversample)))
	if k >= len(d.indices) {
		return least, nil
	}
	gram := kernel.Gram(p.kernel, linalg.SelectRows(p.x, d.indices))
	trace := 0.0
	for i := range d.indices {
		for j := i; j < len(d.indices); j++ {
			gram.SetSym(i, j, gram.At(i, j)/math.Sqrt(d.weights[i]*d.weights[j]))
		}
		trace += gram.At(i, i)
	}
	top, err := linalg.Top(linalg.Symmetric(gram), k, tailOptions(k))
	if err != nil {
		return 0, err
	}
	return max(least, (trace-floats.Sum(top.Values))/float64(k)), nil
}

// tailOptions ask for eigenvalues to few digits: the ridge need not be sharper.
func tailOptions(k int) linalg.TopOptions {
	o := linalg.DefaultTopOptions(k)
	o.Tolerance = 1e-6
	return o
}
