package metrics

import (
	"fmt"
	"slices"

	"mercer/methods"
)

// Measure is something a spec can ask for.
type Measure struct {
	Doc       string
	Reference string
	Unit      string   // of every output; empty for a dimensionless number
	Outputs   []string // names of the metrics in records; eigenvalue_1 … eigenvalue_ell for eigenvalues
	Shapes    []string // shapes of model it is defined for
	Needs     string   // "population" where one is needed
	reason    string   // why it is not defined for other shapes
}

var spectral = []string{methods.ShapeSubspace, methods.ShapeFeatures, methods.ShapePopulation}

// Registry holds every measure by the name that specs use.
var Registry = map[string]Measure{
	"recon_h": {
		Doc:       "reconstruction error in H, R = tr Σ - tr S + ‖δ‖², with its projection part, mean part and floor Σ_{i>ℓ} λ_i",
		Reference: "NYK eq 13-14",
		Outputs:   []string{"recon_h", "recon_h_projection", "recon_h_mean", "recon_h_floor"},
		Shapes:    []string{methods.ShapeSubspace, methods.ShapePopulation},
		Needs:     "population",
		reason:    "a subspace of the feature space is no subspace of H; measure recon_l2",
	},
	"recon_l2": {
		Doc:       "reconstruct-and-embed error in L²(P), T = tr Σ² - 2τ + ‖S‖² + δᵀSδ, with its projection part, mean part and floor Σ_{i>ℓ} λ_i²",
		Reference: "NYK §4.2",
		Outputs:   []string{"recon_l2", "recon_l2_projection", "recon_l2_mean", "recon_l2_floor"},
		Shapes:    spectral,
		Needs:     "population",
	},
	"eigenspace_l2": {
		Doc:       "distance of the ℓ-eigenspaces in L²(P), ‖Σ Iφ̂_i⊗Iφ̂_i - Σ Iφ_i⊗Iφ_i‖_HS",
		Reference: "RFK Thm 1(i), 2(i)",
		Outputs:   []string{"eigenspace_l2"},
		Shapes:    spectral,
		Needs:     "population",
	},
	"eigenfunction_l2": {
		Doc:       "sum of the distances of the eigenfunctions in L²(P), Σ ‖Iφ̂_i - Iφ_i‖, signs matched",
		Reference: "RFK Thm 1(ii), 2(ii)",
		Outputs:   []string{"eigenfunction_l2"},
		Shapes:    spectral,
		Needs:     "population",
	},
	"eigenvalues": {
		Doc:     "the estimated eigenvalues λ̂_1 … λ̂_ℓ; 0 past the numerical rank",
		Outputs: []string{"eigenvalue_1"},
		Shapes:  spectral,
	},
	"rank": {
		Doc:     "numerical rank of K_mm for nystrom; for the others, how many of the ℓ components there are",
		Outputs: []string{"rank"},
		Shapes:  spectral,
	},
	"time": {
		Doc:     "wall time of the fit alone, and of its phases landmarks, gram, factor, embed and solve; cells that measure it run one at a time, with fixed threads and nothing shared",
		Unit:    "s",
		Outputs: []string{"time_total", "time_landmarks", "time_gram", "time_factor", "time_embed", "time_solve"},
		Shapes:  spectral,
	},
}

// Names lists the measures in alphabetical order.
func Names() []string {
	names := make([]string, 0, len(Registry))
	for name := range Registry {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Undefined says why a measure is not defined for models of a shape, with or
// without a population; nil where it is.
func Undefined(measure, shape string, population bool) error {
	m, known := Registry[measure]
	switch {
	case !known:
		return fmt.Errorf("unknown measure %q", measure)
	case !slices.Contains(m.Shapes, shape):
		return fmt.Errorf("%s is not defined for a %s: %s", measure, shape, m.reason)
	case m.Needs == "population" && !population:
		return fmt.Errorf("%s needs a population: add population: self, test or {held_out: N} to the data set", measure)
	}
	return nil
}
