package metrics

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
	"mercer/internal/linalg"
	"mercer/internal/lists"
	"mercer/methods"
)

// objectiveMeasures are the measures of the uncentred objective and of its features.
var objectiveMeasures = map[string]Measure{
	"skp_objective": {
		Family:    ofProjections,
		Doc:       "uncentred objective on the held-out points, (1/N)Σ‖P̂k(·,x)‖²; for features tr(VᵀKV)/N², which may exceed the maximum over projections",
		Reference: "SKP eq 2, Lemma E.2",
		Cost:      "evaluating the components; for features also N²ℓ flops and Np² for p feature coordinates, and N²/2 kernel values once for all records of a group, or N² for each record where N > 5000 and their 8N² bytes do not fit into the run's memory, --memory",
		Outputs: []Output{
			{"skp_objective", "objective", Neither, ofLift},
		},
		compute: onHeldOut(skpObjective),
	},
	"skp_excess": {
		Family:    ofProjections,
		Doc:       "the largest objective of any projection of rank ℓ, Σ_{i≤ℓ} λ_i(K/N), minus skp_objective; may be negative for lifted features, which are not a projection",
		Reference: "SKP Thm 4.2(a)",
		Cost:      "that of skp_objective, and once for the points the top eigenvalues of their kernel matrix: of a matrix that is kept as skp_objective says, or else 4 to 12 times N² kernel values, more for a flatter spectrum",
		Outputs: []Output{
			{"skp_excess", "excess of the objective", Neither, ofLift},
			{"skp_optimum", "largest objective of rank ℓ", Neither, relative},
		},
		Cancels: true,
		compute: onHeldOut(skpExcess),
	},
	"skp_gram_distance": {
		Family:    ofFeatures,
		Doc:       "distance of the lifted feature subspace to the projections of rank ℓ, ‖G - I‖_F with G = [u_iᵀC_m u_j/√(λ_iλ_j)] on the held-out points",
		Reference: "SKP Thm 4.2(b)",
		Cost:      "that of skp_objective",
		Outputs: []Output{
			{"skp_gram_distance", "distance of the lift to projections", Less, ofLiftGram},
		},
		compute: onHeldOut(skpGramDistance),
	},
	"skp_features": {
		Family: ofFeatures,
		Doc: "squared distance ‖(Φ_ℓ^⊥)ᵀU‖²_F of the estimate in feature space from the leading eigenvectors of C_m on the held-out points (skp_feature_angle), " +
			"and the quantities in its bounds: eigenvalues λ_1, λ_ℓ, λ_{ℓ+1} of C_m (skp_feature_1, _ell, _next), Σ_{i≤ℓ} λ_i (_sum), (Σ_{i≤ℓ} ((2λ_i + 4λ_1)/λ_i²)²)^(1/2) (_spread), and the largest ‖z(x)‖² (_longest)",
		Reference: "SKP Def 4.1, Thm 4.2, Lemma C.5, Cor 4.4",
		Cost:      "that of skp_objective",
		Outputs: []Output{
			{"skp_feature_angle", "squared distance of feature spaces", Less, dimensions},
			{"skp_feature_1", "first eigenvalue of C_m", Neither, relative},
			{"skp_feature_ell", "eigenvalue ℓ of C_m", Neither, relative},
			{"skp_feature_next", "eigenvalue ℓ + 1 of C_m", Neither, relative},
			{"skp_feature_sum", "sum of ℓ eigenvalues of C_m", Neither, relative},
			{"skp_feature_spread", "spread of the eigenvalues of C_m", Neither, relative},
			{"skp_feature_longest", "largest squared norm of features", Neither, relative},
		},
		compute: onHeldOut(skpFeatures),
	},
}

