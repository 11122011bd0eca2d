package methods

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"

	"gonum.org/v1/gonum/mat"

	"mercer/internal/cost"
	"mercer/internal/kernel"
	"mercer/internal/linalg"
)

var _ = register("kjl", Entry{
	Label: "K-JL",
	Doc: "kernel Johnson-Lindenstrauss: x ↦ Z K k(x)/(m^(3/2)√d) on a subsample of m of the n points, Z a d×m Gaussian sketch; " +
		"m and n are n and N in KJL; without m, or with subsample: all, the subsample is the whole sample",
	Reference: "KJL §3-5",
	Cost:      "m²(D + 2d) flops for the map (srht: m²(D + log m)), nm(D + 2d) to embed; 8m² bytes; uncentred Gaussian, with a kernel of finite rank r ≤ m/4, 4mrd flops for the map",
	Accuracy:  "approximate and random: squared distances are those of Σn³, to about √(2/d) of themselves",
	Version:   "2",
	New: func() Options {
		return &KJLOptions{Subsample: "uniform", Sketch: gaussianRows}
	},
})

// Words of the option sketch.
const (
	gaussianRows = "gaussian"
	srht         = "srht"
)

// KJLOptions are the parameters of the kernel Johnson-Lindenstrauss embedding.
type KJLOptions struct {
	Subsample string `yaml:"subsample" enum:"uniform,first,all" doc:"the points whose kernel matrix is sketched: uniform (m of the n without replacement, default), first (the first m) or all (all n, whatever m is)"`
	Sketch    string `yaml:"sketch" enum:"gaussian,srht" doc:"gaussian: Z has independent N(0,1) entries (default); srht: √n'·R H D instead, a subsampled randomised Hadamard transform"`
	Centered  bool   `yaml:"centered" doc:"centre K and the map at the subsample's means, as in the experiments of KJL; false (default) is the map of the theorems"`
	Clustered
}

// Method returns the embedding.
func (o *KJLOptions) Method() (Method, error) {
	s, err := checkSubsample(o.Subsample)
	if o.Sketch != gaussianRows && o.Sketch != srht {
		err = errors.Join(err, fmt.Errorf("sketch %q: must be gaussian or srht", o.Sketch))
	}
	return o.Clustered.method(kjl{subsample: s, sketch: o.Sketch, centred: o.Centered}, err)
}

// Traits say that a centred map is no sketch of Σ³, and a Hadamard transform not Gaussian.
func (o *KJLOptions) Traits() Traits {
	t := Traits{Uses: []string{"n", "m", "d"}, Shape: ShapeGaussian, Coordinates: kjl{sketch: o.Sketch, centred: o.Centered}.usesCoordinates()}
	switch {
	case o.Centered:
		t.Shape = ShapeEmbedding
	case o.Sketch != gaussianRows:
		t.Shape = ShapeSketch
	}
	t = o.Clustered.traits(subsample(o.Subsample).traits(t))
	if o.Sketch == srht {
		t.NoCounts = "a Hadamard transform mixes points by their order, and a sample of counts has none; take sketch: gaussian"
	}
	return t
}

// kjl is x ↦ Z K k_X(x)/(m^(3/2)√d): functions f_a = Σ_j (K Zᵀ)_ja k(·,X_j)/(m^(3/2)√d)
// whose operator Σ_a f_a⊗f_a averages to Σ_m³ over Z. Centred, K is C K C and
// k_X(x) is C(k_X(x) − K1/m).
//
// The rows of Z are drawn one after another: the first d' of d are those of a
// sketch of d', but for the factor 1/√d.
//
// Reference: [KJL, §3, V̂ᵀ = ZK/(n√(nd))], centred [KJL, §5].
// Deviation: the sketch srht, for speed.
type kjl struct {
	subsample subsample
	sketch    string
	centred   bool
}

func (j kjl) check(_ kernel.Kernel, s Sizes) error {
	if s.D < 1 {
		return errors.New("the grid gives no d: kjl needs the dimension of its sketch")
	}
	if m := j.subsample.size(s); j.sketch == srht && s.D > linalg.NextPowerOfTwo(m) {
		return fmt.Errorf("d = %d rows of a Hadamard matrix of order %d (m = %d)", s.D, linalg.NextPowerOfTwo(m), m)
	}
	return j.subsample.check(s)
}

