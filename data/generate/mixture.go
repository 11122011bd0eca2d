package generate

import (
	"encoding/binary"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
)

// Mixture is Σ_j w_j N(c_j, σ²I) in R^D. The label is the component j.
//
// The centres are part of the population: given, or drawn once from N(0, s²I) by
// a stream of their own that CenterSeed fixes, so that every draw, of train and
// of test points alike, is from the same distribution.
//
// Mean: Σ_j w_j c_j. Covariance: σ²I + Σ_j w_j (c_j−mean)(c_j−mean)ᵀ.
type Mixture struct {
	K          int         `yaml:"k" json:"k" doc:"Number of components."`
	D          int         `yaml:"d" json:"d" doc:"Dimension of the points."`
	Spread     float64     `yaml:"spread" json:"spread" doc:"Standard deviation s of each coordinate of a centre, in units of the data."`
	Sigma      float64     `yaml:"sigma" json:"sigma" doc:"Standard deviation of each coordinate about its centre, in units of the data; 0 puts all points on the centres."`
	Weights    []float64   `yaml:"weights" json:"weights,omitempty" doc:"Shares of the K components, positive; divided by their sum. Empty: equal shares."`
	Centers    [][]float64 `yaml:"centers" json:"centers,omitempty" doc:"The K centres of D coordinates each. Empty: drawn once, by spread."`
	CenterSeed uint64      `yaml:"-" json:"center_seed"` // another seed is another population
}

// DefaultMixture has ten overlapping components in the plane.
var DefaultMixture = Mixture{K: 10, D: 2, Spread: 4, Sigma: 1, CenterSeed: 1}

// Dim is D.
func (g Mixture) Dim() int { return g.D }

// Classes is K.
func (g Mixture) Classes() int { return g.K }

const maxSize = 1 << 28 // of K·D: 2 GiB of centres

// Validate says what is wrong with the options, all of it.
func (g Mixture) Validate() error {
	var p problems
	p.check(g.K >= 1, "k: %d; want at least 1", g.K)
	p.check(g.D >= 1, "d: %d; want at least 1", g.D)
	if g.K >= 1 && g.D >= 1 {
		p.check(g.K <= maxSize/g.D, "k·d: more than %d", maxSize)
	}
	p.check(g.Spread >= 0 && finite(g.Spread), "spread: %v; want a finite number, not negative", g.Spread)
	p.check(g.Sigma >= 0 && finite(g.Sigma), "sigma: %v; want a finite number, not negative", g.Sigma)
	p.check(len(g.Weights) == 0 || len(g.Weights) == g.K, "weights: %d for k = %d components", len(g.Weights), g.K)
	sum := 0.0
	for i, w := range g.Weights {
		p.check(w > 0 && finite(w), "weights: entry %d is %v; want a positive number", i, w)
		sum += w
	}
	p.check(finite(sum), "weights: their sum is beyond float64")
	p.check(len(g.Centers) == 0 || len(g.Centers) == g.K, "centers: %d for k = %d components", len(g.Centers), g.K)
	for i, c := range g.Centers {
		p.check(len(c) == g.D, "centers: entry %d has %d coordinates, d is %d", i, len(c), g.D)
		for _, v := range c {
			p.check(finite(v), "centers: entry %d has the coordinate %v", i, v)
		}
	}
	return p.err()
}

// Shares returns the K weights, of sum 1.
func (g Mixture) Shares() []float64 {
	w := make([]float64, g.K)
	sum := 0.0
	for j := range w {
		w[j] = 1
		if len(g.Weights) > 0 {
			w[j] = g.Weights[j]
		}
		sum += w[j]
	}
	for j := range w {
		w[j] /= sum
	}
	return w
}

// Means returns the K centres, K×D.
func (g Mixture) Means() *mat.Dense {
	c := mat.NewDense(g.K, g.D, nil)
	var key [32]byte
	copy(key[8:], "mercer mixture centres")
	binary.LittleEndian.PutUint64(key[:], g.CenterSeed)
	rng := rand.New(rand.NewChaCha8(key))
	for j := range g.K {
		row := c.RawRowView(j)
		if len(g.Centers) > 0 {
			copy(row, g.Centers[j])
			continue
		}
		jitter(row, rng, g.Spread)
	}
	return c
}

// Points draws one point after another.
func (g Mixture) Points() func(rng *rand.Rand, x []float64) int {
	c, w := g.Means(), g.Shares()
	return func(rng *rand.Rand, x []float64) int {
		u, j := rng.Float64(), 0
		for ; j < g.K-1 && u >= w[j]; j++ {
			u -= w[j]
		}
		copy(x, c.RawRowView(j))
		jitter(x, rng, g.Sigma)
		return j
	}
}
