package methods

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"sync"

	"gonum.org/v1/gonum/blas/blas32"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/cost"
	"mercer/internal/kernel"
	"mercer/internal/linalg"
	"mercer/internal/linalg/threads"
	"mercer/methods/lloyd"
)

// streamed is the Nyström embedding whose points are read in blocks, clustered.
func (o *NystromEmbeddingOptions) streamed(y nystromEmbedding, err error) (Method, error) {
	if o.KMeans == nil {
		return nil, errors.Join(err, errors.New("stream: the embedded points are not kept beyond the fit; give the block kmeans"))
	}
	if rule, entry := o.Landmarks.Entry(); rule != "" && !entry.DataIndependent {
		err = errors.Join(err, errors.New("stream: the landmarks' rule "+rule+" looks at all points; take uniform or first"))
	}
	return streamedClustering{nystromEmbedding: y, kmeans: *o.KMeans}, errors.Join(err, o.KMeans.options().Check())
}

// streamedClustering embeds points block by block and clusters what it keeps of
// them: coordinates z̃_i in single precision, and in double precision
// k(x_i,x_i) − ‖z_i‖², what the projection leaves, so that costs in H are known
// without another pass over the points.
//
// Reference: [KKM, Alg 1]. Deviation: coordinates are rounded to 24 bits, which
// changes a squared distance by about 1e-7 of the squared lengths.
type streamedClustering struct {
	nystromEmbedding
	kmeans KMeansOptions
}

func (m streamedClustering) Check(k kernel.Kernel, s Sizes) error {
	return cmp.Or(m.check(k, s), checkClusters(s))
}

// Cost counts of n points their embedding in single precision, and about 120 bytes
// each for labels, distances and bounds; the map, and blocks of points.
func (m streamedClustering) Cost(k kernel.Kernel, s Sizes, dim float64) cost.Cost {
	n, landmarks, width := float64(s.N), float64(s.M), float64(m.width(s))
	flops := m.cost(k, s, dim).Flops + lloyd.Cost(n, width, float64(s.K), m.kmeans.Restarts).Flops
	stored := cost.Cost{Flops: flops, Bytes: 4*n*width + 120*n}
	return stored.Plus(cost.Numbers((2*landmarks + 2*rowsPerMap) * (landmarks + dim)))
}

// Fit reads p.Rows, twice where it picks landmarks. Reading is a part of the phase embed.
func (m streamedClustering) Fit(ctx context.Context, p Sample, rng *rand.Rand) (Model, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	set, err := p.pick(ctx, rng, m.landmarks)
	if err != nil {
		return nil, err
	}
	embedding, err := m.on(ctx, p, set)
	if err != nil {
		return nil, err
	}
	store := newStore(p.Sizes.N, embedding)
	if err := store.fill(ctx, p); err != nil {
		return nil, err
	}
	return m.cluster(ctx, p, store, rng)
}

// cluster divides the points of the store into clusters.
func (m streamedClustering) cluster(ctx context.Context, p Sample, s *store, rng *rand.Rand) (*Clustering, error) {
	defer p.phase("lloyd")()
	r, err := lloyd.ClusterSingle(ctx, s.z, p.Sizes.K, m.kmeans.options(), rng)
	if err != nil {
		return nil, err
	}
	s.addDistances(r.Labels, r.Centers)
	c := clusteringIn(s.embedding, p, r)
	c.Squared = s.squared
	return c, ctx.Err()
}

// store holds embedded points.
type store struct {
	embedding *Embedding
	z         blas32.General // n×d
	squared   []float64      // what the projection leaves of k(·,x_i), squared; in the end with the distance to the centre
}

// newStore allocates 4nd + 8n bytes.
func newStore(n int, e *Embedding) *store {
	d := e.Dim()
	return &store{embedding: e, z: linalg.NewLargeSingle(n, d), squared: make([]float64, n)}
}

// blockOfRows is what one goroutine reads at a time.
type blockOfRows struct {
	indices []int
	x       *mat.Dense
}

// fill embeds all points, blocks of rowsPerMap side by side.
func (s *store) fill(ctx context.Context, p Sample) error {
	defer p.phase("embed")()
	n, rows := s.z.Rows, p.rows()
	dim := rows.Dim()
	free := sync.Pool{New: func() any {
		return &blockOfRows{make([]int, rowsPerMap), mat.NewDense(rowsPerMap, dim, nil)}
	}}
	threads.For((n+rowsPerMap-1)/rowsPerMap, func(task int) {
		if ctx.Err() != nil {
			return
		}
		b := free.Get().(*blockOfRows)
		defer free.Put(b)
		from, to := task*rowsPerMap, min((task+1)*rowsPerMap, n)
		for i := range to - from {
			b.indices[i] = from + i
		}
		x := linalg.Rows(b.x, 0, to-from)
		rows.Rows(b.indices[:to-from], x)
		s.keep(from, x, s.embedding.Eval(x), p.Kernel)
	})
	return ctx.Err()
}

// keep stores the images z of the rows of x, which are the points from … on.
func (s *store) keep(from int, x, z *mat.Dense, k kernel.Kernel) {
	_, d := z.Dims()
	for i, norm := range kernel.Diagonal(k, x) {
		image := z.RawRowView(i)
		s.squared[from+i] = max(0, norm-floats.Dot(image, image))
		row := s.z.Data[(from+i)*s.z.Stride:][:d]
		for c, v := range image[:len(row)] {
			row[c] = float32(v)
		}
	}
}

// addDistances adds to squared the squared distances to the points' own centres.
func (s *store) addDistances(labels []int, centres *mat.Dense) {
	threads.For((s.z.Rows+rowsPerMap-1)/rowsPerMap, func(task int) {
		x := make([]float64, s.z.Cols)
		for i := task * rowsPerMap; i < min((task+1)*rowsPerMap, s.z.Rows); i++ {
			for c, v := range s.z.Data[i*s.z.Stride:][:len(x)] {
				x[c] = float64(v)
			}
			s.squared[i] += lloyd.SquaredDistance(x, centres.RawRowView(labels[i]))
		}
	})
}