// objective is what the measures of SKP share: of the held-out points Z, N of
// them, uncentred.
type objective struct {
	sums []float64 // of a subspace of H: (1/N) Σ_x φ̂_i(x)² for each component

	// Of a subspace of a feature space, Y = ΦU with orthonormal U:
	second *mat.Dense // UᵀC_m U = YᵀY/N, ℓ×ℓ
	form   *mat.Dense // YᵀK_ZZ Y/N², ℓ×ℓ
	turn   *mat.Dense // UᵀΦ_ℓ, Φ_ℓ the leading eigenvectors of C_m

	features featureMoment
}

// onHeldOut is a measure of SKP.
func onHeldOut(of func(e *evaluation, o *objective, ell int, into Values) error) formula {
	return func(e *evaluation, ell int, into Values) error {
		o, err := e.ofHeldOut()
		if err != nil {
			return err
		}
		return of(e, o, ell, into)
	}
}

// ofHeldOut is the objective's parts, computed once for all ℓ.
func (e *evaluation) ofHeldOut() (*objective, error) {
	return shared(e, "objective", 0, e.objective)
}

func (e *evaluation) objective() (*objective, error) {
	o := &objective{}
	n, _ := e.HeldOut.Dims()
	switch m := e.model.(type) {
	case *methods.Subspace:
		y := e.weighedByMass(m.Eval(e.HeldOut))
		o.sums = meanSquares(y)
	case *methods.FeatureSubspace:
		values := m.Eval(e.HeldOut)
		o.form = e.heldOut().form(values)
		o.form.Scale(1/(float64(n)*float64(n)), o.form)
		o.second = new(mat.Dense)
		byMass := e.weighedByMass(values)
		o.second.Mul(byMass.T(), byMass)
		o.second.Scale(1/float64(n), o.second)
		var err error
		if o.features, err = e.featureMoment(m.Map, m.Len()); err != nil {
			return nil, err
		}
		top, err := o.features.leading(m.Len())
		if err != nil {
			return nil, err
		}
		o.turn = new(mat.Dense)
		o.turn.Mul(m.Coef.T(), top.Vectors)
	}
	return o, nil
}

// featureMoment is C_m = ΦᵀΦ/N of the features Φ (N×p) of the held-out points.
type featureMoment struct {
	order   int           // min(N, p)
	square  *mat.SymDense // C_m, p×p; nil for N < p
	rows    *mat.Dense    // Φ/√N for N < p
	longest float64       // largest ‖z(x)‖² of a point
}

// leading are eigenpairs of C_m.
func (f featureMoment) leading(count int) (linalg.TopResult, error) {
	options := linalg.DefaultTopOptions(count)
	if f.rows == nil {
		return leading(linalg.Symmetric(f.square), count, options, "C_m")
	}
	top, err := linalg.TopOfRows(f.rows, count, options)
	return top, converged(top, err, count, "C_m")
}

// weighedByMass multiplies each row of values at the held-out points by the root of N
// times its mass: means of products over the N rows are then those under the masses.
func (e *evaluation) weighedByMass(y *mat.Dense) *mat.Dense {
	return linalg.ScaledRows(y, lists.Map(e.Masses, func(mass float64) float64 { return math.Sqrt(float64(len(e.Masses)) * mass) }))
}

func meanSquares(y *mat.Dense) []float64 {
	n, l := y.Dims()
	sums := make([]float64, l)
	for i := range n {
		for j, v := range y.RawRowView(i) {
			sums[j] += v * v
		}
	}
	for j := range sums {
		sums[j] /= float64(n)
	}
	return sums
}

