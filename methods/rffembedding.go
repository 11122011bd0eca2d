package methods

import (
	"context"
	"math/rand/v2"

	"mercer/internal/cost"
	"mercer/internal/kernel"
)

var _ = register("rff-embedding", Entry{
	Label:     "random-feature embedding",
	Doc:       "m random features as an embedding, without PCA; for Fourier features m counts frequencies, of two coordinates each",
	Reference: "RFK eq 2",
	Cost:      "nm(D + 20) flops to embed, 8mD bytes",
	Accuracy:  "approximate: kernel values are off by about m^(-1/2)",
	Version:   "1",
	Plain:     "features: fourier",
	New:       func() Options { return &RFFEmbeddingOptions{} },
})

// RFFEmbeddingOptions are the parameters of the embedding by random features.
type RFFEmbeddingOptions struct {
	Features string `yaml:"features" required:"true" enum:"fourier,offset,orthogonal,mercer" doc:"family of feature maps, as for rff; m counts frequencies, of two coordinates each (offset: one), or eigenfunctions (mercer)"`
	Clustered
}

// Method returns the embedding.
func (o *RFFEmbeddingOptions) Method() (Method, error) {
	features, err := newRFF(o.Features, "none", "rff-embedding")
	return o.Clustered.method(rffEmbedding{features}, err)
}

// Traits are those of features, or of clusters of them.
func (o *RFFEmbeddingOptions) Traits() Traits {
	return o.Clustered.traits(Traits{
		Uses: []string{"n", "m"}, Shape: ShapeEmbedding, Features: true, Streams: always, Holds: holdsNothing,
	})
}

// rffEmbedding is x ↦ Φ(x), ⟨Φ(x),Φ(y)⟩ ≈ k(x,y).
type rffEmbedding struct{ features rff }

func (r rffEmbedding) check(k kernel.Kernel, s Sizes) error {
	return r.features.Check(k, Sizes{N: s.N, M: s.M})
}

func (r rffEmbedding) cost(_ kernel.Kernel, s Sizes, dim float64) cost.Cost {
	return r.features.drawing(s, dim)
}

func (r rffEmbedding) width(s Sizes) int { return int(r.features.coordinates(s.M)) }

func (r rffEmbedding) embedding(_ context.Context, p Sample, rng *rand.Rand) (*Embedding, error) {
	return &Embedding{Functions: featureFunctions{r.features.draw(p, rng)}}, nil
}
