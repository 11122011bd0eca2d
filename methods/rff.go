package methods

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"mercer/internal/cost"
	"mercer/internal/kernel"
)

var _ = register("rff", Entry{
	Label:     "random features",
	Doc:       "linear PCA of m random features; m counts frequencies, of two coordinates each (offset: one), or eigenfunctions",
	Reference: "RFK eq 15-17, NYK §4.2, SKP §4",
	Cost:      "2nmD + np² + O(p²ℓ) flops for p = 2m feature coordinates (offset: m; mercer: the number of distinct indices), plus 2mD·min(m,D) to draw orthogonal features; 8(p² + 1024p) bytes; with n < p points n²p + O(npℓ) flops and 8(np + n²) bytes",
	Accuracy:  "approximate: kernel values are off by about m^(-1/2); eigenpairs of the features' covariance as those of ekpca",
	Version:   "2",
	Plain:     "features: fourier",
	New:       func() Options { return &RFFOptions{Center: "u"} },
})

// FeatureOptions are the parameters of methods that read random features in one pass.
type FeatureOptions struct {
	Features string `yaml:"features" required:"true" enum:"fourier,offset,orthogonal,mercer" doc:"family of feature maps, as for rff"`
	Center   string `yaml:"center" enum:"u,v,none" doc:"u divides by n-1, v by n, none does not centre"`
}

// rff are the features of a method that takes one row after another.
func (o FeatureOptions) rff(name string) (rff, error) {
	features, err := newRFF(o.Features, o.Center, name)
	if o.Center == "v" {
		err = errors.Join(err, errors.New("center v: the expectation of a centred step is the covariance itself, whatever n is, and no n divides it; take u or none"))
	}
	return features, err
}

// RFFOptions are the parameters of random-feature PCA.
type RFFOptions struct {
	Features string `yaml:"features" required:"true" enum:"fourier,offset,orthogonal,mercer" doc:"family of feature maps. m counts frequencies of a shift-invariant kernel, a cosine and a sine each: fourier (independent), orthogonal (in orthogonal blocks, for gaussian, matern and rational-quadratic kernels). offset: independent frequencies, one cosine each with a random phase. mercer: m counts draws of eigenfunctions of a series kernel"`
	Center   string `yaml:"center" enum:"u,v,none" doc:"u divides by n-1, v by n, none does not centre"`
}

// Method returns random-feature PCA.
func (o *RFFOptions) Method() (Method, error) { return newRFF(o.Features, o.Center, "rff") }

// newRFF are features of a family for a method, which messages name.
func newRFF(family, center, name string) (rff, error) {
	c, err := checkCenter(center)
	features, ok := kernel.Maps[family]
	if !ok {
		names := slices.Sorted(maps.Keys(kernel.Maps))
		err = errors.Join(err, fmt.Errorf("features %q: must be one of %s", family, strings.Join(names, ", ")))
	}
	return rff{family, features, c, name}, err
}

// Traits are those of features.
func (o *RFFOptions) Traits() Traits {
	return Traits{
		Uses: []string{"n", "m", "ell"}, Shape: ShapeFeatures, Features: true,
		Streams: always, Distinct: rff{family: o.Features}.distinct,
		Holds: func(m Model, s Sizes) int {
			if p := mapDim(m); p <= s.N {
				return p * p
			}
			return s.N * (s.N + mapDim(m))
		},
	}
}

// coordinates are those of m features.
func (r rff) coordinates(m int) float64 { return float64(r.features.Coordinates * m) }

// drawing is the cost of drawing m features, their frequencies with the copy that
// multiplies, and of the sample's coordinates, of which blocks are held.
func (r rff) drawing(s Sizes, dim float64) cost.Cost {
	n, m := float64(s.N), float64(s.M)
	c, kept := cost.Cost{Flops: 2*n*m*dim + cost.ValueFlops*n*r.coordinates(s.M)}, 2*m*dim
	switch r.family {
	case "mercer":
		kept = 2 * m
	case "orthogonal":
		c.Flops += 2 * m * dim * min(m, dim)
	}
	return c.Plus(cost.Numbers(kept))
}