// cost counts the subsample's kernel matrix and its product with the sketch, or the
// coordinates of the subsample.
func (j kjl) cost(k kernel.Kernel, s Sizes, dim float64) cost.Cost {
	m, d := float64(j.subsample.size(s)), float64(s.D)
	if r := rankBelow(k, int(m)); r > 0 && j.usesCoordinates() {
		return cost.Cost{Flops: 4 * m * r * d}.Plus(draws(m * d)).Plus(cost.Numbers(m * (r + 5*d)))
	}
	sketch := cost.Cost{Flops: 2 * m * m * d}.Plus(cost.Numbers(4 * m * d)).Plus(linalg.SymmetricCost(m, d))
	return j.subsample.cost(s, dim).Plus(sketch)
}

func (kjl) width(s Sizes) int { return s.D }

// usesCoordinates says that K Zᵀ is found without K.
func (j kjl) usesCoordinates() bool { return !j.centred && j.sketch == gaussianRows }

func (j kjl) embedding(ctx context.Context, p Sample, rng *rand.Rand) (*Embedding, error) {
	set, err := j.subsample.points(ctx, p, rng)
	if err != nil {
		return nil, err
	}
	points, d := set.Points, p.Sizes.D
	rows, _ := points.Dims()
	m := j.subsample.size(p.Sizes)
	e := &Embedding{Sketch: !j.centred, Gaussian: j.sketch == gaussianRows, Counts: set.Times}
	coef := mat.NewDense(rows, d, nil)
	var gram *mat.SymDense
	coordinates, ok := finiteCoordinates(p.Kernel, points)
	if ok = ok && j.usesCoordinates(); !ok {
		gram = j.subsample.matrix(p, points)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	defer p.phase("sketch")()
	if j.centred && centredIsRounding(gram, set.Times) {
		return nil, errors.New("the subsample's centred kernel matrix is zero: all points look the same to this kernel")
	}
	var operator linalg.Operator
	switch {
	case ok:
		operator = linalg.Gramian(coordinates)
	case j.centred:
		operator = weights(set.Times).centred(gram)
	default:
		operator = linalg.Symmetric(gram)
	}
	switch {
	case j.sketch == srht:
		hadamardSketch(coef, gram, j.centred, rng)
	default: // rows of Zᵀ add up over the points of a row, which all have the same coefficient
		operator.Apply(coef, weights(set.Times).normal(rows, set.Drawn, d, rng))
		linalg.ScaleRows(coef, set.Times)
	}
	coef.Scale(1/(math.Pow(float64(m), 1.5)*math.Sqrt(float64(d))), coef)
	if err := checkFinite(coef); err != nil {
		return nil, err
	}
	e.Functions = kernel.Expansion{Kernel: p.Kernel, Points: points, Coef: coef}
	if j.centred {
		e.Offset = meansOf(coef, gram, set.Times)
	}
	return e, nil
}

// hadamardSketch fills coef with K Zᵀ for Z = √n' R H D, n' the order m of K
// rounded up to a power of two, H the orthonormal Hadamard matrix of order n', D
// random signs, R the choice of d rows without replacement: ZᵀZ averages to d·I.
// It costs n' log n' additions a row of K. Centred, K is C K C.
//
// Reference: Ailon and Chazelle, The fast Johnson-Lindenstrauss transform, SIAM
// Journal on Computing 39 (2009).
func hadamardSketch(coef *mat.Dense, gram *mat.SymDense, centred bool, rng *rand.Rand) {
	m, d := coef.Dims()
	order := linalg.NextPowerOfTwo(m)
	signs := make([]float64, m)
	for i := range signs {
		signs[i] = float64(2*rng.IntN(2) - 1)
	}
	chosen := rng.Perm(order)[:d]
	free := sync.Pool{New: func() any { row := make([]float64, order); return &row }}
	eachRow(m, func(i int) {
		buffer := free.Get().(*[]float64)
		defer free.Put(buffer)
		row := *buffer
		clear(row[m:])
		for l := range m {
			row[l] = gram.At(i, l)
		}
		if centred {
			centreRows(mat.NewDense(1, m, row[:m]))
		}
		for l, sign := range signs {
			row[l] *= sign
		}
		linalg.Hadamard(row)
		for a, l := range chosen {
			coef.Set(i, a, row[l])
		}
	})
	if centred {
		centreColumns(coef)
	}
}
