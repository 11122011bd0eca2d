package methods

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"mercer/kernel"
)

// RFFOptions are the parameters of random-feature PCA.
type RFFOptions struct {
	Features string `yaml:"features" required:"true" enum:"fourier,mercer" doc:"fourier: cos/sin pairs of a shift-invariant kernel, m counts frequencies; mercer: eigenfunctions of a series kernel, m counts draws"`
	Center   string `yaml:"center" enum:"u,v,none" doc:"u divides by n-1, v by n, none does not centre"`
}

// Method returns random-feature PCA.
func (o *RFFOptions) Method() (Method, error) {
	c, err := checkCenter(o.Center)
	if o.Features != "fourier" && o.Features != "mercer" {
		err = errors.Join(err, fmt.Errorf("features %q: must be fourier or mercer", o.Features))
	}
	return rff{features: o.Features, center: c}, err
}

// rff is linear PCA of random features: the top-ℓ eigenvectors of the features'
// covariance, accumulated over row blocks.
//
// Reference: [RFK, eq 15–17], [NYK, §4.2], uncentred [SKP, §4].
type rff struct {
	features string
	center   center
}

func (r rff) Check(k kernel.Kernel, s Sizes) error {
	coordinates := s.M
	switch k := k.(type) {
	case kernel.ShiftInvariant:
		if r.features != "fourier" {
			return fmt.Errorf("mercer features need a series kernel, not %s", k)
		}
		coordinates = 2 * s.M
	case *kernel.Series:
		if r.features != "mercer" {
			return fmt.Errorf("fourier features need a shift-invariant kernel, not %s; take features: mercer", k)
		}
	default:
		return fmt.Errorf("no random features are known for %s", k)
	}
	switch most := min(coordinates, r.center.maxRank(s.N)); {
	case s.M < 1:
		return errors.New("the grid gives no m: rff needs a number of features")
	case s.Ell > most:
		return fmt.Errorf("ell = %d components of an estimate of rank at most %d (%d feature coordinates, n = %d)", s.Ell, most, coordinates, s.N)
	}
	return nil
}

func (r rff) draw(p Problem, rng *rand.Rand) kernel.FeatureMap {
	if r.features == "mercer" {
		return kernel.NewMercer(p.Kernel.(*kernel.Series), p.Sizes.M, rng)
	}
	_, d := p.X.Dims()
	return kernel.NewFourier(p.Kernel.(kernel.ShiftInvariant), p.Sizes.M, d, rng)
}

func (r rff) Fit(ctx context.Context, p Problem, rng *rand.Rand) (Model, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	stop := p.phase("gram")
	features := r.draw(p, rng)
	stop()
	moment := newSecondMoment(r.center, features.Dim())
	if err := accumulateFeatures(ctx, p, features, moment); err != nil {
		return nil, err
	}
	defer p.phase("solve")()
	vectors, spectrum, err := moment.components(p.Sizes.Ell)
	if err != nil {
		return nil, err
	}
	return &FeatureSubspace{kernel.FeatureExpansion{Map: features, Coef: vectors}, spectrum}, nil
}

// accumulateFeatures adds Φ of every sample point to the moment, by blocks of
// rows.
func accumulateFeatures(ctx context.Context, p Problem, features kernel.FeatureMap, moment *secondMoment) error {
	n, dim := p.Sizes.N, features.Dim()
	_, d := p.X.Dims()
	block := mat.NewDense(min(rowsPerBlock, n), dim, nil)
	for from := 0; from < n; from += rowsPerBlock {
		if err := ctx.Err(); err != nil {
			return err
		}
		to := min(from+rowsPerBlock, n)
		rows := block.Slice(0, to-from, 0, dim).(*mat.Dense)
		stop := p.phase("embed")
		features.Transform(rows, p.X.Slice(from, to, 0, d).(*mat.Dense))
		moment.add(rows)
		stop()
	}
	return nil
}
