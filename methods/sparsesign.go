package methods

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/counts"
	"mercer/internal/linalg/threads"
)

var _ = register("sparse-sign-sketch", Entry{
	Label:     "sparse sign sketch",
	Doc:       "kernel PCA over m combinations of kernel functions in which every point of the sample has weights in a few, with random signs; a product of the Gram matrix with them takes 2n²q flops, whatever m is",
	Reference: "Kane & Nelson 2014; Cohen 2016; Martinsson & Tropp 2020, §9.2",
	Cost:      "2n²(D + q) + O(nm²) flops for q nonzeros a point, 16nm bytes",
	Accuracy:  "approximate: the kernel matrix is projected onto the span of m random combinations",
	Version:   "1",
	New:       func() Options { return &SparseSignOptions{Nonzeros: 8, Center: "u"} },
})

// SparseSignOptions are the parameters of kernel PCA on a sparse-sign sketch.
type SparseSignOptions struct {
	Nonzeros int    `yaml:"nonzeros" min:"1" max:"65536" doc:"columns in which a point has a weight (default 8); m where that is fewer"`
	Center   string `yaml:"center" enum:"u,v,none" doc:"u divides by n-1 (default), v by n, none does not centre"`
}

// Method returns kernel PCA over the span of Σ_i S_ij k(·, X_i), j ≤ m, where each row of S
// (n×m) has q entries ±1/√q, one in each of q blocks of columns: E[SSᵀ] = I. Products with
// S take 2q flops a kernel value in place of 2m; S itself is held as a dense matrix.
//
// Reference: Kane & Nelson 2014 (Sparser Johnson-Lindenstrauss transforms), the block
// construction; Cohen 2016 (Nearly tight oblivious subspace embeddings by trace
// inequalities); Martinsson & Tropp 2020 (Randomized numerical linear algebra), §9.2,
// where q is ζ.
// Deviation: kernel PCA; columns of a point are one in each block in place of any q, so
// that the sum over c equal points has a law that can be drawn at once.
func (o *SparseSignOptions) Method() (Method, error) {
	c, err := checkCenter(o.Center)
	if o.Nonzeros < 1 {
		err = errors.Join(err, fmt.Errorf("nonzeros %d: must be 1 at least", o.Nonzeros))
	}
	return randomSketch{name: "sparse-sign-sketch", center: c, nonzeros: o.Nonzeros}, err
}

// Traits are those of a sketch of the sample.
func (*SparseSignOptions) Traits() Traits {
	return Traits{Uses: []string{"n", "m", "ell"}, Shape: ShapeSubspace, Space: SpaceSpan, OnSample: true}
}

// signs draws S with q entries a point, one in each of q blocks of columns, point by
// point. Rows that stand for several points are sums over these, of a sample of more than
// counts.Singly drawn at once: how many points fall on each column of a block, and how
// many of them have the sign +.
func signs(p Sample, q int, rng *rand.Rand) *mat.Dense {
	n, m := p.n(), p.Sizes.M
	s, unit := mat.NewDense(n, m, nil), 1/math.Sqrt(float64(q))
	times := p.weights()
	singly := times == nil || times.total(n) <= counts.Singly
	for i := range n {
		row, c := s.RawRowView(i), times.at(i)
		if singly {
			for range int(c) {
				addSigns(row, q, rng)
			}
		} else {
			addSumOfSigns(row, q, c, rng)
		}
		floats.Scale(unit, row)
	}
	return s
}

// addSigns adds one point's signs to a row.
func addSigns(row []float64, q int, rng *rand.Rand) {
	for b := range q {
		block := row[b*len(row)/q : (b+1)*len(row)/q]
		block[rng.IntN(len(block))] += float64(1 - 2*int(rng.Uint64()&1))
	}
}

// addSumOfSigns adds those of c points.
func addSumOfSigns(row []float64, q int, c float64, rng *rand.Rand) {
	for b := range q {
		block := row[b*len(row)/q : (b+1)*len(row)/q]
		hits := make([]float64, len(block))
		counts.Multinomial(hits, c, slices.Repeat([]float64{1}, len(block)), rng)
		for j, h := range hits {
			block[j] += 2*counts.Binomial(h, 0.5, rng) - h
		}
	}
}

// sparseRows are the entries of a matrix that are not 0, row by row: those of row i are
// from[i] to from[i+1].
type sparseRows struct {
	from, columns []int
	values        []float64
}

func nonzerosOf(a *mat.Dense) sparseRows {
	n, _ := a.Dims()
	r := sparseRows{from: make([]int, 1, n+1)}
	for i := range n {
		for j, v := range a.RawRowView(i) {
			if v != 0 {
				r.columns, r.values = append(r.columns, j), append(r.values, v)
			}
		}
		r.from = append(r.from, len(r.columns))
	}
	return r
}

// multiply sets dst to k·A for these rows of A.
func (r sparseRows) multiply(dst, k *mat.Dense) {
	const chunk = 16
	rows, _ := dst.Dims()
	threads.For((rows+chunk-1)/chunk, func(c int) {
		for i := c * chunk; i < min((c+1)*chunk, rows); i++ {
			to := dst.RawRowView(i)
			clear(to)
			for at, v := range k.RawRowView(i) {
				for e := r.from[at]; e < r.from[at+1]; e++ {
					to[r.columns[e]] += v * r.values[e]
				}
			}
		}
	})
}