// featureMoment is that of the held-out points, by blocks of rows: N·p·min(N, p) flops.
// Fewer than count + 1 points have no count + 1 pairs of their own.
func (e *evaluation) featureMoment(features kernel.FeatureMap, count int) (featureMoment, error) {
	n, _ := e.HeldOut.Dims()
	p := features.Dim()
	f := featureMoment{order: p}
	var block *mat.Dense
	if count < n && n < p {
		f.order, f.rows = n, mat.NewDense(n, p, nil)
	} else {
		f.square, block = mat.NewSymDense(p, nil), mat.NewDense(min(n, streamedRows), p, nil)
	}
	for from := 0; from < n; from += streamedRows {
		if err := e.ctx.Err(); err != nil {
			return f, err
		}
		to := min(from+streamedRows, n)
		var rows *mat.Dense
		if f.rows != nil {
			rows = linalg.Rows(f.rows, from, to)
		} else {
			rows = linalg.Rows(block, 0, to-from)
		}
		features.Transform(rows, linalg.Rows(e.HeldOut, from, to))
		for i := range to - from {
			f.longest = max(f.longest, floats.Dot(rows.RawRowView(i), rows.RawRowView(i)))
			if e.Masses != nil {
				floats.Scale(math.Sqrt(float64(n)*e.Masses[from+i]), rows.RawRowView(i))
			}
		}
		if f.square != nil {
			linalg.SyrkUpper(blas.Trans, 1/float64(n), rows, f.square)
		} else {
			rows.Scale(1/math.Sqrt(float64(n)), rows)
		}
	}
	return f, nil
}

// lifted are the leading kept components as functions in L² of the held-out
// points: of U R, R the rotation that brings them nearest to the eigenvectors of
// C_m, the second moments G and the forms v_iᵀKv_i/N², both with each function
// scaled to second moment 1. A function that is 0 at all points stays so.
//
// Reference: [SKP, Def 3.6, Lemma E.1, E.2]. Deviation: R is the polar factor of
// UᵀΦ_ℓ, which solves the problem of Lemma E.1; the lemma's UᵀΦ_ℓ itself is not
// orthogonal. Lemma E.2 writes 1/n for 1/N².
func (o *objective) lifted(kept int) (gram *mat.Dense, forms []float64, err error) {
	var turn mat.SVD
	if !turn.Factorize(o.turn.Slice(0, kept, 0, kept), mat.SVDFull) {
		return nil, nil, linalg.ErrNotConverged
	}
	var left, right, rotation mat.Dense
	turn.UTo(&left)
	turn.VTo(&right)
	rotation.Mul(&left, right.T())
	gram, forms = o.liftedBy(&rotation)
	return gram, forms, nil
}

// liftedBy is lifted with a matrix R (kept×kept) of any kind.
func (o *objective) liftedBy(r mat.Matrix) (gram *mat.Dense, forms []float64) {
	kept, _ := r.Dims()
	turned := func(a *mat.Dense) *mat.Dense {
		var half, whole mat.Dense
		half.Mul(a.Slice(0, kept, 0, kept), r)
		whole.Mul(r.T(), &half)
		return &whole
	}
	var form *mat.Dense
	gram, form = turned(o.second), turned(o.form)
	scale := scalesOf(gram)
	gram.Apply(func(i, j int, v float64) float64 { return scale[i] * v * scale[j] }, gram)
	forms = make([]float64, kept)
	for i := range forms {
		forms[i] = form.At(i, i) * scale[i] * scale[i]
	}
	return gram, forms
}

// scalesOf are λ_i^(−1/2) of functions' second moments; 0 for those that vanish.
func scalesOf(second mat.Matrix) []float64 {
	kept, _ := second.Dims()
	scale := make([]float64, kept)
	for i := range scale {
		if lambda := second.At(i, i); lambda > vanishing*mat.Trace(second) {
			scale[i] = 1 / math.Sqrt(lambda)
		}
	}
	return scale
}

// vanishing is the share of the second moment below which a function is rounding
// of others.
const vanishing = 1e-15

// value is ⟨P̂, Ĉ⟩ of the first kept components.
func (o *objective) value(kept int) (sum float64, err error) {
	terms := o.sums
	if terms == nil {
		_, terms, err = o.lifted(kept)
	}
	if err == nil {
		for _, v := range terms[:kept] {
			sum += v
		}
	}
	return sum, err
}

