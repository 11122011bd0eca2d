package methods

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/cost"
	"mercer/internal/kernel"
	"mercer/internal/linalg"
	"mercer/methods/landmark"
)

// Pooled is the part of options that draws random features by their leverage: a pool of
// pool·m features, of which m are drawn with replacement, with probabilities in proportion
// to their ridge leverage scores on the sample, and weighed (kernel.Drawn). The score of a
// frequency is that of its coordinates together, of an eigenfunction that of all of its
// draws in the pool.
//
// Cost: of a pool of p coordinates np² + 9p³ flops, for n < p points 5n²p + 9n³, and its
// features of one more pass.
//
// Reference: Li, Ton, Oglic & Sejdinovic 2021 (Towards a unified analysis of random Fourier
// features), Algorithm 1; Bach 2017 (On the equivalence between kernel quadrature rules and
// random feature expansions). Deviation: weights keep the expectation of the features'
// kernel.
type Pooled struct {
	Pool  int     `yaml:"pool" json:",omitzero" min:"0" max:"1000" doc:"draw the m features by leverage from pool·m of the family, fourier or mercer; 0 (default) draws them from the family itself"`
	Level float64 `yaml:"level" json:",omitzero" min:"0" doc:"with pool: t of the ridge leverage scores, the diagonal of ZᵀZ(ZᵀZ + nt I)⁻¹ for the pool's features Z of the sample; 0 (default) matches m: the effective dimension is m/(2·log m), or less at 1e-8 of the largest eigenvalue"`
}

// leastMatched is the least level that is matched to m, in units of the largest eigenvalue of
// the pool's moment: eigenvalues far below are rounding errors.
const leastMatched = 1e-8

// matchedDimension is the effective dimension at the level that is matched to m: a feature
// of score 1 then is missed with probability e^(−m/dimension) = 1/m².
func matchedDimension(m int) float64 { return max(1, float64(m)/(2*math.Log(max(2, float64(m))))) }

// mostPooled is how many coordinates a pool may have, unless there are fewer points.
const mostPooled = 5000

func (o Pooled) check(family string) error {
	switch {
	case o.Pool < 0 || !(o.Level >= 0) || math.IsInf(o.Level, 1):
		return fmt.Errorf("pool %d, level %v: must not be negative", o.Pool, o.Level)
	case o.Pool > 0 && family != "fourier" && family != "mercer":
		return fmt.Errorf("pool %d: features %s are not drawn by leverage; take fourier or mercer", o.Pool, family)
	case o.Pool == 0 && o.Level > 0:
		return errors.New("level: needs pool")
	}
	return nil
}

// pooled says why there is no pool of these features.
func (r rff) pooled(k kernel.Kernel, s Sizes) error {
	if p := r.coordinates(r.distinct(k, r.pool.Pool*s.M)); min(p, float64(s.N)) > mostPooled {
		return fmt.Errorf("a pool of %d features has %.0f coordinates on n = %d points: leverage scores need as many eigenvalues as there are of the fewer, and at most %d are decomposed", r.pool.Pool*s.M, p, s.N, mostPooled)
	}
	return nil
}

// pooling is the cost of a pool and its scores.
func (r rff) pooling(k kernel.Kernel, s Sizes, dim float64) cost.Cost {
	if r.pool.Pool == 0 {
		return cost.Cost{}
	}
	s.M = r.distinct(k, r.pool.Pool*s.M)
	p := r.coordinates(s.M)
	return r.drawing(s, dim).Plus(covarianceCost(float64(s.N), p, min(float64(s.N), p)))
}

// fitted is the feature map of a fit: drawn from the family, or by leverage.
func (r rff) fitted(ctx context.Context, p Sample, rng *rand.Rand) (kernel.FeatureMap, error) {
	if r.pool.Pool == 0 {
		return collected(r.draw(p, rng)), nil
	}
	m := p.Sizes.M
	p.Sizes.M *= r.pool.Pool
	pool := collected(r.draw(p, rng))
	values, vectors, err := poolPairs(ctx, p, pool)
	if err != nil {
		return nil, err
	}
	defer p.phase("gram")()
	probabilities := r.leverage(values, vectors, m)
	return collected(kernel.Drawn(pool, landmark.Draws(probabilities, m, rng), probabilities)), nil
}

// poolPairs are the eigenpairs above 0 of the moment of a pool's coordinates.
func poolPairs(ctx context.Context, p Sample, pool kernel.FeatureMap) (values []float64, vectors *mat.Dense, err error) {
	if n := p.n(); n < pool.Dim() {
		z, err := p.features(ctx, pool)
		if err != nil {
			return nil, nil, err
		}
		defer p.phase("gram")()
		p.weights().over(z, float64(p.Sizes.N))
		top, err := linalg.TopOfRows(z, n, linalg.DefaultTopOptions(n))
		return top.Values, top.Vectors, err
	}

	moment, err := p.moment(ctx, "none", pool.Dim(), p.transform(pool))
	if err != nil {
		return nil, nil, err
	}
	defer p.phase("gram")()
	covariance, _ := moment.covariance()
	return linalg.EigenSym(covariance)
}

// collected has far fewer coordinates than features, of eigenfunctions.
func collected(features kernel.FeatureMap) kernel.FeatureMap {
	if mercer, ok := features.(*kernel.Mercer); ok {
		return mercer.Collected()
	}
	return features
}

// leverage are the probabilities of a pool's features by the eigenpairs of the moment of
// their coordinates, those of the cosines before those of the sines.
func (r rff) leverage(values []float64, vectors *mat.Dense, m int) []float64 {
	scores := landmark.LeverageScores(values, vectors, r.pool.Level, matchedDimension(m), leastMatched*values[0])
	probabilities := make([]float64, len(scores)/r.features.Coordinates)
	for i, score := range scores {
		probabilities[i%len(probabilities)] += max(0, score) // below 0 by rounding
	}
	floats.Scale(1/floats.Sum(probabilities), probabilities)
	return probabilities
}
