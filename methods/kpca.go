package methods

import (
	"context"
	"errors"
	"math/rand/v2"

	"mercer/internal/cost"
	"mercer/internal/kernel"
)

var _ = register("kpca", Entry{
	Label:     "population KPCA",
	Doc:       "population kernel PCA: the exact leading eigenspace of Σ, the lower bound of every comparison",
	Reference: "NYK §2, RFK §3.1",
	Cost:      "none beyond the population's own spectrum",
	Accuracy:  "exact, to that of the population's spectrum",
	Version:   "1",
	New:       func() Options { return &KPCAOptions{} },
})

// KPCAOptions has no parameters.
type KPCAOptions struct{}

// Method returns population kernel PCA.
func (*KPCAOptions) Method() (Method, error) { return kpca{}, nil }

// kpca hands over the population's own eigenspace. Its reconstruction errors
// are the floors R^ℓ(Σ) = Σ_{i>ℓ} λ_i and T^ℓ(Σ) = Σ_{i>ℓ} λ_i².
//
// Reference: [NYK, §2], [RFK, §3.1].
type kpca struct{}

func (kpca) Check(kernel.Kernel, Sizes) error { return nil }

// Cost is none: the population's spectrum is its own.
func (kpca) Cost(kernel.Kernel, Sizes, float64) cost.Cost { return cost.Cost{} }

func (kpca) Fit(ctx context.Context, p Sample, _ *rand.Rand) (Model, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if p.Population == nil {
		return nil, errors.New("kpca needs a data set with a population: add population: to the data set")
	}
	values, err := p.Population.Eigenvalues(p.Sizes.Ell)
	if err != nil {
		return nil, err
	}
	rank := 0
	for rank < len(values) && values[rank] > 0 {
		rank++
	}
	if rank == 0 {
		return nil, errors.New("the population's covariance is zero: all its points look the same to this kernel")
	}
	spectrum := Spectrum{Values: values[:rank], Center: make([]float64, rank)}
	return &Exact{spectrum}, nil
}

// Traits are those of what no sample changes.
func (*KPCAOptions) Traits() Traits {
	return Traits{Uses: []string{"ell"}, Shape: ShapePopulation}
}