// skpObjective is ⟨P̂, Ĉ⟩ = (1/N) Σ_x ‖P̂ k(·,x)‖², Ĉ the uncentred covariance of
// the held-out points, and tr(VᵀKV)/N² of a lifted subspace of a feature space.
//
// Reference: [SKP, eq 2, Lemma E.2].
func skpObjective(e *evaluation, o *objective, ell int, into Values) (err error) {
	into["skp_objective"], err = o.value(e.kept(ell))
	return err
}

// skpExcess is what the best projection of rank ℓ has more. It is negative where
// a lifted subspace is no projection.
//
// Reference: [SKP, Thm 4.2(a)].
func skpExcess(e *evaluation, o *objective, ell int, into Values) error {
	optimum, err := e.heldOut().optimum(ell)
	if err != nil {
		return err
	}
	value, err := o.value(e.kept(ell))
	into["skp_excess"], into["skp_optimum"] = optimum-value, optimum
	return err
}

// skpGramDistance is d(𝔏P̂, P^k) = ‖G − I‖_F: the lift has the eigenvalues of G,
// those of a projection are ℓ ones.
//
// Reference: [SKP, Thm 4.2(b)].
func skpGramDistance(e *evaluation, o *objective, ell int, into Values) error {
	gram, _, err := o.lifted(e.kept(ell))
	if err != nil {
		return err
	}
	sum := float64(ell - e.kept(ell))
	for i := range e.kept(ell) {
		for j := range e.kept(ell) {
			v := gram.At(i, j)
			if i == j {
				v--
			}
			sum += v * v
		}
	}
	into["skp_gram_distance"] = math.Sqrt(sum)
	return nil
}

// skpFeatures is how far the estimate is from the leading eigenvectors of C_m, and
// what SKP's bounds ask of C_m on the held-out points: ‖(Φ_ℓ^⊥)ᵀU‖²_F = ℓ − ‖UᵀΦ_ℓ‖²_F,
// λ_1, λ_ℓ, λ_{ℓ+1}, Σ_{i≤ℓ} λ_i, (Σ_{i≤ℓ} ((2λ_i + 4λ_1)/λ_i²)²)^(1/2), and the largest
// ‖z(x)‖². The first is left out where fewer than ℓ components were found or λ_ℓ is tied, the sum
// of quotients where λ_ℓ is rounding.
//
// Reference: [SKP, Def 4.1, Thm 4.2, Lemma C.5].
func skpFeatures(e *evaluation, o *objective, ell int, into Values) error {
	lambda, err := o.leading(ell)
	if err != nil {
		return err
	}
	switch {
	case e.kept(ell) < ell:
	case lambda[ell-1]-lambda[ell] <= solved*lambda[0]:
		e.notes.Undefined["skp_feature_angle"] = fmt.Sprintf("λ_%d = λ_%d of C_m to rounding, so that its eigenspace of dimension %d is not determined", ell, ell+1, ell)
	default:
		into["skp_feature_angle"] = max(0, float64(ell)-math.Pow(mat.Norm(o.turn.Slice(0, ell, 0, ell), 2), 2))
	}
	into["skp_feature_1"], into["skp_feature_ell"], into["skp_feature_next"] = lambda[0], lambda[ell-1], lambda[ell]
	into["skp_feature_sum"], into["skp_feature_longest"] = floats.Sum(lambda[:ell]), o.features.longest
	if lambda[ell-1] > vanishing*lambda[0] {
		spread := 0.0
		for _, v := range lambda[:ell] {
			spread += math.Pow((2*v+4*lambda[0])/(v*v), 2)
		}
		into["skp_feature_spread"] = math.Sqrt(spread)
	}
	return nil
}

// leading are the ell+1 largest eigenvalues of C_m, 0 past its order.
func (o *objective) leading(ell int) ([]float64, error) {
	count := min(ell+1, o.features.order)
	top, err := o.features.leading(count)
	if err != nil {
		return nil, err
	}
	lambda := make([]float64, ell+1)
	for i, v := range top.Values {
		lambda[i] = max(v, 0)
	}
	return lambda, nil
}