// Cost counts the features and the leading pairs of their covariance. Of eigenfunctions,
// different indices alone are features.
func (r rff) Cost(k kernel.Kernel, s Sizes, dim float64) cost.Cost {
	indices := r.indices(k, s.M)
	s.M = r.distinct(k, s.M)
	pairs := covarianceCost(float64(s.N), r.coordinates(s.M), float64(s.Ell))
	return r.drawing(s, dim).Plus(indices).Plus(pairs)
}

// indices is the cost of drawing features one by one where only the different ones are
// transformed.
func (r rff) indices(k kernel.Kernel, m int) cost.Cost {
	if distinct := r.distinct(k, m); distinct < m {
		return cost.Numbers(float64(m - distinct)).Plus(draws(float64(m)))
	}
	return cost.Cost{}
}

// drawFlops take as long as one random number, 15 ns.
const drawFlops = 500

// draws is the cost of count random numbers, which are kept elsewhere.
func draws(count float64) cost.Cost { return cost.Cost{Flops: drawFlops * count} }

// distinct are the eigenfunctions of a kernel of finite rank: there are no more different
// features.
func (r rff) distinct(k kernel.Kernel, m int) int {
	if finite, ok := k.(kernel.Finite); ok && r.family == "mercer" && finite.Rank() > 0 {
		return min(m, finite.Rank())
	}
	return m
}

// rff is linear PCA of random features: the top-ℓ eigenvectors of the features'
// covariance, accumulated over row blocks.
//
// Reference: [RFK, eq 15–17], [NYK, §4.2], uncentred [SKP, §4].
type rff struct {
	family   string
	features kernel.MapEntry
	center   center
	name     string // of the method, for messages
}

func (r rff) Check(k kernel.Kernel, s Sizes) error {
	if err := r.features.Check(k); err != nil {
		return err
	}
	coordinates := r.features.Coordinates * s.M
	switch most := min(coordinates, r.center.maxRank(s.N)); {
	case s.M < 1:
		return fmt.Errorf("the grid gives no m: %s needs a number of features", r.name)
	case s.Ell > most:
		return fmt.Errorf("ell = %d components of an estimate of rank at most %d (%d feature coordinates, n = %d)", s.Ell, most, coordinates, s.N)
	}
	return nil
}

func (r rff) Fit(ctx context.Context, p Sample, rng *rand.Rand) (Model, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	features := collected(r.draw(p, rng))
	vectors, spectrum, err := r.components(ctx, p, features)
	if err != nil {
		return nil, err
	}
	return &FeatureSubspace{kernel.FeatureExpansion{Map: features, Coef: vectors}, spectrum}, nil
}

// components are the leading eigenvectors of the features' covariance.
func (r rff) components(ctx context.Context, p Sample, features kernel.FeatureMap) (*mat.Dense, Spectrum, error) {
	if p.n() < features.Dim() {
		z, err := p.features(ctx, features)
		if err != nil {
			return nil, Spectrum{}, err
		}
		defer p.phase("solve")()
		return rowComponents(z, p.weights(), r.center, p.Sizes.Ell)
	}

	moment, err := p.moment(ctx, r.center, features.Dim(), p.transform(features))
	if err != nil {
		return nil, Spectrum{}, err
	}
	defer p.phase("solve")()
	return moment.components(p.Sizes.Ell)
}

// draw is the feature map of a fit.
func (r rff) draw(p Sample, rng *rand.Rand) kernel.FeatureMap {
	defer p.phase("gram")()
	return r.features.New(kernel.Plain(p.Kernel), p.Sizes.M, p.dim(), rng)
}

// collected has far fewer coordinates than features, of eigenfunctions.
func collected(features kernel.FeatureMap) kernel.FeatureMap {
	if mercer, ok := features.(*kernel.Mercer); ok {
		return mercer.Collected()
	}
	return features
}
