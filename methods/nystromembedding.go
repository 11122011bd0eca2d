package methods

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"mercer/internal/cost"
	"mercer/internal/kernel"
	"mercer/internal/linalg"
	"mercer/methods/landmark"
)

var _ = register("nystrom-embedding", Entry{
	Label: "Nyström embedding",
	Doc: "Nyström embedding of n points on m landmarks: coordinates of the projections of k(·,x) onto the span of the landmarks' kernel functions, " +
		"or onto its d leading directions",
	Reference: "KKM Alg 1, KJL §5.2",
	Cost:      "m²D + m³/3 flops for the map, nm(D + m) to embed; of rank d, m²D + O(m²d) and nm(D + 2d); 8m² bytes",
	Accuracy:  "approximate: of rank full, inner products are those of the projections onto the landmarks' span",
	Version:   "1",
	New: func() Options {
		return &NystromEmbeddingOptions{Landmarks: landmark.DefaultOptions(), Rank: "d"}
	},
})

// NystromEmbeddingOptions are the parameters of the Nyström embedding.
type NystromEmbeddingOptions struct {
	Landmarks landmark.Options `yaml:"landmarks" doc:"rule that picks the m landmarks among the n points, or {rule: …} with its parameters; default uniform, without replacement"`
	Stream    bool             `yaml:"stream" doc:"read the points in blocks and keep the embedded points in single precision, 4nr bytes, for samples larger than memory; needs kmeans, and landmarks uniform or first"`
	Rank      string           `yaml:"rank" enum:"d,full" doc:"d (default): the d leading eigenvectors of the landmarks' kernel matrix, or all if the grid has no d; full: all, whatever d is"`
	Clustered
}

// Method returns the embedding.
func (o *NystromEmbeddingOptions) Method() (Method, error) {
	err := o.Landmarks.Check()
	if o.Rank != "d" && o.Rank != "full" {
		err = errors.Join(err, fmt.Errorf("rank %q: must be d or full", o.Rank))
	}
	embedding := nystromEmbedding{landmarks: o.Landmarks, full: o.Rank == "full"}
	if o.Stream {
		return o.streamed(embedding, err)
	}
	return o.Clustered.method(embedding, err)
}

// Traits say that an embedding of full rank does not use d, and what streams.
func (o *NystromEmbeddingOptions) Traits() Traits {
	t := Traits{
		Uses: []string{"n", "m", "d"}, Shape: ShapeEmbedding, Space: SpaceSpan, Cut: CutBySize,
		Holds: func(_ Model, s Sizes) int { return s.M * s.M }, // K_mm
	}
	if o.Rank == "full" {
		t.Uses, t.Cut = []string{"n", "m"}, CutNever
	}
	if t = o.Clustered.traits(t.onLandmarks(o.Landmarks)); o.Stream {
		t.Streams, t.Holds, t.Shape = always, nil, ShapeStreamed
		t.NoCounts = "stream: true reads points; leave it out, for a sample of counts needs no more memory than its atoms"
	}
	return t
}

// nystromEmbedding is φ̃(x) = Λ^(−1/2)Uᵀk_m(x) for the top d eigenpairs of K_mm.
// Of full rank it is landmarkCoordinates, the same but for a rotation.
//
// Reference: [KKM, Alg 1], rank d [KJL, §5.2].
type nystromEmbedding struct {
	landmarks landmark.Options
	full      bool
}

func (y nystromEmbedding) rank(s Sizes) int {
	if y.full {
		return 0
	}
	return s.D
}

// width is the number of coordinates.
func (y nystromEmbedding) width(s Sizes) int { return cmp.Or(y.rank(s), s.M) }

// cost counts what the landmarks' rule takes, whose memory is free again; the
// landmarks, K_mm with its factor or its leading pairs, and the images of the sample.
func (y nystromEmbedding) cost(_ kernel.Kernel, s Sizes, dim float64) cost.Cost {
	n, m, d := float64(s.N), float64(s.M), float64(y.rank(s))
	solve := linalg.PivotedCost(m).Then(cost.Cost{Flops: n * m * m}.Plus(cost.Numbers(1.5 * m * m)))
	if d > 0 {
		images := cost.Cost{Flops: 2 * n * m * d}
		solve = cost.Symmetric(m).Plus(krylov(m, d)).Plus(cost.Numbers(m * d)).Plus(images)
	}
	return picking(y.landmarks, s, dim).Then(cost.Values((m+n)*m, dim).Plus(solve).Plus(cost.Numbers(3 * m * dim)))
}

func (y nystromEmbedding) check(_ kernel.Kernel, s Sizes) error {
	if s.M < 1 {
		return errors.New("the grid gives no m: nystrom-embedding needs a number of landmarks")
	}
	if err := y.landmarks.CheckSizes(s.N, s.M); err != nil {
		return err
	}
	if y.rank(s) > s.M {
		return fmt.Errorf("d = %d dimensions of a span of at most %d (m = %d)", s.D, s.M, s.M)
	}
	return nil
}

func (y nystromEmbedding) embedding(ctx context.Context, p Sample, rng *rand.Rand) (*Embedding, error) {
	set, err := p.pick(ctx, rng, y.landmarks)
	if err != nil {
		return nil, err
	}
	return y.on(ctx, p, set)
}

// on is the embedding by given landmarks.
func (y nystromEmbedding) on(ctx context.Context, p Sample, set landmark.Set) (*Embedding, error) {
	if d := y.rank(p.Sizes); d > 0 {
		return y.truncated(ctx, p, d, set)
	}
	basis, err := basisOf(p, set)
	if err != nil {
		return nil, err
	}
	e := &Embedding{Functions: &landmarkCoordinates{basis}, Isometric: true, Warnings: basis.warnings}
	m := p.Sizes.M
	if set.Times != nil {
		m, _ = set.Points.Dims()
	}
	if r := basis.rank(); r < m {
		e.Warnings = append(e.Warnings, fmt.Sprintf("%d dimensions kept of m = %d", r, m))
	}
	return e, nil
}

func (y nystromEmbedding) truncated(ctx context.Context, p Sample, d int, set landmark.Set) (*Embedding, error) {
	points := set.Points
	stop := p.phase("gram")
	kmm := kernel.Gram(p.Kernel, points)
	stop()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	defer p.phase("factor")()
	m, _ := points.Dims()
	asked, size := min(d, m), linalg.LargestDiagonal(kmm) // a rule may pick fewer landmarks than it is asked for
	times := weights(set.Times)
	top, err := linalg.Top(linalg.Symmetric(times.matrix(kmm, false)), asked, linalg.DefaultTopOptions(asked))
	if err != nil {
		return nil, fmt.Errorf("kernel matrix of the landmarks: %w", err)
	}
	spectrum, err := spectrumOf(top, m, 0)
	if err != nil {
		return nil, errors.New("kernel matrix of the landmarks: rank 0: " + landmarksAreZero)
	}
	coef := leading(top.Vectors, len(spectrum.Values))
	times.roots(coef)
	scaleColumns(coef, func(i int) float64 { return 1 / math.Sqrt(spectrum.Values[i]) })
	spectrum.warnOfRounding(coef, size)
	return &Embedding{
		Functions: kernel.Expansion{Kernel: p.Kernel, Points: points, Coef: coef},
		Isometric: true, Cut: true, Warnings: append(set.Warnings, spectrum.dimensionsKept(d)...),
	}, nil
}
