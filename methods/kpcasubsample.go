package methods

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"mercer/internal/cost"
	"mercer/internal/kernel"
	"mercer/internal/linalg"
)

var _ = register("kpca-subsample", Entry{
	Label: "KPCA of a subsample",
	Doc: "kernel PCA of a subsample of m of the n points, as an embedding: x ↦ Σ_j α_j k(x,X_j) for the top d eigenvectors α of its centred kernel matrix; " +
		"m and n are n and N in KJL; without m, or with subsample: all, the subsample is the whole sample",
	Reference: "KJL §5.2",
	Cost:      "m²D + O(m²d) flops for the map, nm(D + 2d) to embed; 8m² bytes",
	Accuracy:  "exact on the subsample: residuals of eigenpairs at most 1e-12 of the largest eigenvalue",
	Version:   "1",
	New: func() Options {
		return &KPCASubsampleOptions{Subsample: "uniform"}
	},
})

// KPCASubsampleOptions are the parameters of kernel PCA of a subsample.
type KPCASubsampleOptions struct {
	Subsample string `yaml:"subsample" enum:"uniform,first,all" doc:"the points whose kernel matrix is decomposed: uniform (m of the n without replacement, default), first (the first m) or all (all n, whatever m is)"`
	Clustered
}

// Method returns the embedding.
func (o *KPCASubsampleOptions) Method() (Method, error) {
	s, err := checkSubsample(o.Subsample)
	return o.Clustered.method(kpcaSubsample{s}, err)
}

// Traits say what a subsample of all points changes.
func (o *KPCASubsampleOptions) Traits() Traits {
	t := Traits{Uses: []string{"n", "m", "d"}, Shape: ShapeEmbedding, Cut: CutAlways}
	return o.Clustered.traits(subsample(o.Subsample).traits(t))
}

// kpcaSubsample solves C K C α = λ α for the top d pairs of the subsample, and
// maps x to Σ_j α_j (k(x,X_j) − mean over the subsample), ‖α‖ = 1.
//
// Reference: [KJL, §5.2]. Deviation: the paper does not write the map's centring,
// which moves all images alike.
type kpcaSubsample struct{ subsample subsample }

func (s kpcaSubsample) check(_ kernel.Kernel, sizes Sizes) error {
	switch m := s.subsample.size(sizes); {
	case sizes.D < 1:
		return errors.New("the grid gives no d: kpca-subsample needs the dimension of its embedding")
	case sizes.D > m-1:
		return fmt.Errorf("d = %d components of an estimate of rank at most %d (m = %d)", sizes.D, m-1, m)
	}
	return s.subsample.check(sizes)
}

// cost counts the leading pairs by a Krylov basis, whatever the order.
func (s kpcaSubsample) cost(_ kernel.Kernel, sizes Sizes, dim float64) cost.Cost {
	m, d := float64(s.subsample.size(sizes)), float64(sizes.D)
	return s.subsample.cost(sizes, dim).Plus(krylov(m, d)).Plus(cost.Numbers(2 * m * d))
}

// krylov is the cost of the d leading pairs of a matrix of order m, the flops those of
// its products alone.
func krylov(m, d float64) cost.Cost {
	return cost.Cost{Flops: 2 * m * m * krylovFactor * (d + 16), Bytes: linalg.TopCost(m, d).Bytes}
}

// krylovFactor is how many vectors, in multiples of d + 16, a solve applies its matrix
// to, roughly.
const krylovFactor = 8

func (kpcaSubsample) width(s Sizes) int { return s.D }

func (s kpcaSubsample) embedding(ctx context.Context, p Sample, rng *rand.Rand) (*Embedding, error) {
	set, err := s.subsample.points(ctx, p, rng)
	if err != nil {
		return nil, err
	}
	points := set.Points
	gram := s.subsample.matrix(p, points)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	defer p.phase("factor")()
	d, of := p.Sizes.D, Sample{Counts: set.Times}
	if s.subsample == wholeSample {
		of = p
	}
	coef, spectrum, err := of.eigenvectors(gram, true, d, s.subsample.size(p.Sizes))
	if err != nil {
		return nil, err
	}
	return &Embedding{
		Functions: kernel.Expansion{Kernel: p.Kernel, Points: points, Coef: coef},
		Offset:    meansOf(coef, gram, set.Times), Cut: true, Warnings: spectrum.dimensionsKept(d),
	}, nil
}

// dimensionsKept are the warnings, and one where fewer than d dimensions are
// above rounding.
func (s Spectrum) dimensionsKept(d int) []string {
	if kept := len(s.Values); kept < d {
		return append(s.Warnings, fmt.Sprintf("numerical rank %d is below d = %d: %d dimensions kept", kept, d, kept))
	}
	return s.Warnings
}
