package metrics

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"mercer/methods"
)

// embeddingMeasures are the measures of the embedded components.
var embeddingMeasures = map[string]Measure{
	"embed_recon_l2": {
		Family:    ofFunctions,
		Doc:       "embed-and-reconstruct error in L²(P), S = tr Σ² - ‖LQ‖², Q an orthonormal basis of the embedded components, with its floor Σ_{i>ℓ} λ_i²",
		Reference: "NYK §4.2",
		Cost:      ofMoments,
		Outputs: []Output{
			{"embed_recon_l2", "embed-and-reconstruct error S", Less, ofL2},
			{"embed_recon_l2_floor", "floor of S", Neither, ofL2},
		},
		compute: embedReconL2,
	},
}

// basis is an orthonormal basis of L²(P) for each leading span of embedded
// components: q_j = Σ_i Coef_ij f_i, f centred.
type basis struct {
	coef  *mat.Dense // ℓ×ℓ, upper triangular
	spans []bool     // false where f_j lies in the span of those before it: q_j = 0
}

// What of a component's variance must be left by the components before it, and
// what of the largest variance it must have, for it to count as a direction of
// its own: variances are squares of numbers that are exact to 1e-16, relative
// for the former, absolute for the latter.
const (
	ownVariance   = 1e-12
	leastVariance = 1e-24
)

// orthonormalBasis orthonormalises by Gram and Schmidt, each component twice,
// in the inner product of the ℓ×ℓ covariances: 8ℓ³ flops.
func orthonormalBasis(cov *mat.SymDense) *basis {
	l := cov.SymmetricDim()
	b := &basis{coef: mat.NewDense(l, l, nil), spans: make([]bool, l)}
	largest := 0.0
	for j := range l {
		largest = max(largest, cov.At(j, j))
	}
	image, along := mat.NewVecDense(l, nil), mat.NewVecDense(l, nil)
	for j := range l {
		q := mat.NewVecDense(l, nil)
		q.SetVec(j, 1)
		for range 2 {
			image.MulVec(cov, q)
			along.MulVec(b.coef.T(), image)
			image.MulVec(b.coef, along)
			q.SubVec(q, image)
		}
		variance := mat.Inner(q, cov, q)
		b.spans[j] = variance > max(ownVariance*cov.At(j, j), leastVariance*largest)
		if b.spans[j] {
			q.ScaleVec(1/math.Sqrt(variance), q)
			b.coef.SetCol(j, q.RawVector().Data)
		}
	}
	return b
}

// orthonormal is the basis of the model's components, computed once.
func (e *evaluation) orthonormal() *basis {
	b, _ := shared(e, "basis", 0, func() (*basis, error) { return orthonormalBasis(e.moments.Cov), nil })
	return b
}

// embedReconL2 is S^ℓ = tr Σ² − ‖L Q‖²_F, Q an orthonormal basis of the embedded
// components in L²(P).
//
// Reference: [NYK, §4.2], embed and reconstruct. Deviation: the paper projects
// on functions Jφ_i/√λ_i, which are orthonormal for the population only; here
// those of an estimate are orthonormalised, so that S is the error of a
// projection and lies above its floor.
func embedReconL2(e *evaluation, ell int, into Values) error {
	total, floor, err := e.tails(2, ell)
	if err != nil {
		return err
	}
	into["embed_recon_l2"], into["embed_recon_l2_floor"] = floor, floor
	if e.shape == methods.ShapePopulation {
		return nil
	}
	for _, square := range e.captured()[:e.kept(ell)] {
		total -= square
	}
	into["embed_recon_l2"] = total
	return nil
}

// captured are ‖L q_j‖² of the basis, computed once.
func (e *evaluation) captured() []float64 {
	squares, _ := shared(e, "captured", 0, func() (squares []float64, err error) {
		b := e.orthonormal()
		var images mat.Dense
		images.Mul(e.moments.Image(), b.coef)
		for j := range b.spans {
			squares = append(squares, mat.Dot(b.coef.ColView(j), images.ColView(j)))
		}
		return squares, nil
	})
	return squares
}
