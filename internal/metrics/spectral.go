package metrics

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"mercer/methods"
)

// spectralMeasures are the measures of eigenvalues and eigenspaces, and of the model itself.
var spectralMeasures = map[string]Measure{
	"eigenspace_l2": {
		Family:    ofFunctions,
		Doc:       "distance of the ℓ-eigenspaces in L²(P), ‖Σ Iφ̂_i⊗Iφ̂_i - Σ Iφ_i⊗Iφ_i‖_HS; " + notTied,
		Reference: "RFK Thm 1(i), 2(i)",
		Cost:      ofMoments,
		Outputs: []Output{
			{"eigenspace_l2", "distance of eigenspaces in L²(P)", Less, ofSpace},
		},
		eigen:   true,
		compute: eigenspaceL2,
	},
	"eigenfunction_l2": {
		Family:    ofFunctions,
		Doc:       "sum of the distances of the eigenfunctions in L²(P), Σ ‖Iφ̂_i - Iφ_i‖, signs matched; not defined where a λ_i - λ_{i+1}, i ≤ ℓ, is at most the ρ of eigenspace_l2",
		Reference: "RFK Thm 1(ii), 2(ii)",
		Cost:      ofMoments,
		Outputs: []Output{
			{"eigenfunction_l2", "distance of eigenfunctions in L²(P)", Less, overGaps},
		},
		eigen:   true,
		each:    true,
		compute: eigenfunctionL2,
	},
	"eigenvalues": {
		Family:    ofComponents,
		Doc:       "the estimated eigenvalues λ̂_1 … λ̂_ℓ; 0 past the numerical rank",
		Reference: "NYK Prop 3.1",
		Cost:      ofFit,
		Outputs: []Output{
			firstEigenvalue,
		},
		compute: eigenvalues,
	},
	"rank": {
		Family:    ofComponents,
		Doc:       "numerical rank of the matrix that the fit factors: K_mm for nystrom, the sketched kernel matrix SᵀKS for randomized-kpca; for all other methods the number of components, at most ℓ",
		Reference: "a count of this program",
		Cost:      ofFit,
		Outputs: []Output{
			{"rank", "numerical rank", Neither, exact},
		},
		Steps:   true,
		compute: rank,
	},
	"model_size": {
		Family:    ofModels,
		Doc:       "memory that a fitted model needs to be evaluated at a new point, 8 bytes a number: landmarks or frequencies, coefficients, centres; exact and the same on every machine",
		Reference: "a count of this program",
		Cost:      ofFit,
		Unit:      "B",
		Outputs: []Output{
			{"model_size", "size of the model", Less, exact},
		},
		compute: modelSize,
	},
}

// eigenvalues are the estimates, 0 past the numerical rank.
func eigenvalues(e *evaluation, ell int, into Values) error {
	for i, o := range Eigenvalues(ell) {
		into[o.Name] = 0
		if i < len(e.spectrum.Values) {
			into[o.Name] = e.spectrum.Values[i]
		}
	}
	return nil
}

// rank is that of the matrix that the fit factors, where it factors one, or the
// number of components kept.
func rank(e *evaluation, ell int, into Values) error {
	into["rank"] = float64(e.spectrum.Rank)
	if e.spectrum.Rank == 0 {
		into["rank"] = float64(e.kept(ell))
	}
	return nil
}

// modelSize is 8 bytes for each number of the model's first ℓ components; left out
// where they are not known.
func modelSize(e *evaluation, ell int, into Values) error {
	if count, known := methods.Numbers(e.model, ell); known {
		into["model_size"] = 8 * float64(count)
	}
	return nil
}

// eigenspaceL2 is ‖Σ f_j⊗f_j − Σ λ_i e_i⊗e_i‖_HS, f_j = Iφ̂_j.
// With f_j = Σ_i C_ij e_i + r_j and the rests' products G its square is ‖CCᵀ − Λ‖² +
// 2 tr CGCᵀ + ‖G‖², in which squares do not cancel.
//
// Reference: [RFK, Thm 1(i), 2(i)].
func eigenspaceL2(e *evaluation, ell int, into Values) error {
	c, rest := e.coefficients(ell), e.left(ell)
	sum := math.Pow(mat.Norm(rest, 2), 2)
	for i := range ell {
		for j := range ell {
			own := mat.Dot(c.RowView(i), c.RowView(j))
			if i == j {
				own -= e.lambda[i]
			}
			sum += own * own
		}
		sum += 2 * mat.Inner(c.RowView(i), rest, c.RowView(i))
	}
	into["eigenspace_l2"] = math.Sqrt(sum)
	return nil
}

// eigenfunctionL2 is Σ_i ‖f_i − √λ_i e_i‖; a component that
// the model does not have counts as the zero function. ⟨φ_i, φ̂_i⟩ ≥ 0 fixes the
// signs: it is C_ii/√λ_i in H.
//
// Reference: [RFK, Thm 1(ii), 2(ii)].
func eigenfunctionL2(e *evaluation, ell int, into Values) error {
	c, rest := e.coefficients(ell), e.left(ell)
	for i := range ell {
		square := e.lambda[i]
		if i < e.kept(ell) {
			own := math.Abs(c.At(i, i)) - math.Sqrt(e.lambda[i])
			square = rest.At(i, i) + own*own
			for j := range ell {
				if j != i {
					square += c.At(j, i) * c.At(j, i)
				}
			}
		}
		into["eigenfunction_l2"] += math.Sqrt(square)
	}
	return nil
}

// coefficients are C, those of the kept components by the first ell eigenfunctions.
func (e *evaluation) coefficients(ell int) *mat.Dense {
	return e.moments.Eigen.Slice(0, ell, 0, e.kept(ell)).(*mat.Dense)
}

// left are G, the products of what these leave of the components, computed once for each ell;
// none is negative.
func (e *evaluation) left(ell int) *mat.SymDense {
	left, _ := shared(e, "left", ell, func() (*mat.SymDense, error) {
		rest := e.moments.Rest(ell).SliceSym(0, e.kept(ell)).(*mat.SymDense)
		for i := range rest.SymmetricDim() {
			rest.SetSym(i, i, max(0, rest.At(i, i)))
		}
		return rest, nil
	})
	return left
}
