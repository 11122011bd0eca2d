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
	Needs     []string // of the data set: "population", "held-out points", "classes"
	reason    string   // why it is not defined for other shapes
	// compute adds the outputs at ell to into; nil for what the runner measures.
	compute func(e *evaluation, ell int, into map[string]float64) error
}

// What a measure may need of its data set.
const (
	NeedsPopulation = "population"      // whose operators are known
	NeedsHeldOut    = "held-out points" // that an empirical population is uniform on
	NeedsClasses    = "classes"
)

var (
	needsPopulation = []string{NeedsPopulation}
	needsClasses    = []string{NeedsClasses}
)

var (
	spectral    = []string{methods.ShapeSubspace, methods.ShapeFeatures, methods.ShapePopulation}
	clusterings = []string{methods.ShapeClustering}
	embedded    = []string{methods.ShapeEmbedding, methods.ShapeSketch, methods.ShapeClustering}
)

// Reasons of measures that have shapes in common.
const (
	spectralOnly    = "it measures the components of an estimated covariance"
	clusteringsOnly = "it measures clusters; give the embedding a block kmeans"
)

// Registry holds every measure by the name that specs use.
var Registry = map[string]Measure{
	"recon_h": {
		Doc:       "reconstruction error in H, R = tr Σ - tr S + ‖δ‖², with its projection part, mean part and floor Σ_{i>ℓ} λ_i",
		Reference: "NYK eq 13-14",
		Outputs:   []string{"recon_h", "recon_h_projection", "recon_h_mean", "recon_h_floor"},
		Shapes:    []string{methods.ShapeSubspace, methods.ShapePopulation},
		Needs:     needsPopulation,
		reason:    "a subspace of the feature space is no subspace of H; measure recon_l2",
		compute:   (*evaluation).reconH,
	},
	"recon_l2": {
		Doc:       "reconstruct-and-embed error in L²(P), T = tr Σ² - 2τ + ‖S‖² + δᵀSδ, with its projection part, mean part and floor Σ_{i>ℓ} λ_i²",
		Reference: "NYK §4.2",
		Outputs:   []string{"recon_l2", "recon_l2_projection", "recon_l2_mean", "recon_l2_floor"},
		Shapes:    spectral,
		reason:    spectralOnly,
		Needs:     needsPopulation,
		compute:   (*evaluation).reconL2,
	},
	"eigenspace_l2": {
		Doc:       "distance of the ℓ-eigenspaces in L²(P), ‖Σ Iφ̂_i⊗Iφ̂_i - Σ Iφ_i⊗Iφ_i‖_HS",
		Reference: "RFK Thm 1(i), 2(i)",
		Outputs:   []string{"eigenspace_l2"},
		Shapes:    spectral,
		reason:    spectralOnly,
		Needs:     needsPopulation,
		compute:   (*evaluation).eigenspaceL2,
	},
	"eigenfunction_l2": {
		Doc:       "sum of the distances of the eigenfunctions in L²(P), Σ ‖Iφ̂_i - Iφ_i‖, signs matched",
		Reference: "RFK Thm 1(ii), 2(ii)",
		Outputs:   []string{"eigenfunction_l2"},
		Shapes:    spectral,
		reason:    spectralOnly,
		Needs:     needsPopulation,
		compute:   (*evaluation).eigenfunctionL2,
	},
	"eigenvalues": {
		Doc:     "the estimated eigenvalues λ̂_1 … λ̂_ℓ; 0 past the numerical rank",
		Outputs: []string{"eigenvalue_1"},
		Shapes:  spectral,
		reason:  spectralOnly,
		compute: (*evaluation).eigenvalues,
	},
	"rank": {
		Doc:     "numerical rank of K_mm for nystrom; for the others, how many of the ℓ components there are",
		Outputs: []string{"rank"},
		Shapes:  spectral,
		reason:  spectralOnly,
		compute: (*evaluation).rank,
	},
	"time": {
		Doc:     "wall time of the fit alone, and of its phases gram, factor, sketch, embed, solve and lloyd; cells that measure it run one at a time, with fixed threads and nothing shared",
		Unit:    "s",
		Outputs: []string{"time_total", "time_gram", "time_factor", "time_sketch", "time_embed", "time_solve", "time_lloyd"},
		Shapes:  slices.Concat(spectral, embedded),
	},
	"cluster_cost": {
		Doc:       "k-means cost W(C, μ) of the centres found, mean over the sample and over held-out points: in H, what a projection leaves included; cluster_cost_embedding_… for embeddings that keep no distances of H, and for kmeans in its input space",
		Reference: "KKM §2",
		Outputs:   []string{"cluster_cost_train", "cluster_cost_test", "cluster_cost_embedding_train", "cluster_cost_embedding_test"},
		Shapes:    clusterings,
		reason:    clusteringsOnly,
		compute:   once("cluster_cost", (*evaluation).clusterCost),
	},
	"partition_cost": {
		Doc:       "kernel k-means cost of the clusters' means in H, whatever found the clusters, mean over the sample; for held-out points the mean squared distance to the nearest of these means; n² kernel values",
		Reference: "KKM Prop 2",
		Outputs:   []string{"partition_cost", "partition_cost_test"},
		Shapes:    clusterings,
		reason:    clusteringsOnly,
		compute:   once("partition_cost", (*evaluation).partitionCost),
	},
	"nmi": {
		Doc:       "normalised mutual information of clusters and true classes, by the arithmetic and by the geometric mean of the entropies; _test on held-out points",
		Reference: "KKM §5",
		Outputs:   []string{"nmi_arithmetic", "nmi_geometric", "nmi_arithmetic_test", "nmi_geometric_test"},
		Shapes:    clusterings,
		Needs:     needsClasses,
		reason:    clusteringsOnly,
		compute:   once("nmi", (*evaluation).nmi),
	},
	"rand": {
		Doc:       "plain Rand index of clusters and true classes; _test on held-out points",
		Reference: "KJL Table 2",
		Outputs:   []string{"rand", "rand_test"},
		Shapes:    clusterings,
		Needs:     needsClasses,
		reason:    clusteringsOnly,
		compute:   once("rand", (*evaluation).randIndex),
	},
	"adjusted_rand": {
		Doc:     "Rand index adjusted for chance; _test on held-out points",
		Outputs: []string{"adjusted_rand", "adjusted_rand_test"},
		Shapes:  clusterings,
		Needs:   needsClasses,
		reason:  clusteringsOnly,
		compute: once("adjusted_rand", (*evaluation).adjustedRand),
	},
	"clusters": {
		Doc:     "points in the smallest cluster that is not empty and in the largest, number of empty clusters, Lloyd iterations",
		Outputs: []string{"smallest_cluster", "largest_cluster", "empty_clusters", "lloyd_iterations"},
		Shapes:  clusterings,
		reason:  clusteringsOnly,
		compute: once("clusters", (*evaluation).clusters),
	},
	"separation": {
		Doc:       "how far apart the true classes are in the embedding (for kernel-kmeans in H): mean silhouette, and smallest distance between classes over largest diameter of a class; on at most 10,000 points, spread evenly over the sample",
		Reference: "KJL §5.1",
		Outputs:   []string{"silhouette", "separation"},
		Shapes:    embedded,
		Needs:     needsClasses,
		reason:    "it looks at the images of points in an embedding",
		compute:   once("separation", (*evaluation).separation),
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

// Offer is what a data set has for measures.
type Offer struct {
	Population bool // one is declared
	HeldOut    bool // it is uniform on given points
}

// Undefined says why a measure is not defined for models of a shape on a data
// set; nil where it is. Whether there are classes shows only when the data are
// opened.
func Undefined(measure, shape string, offer Offer) error {
	m, known := Registry[measure]
	switch {
	case !known:
		return fmt.Errorf("unknown measure %q", measure)
	case !slices.Contains(m.Shapes, shape):
		article := "a"
		if shape == methods.ShapeEmbedding {
			article = "an"
		}
		return fmt.Errorf("%s is not defined for %s %s: %s", measure, article, shape, m.reason)
	case slices.Contains(m.Needs, NeedsPopulation) && !offer.Population:
		return fmt.Errorf("%s needs a population: add population: self, test or {held_out: N} to the data set", measure)
	case slices.Contains(m.Needs, NeedsHeldOut) && !offer.HeldOut:
		return fmt.Errorf("%s needs held-out points: take a data set of points and add population: self, test or {held_out: N} to it", measure)
	}
	return nil
}
