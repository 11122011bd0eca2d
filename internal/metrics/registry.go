package metrics

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"mercer/internal/lists"
	"mercer/methods"
)

// Costs that several measures share.
const (
	ofMoments = "the moments of the model's ℓ functions, once for all measures of them: 2Ns(D + ℓ) + 2N²ℓ flops for functions over s points or features and N points of an empirical population, or s²(50 + 4ℓ) in closed form, sr(50 + 4ℓ) for a kernel of rank r"
	ofFit     = "nothing beside the fit"
	ofLabels  = "the clusters of the held-out points, once for all measures of them: that of embedding them, and 3dk flops a point, or for kernel-kmeans n kernel values a point"
)

// Registry holds every measure by the name that specs use.
var Registry = map[string]Measure{
	"recon_h": {
		Doc:       "reconstruction error in H, R = tr Σ - tr S + ‖δ‖², with its projection part, mean part and floor Σ_{i>ℓ} λ_i",
		Reference: "NYK eq 13-14",
		Cost:      ofMoments,
		Outputs:   []string{"recon_h", "recon_h_projection", "recon_h_mean", "recon_h_floor"},
		Labels:    []string{"reconstruction error R", "projection part of R", "mean part of R", "floor of R"},
		Better:    []Better{Less, Neither, Neither, Neither},
		Rounding:  []Rounding{ulps(resolution, traceC), ulps(resolution, traceC), {1e-28, traceC}, ulps(resolution, traceC)},
		Shapes:    []string{methods.ShapeSubspace, methods.ShapePopulation},
		reason:    spectralOnly,
		Needs:     needsPopulation,
		reasons:   map[string]string{methods.ShapeFeatures: "a subspace of the feature space is no subspace of H; measure recon_l2"},
		compute:   (*evaluation).reconH,
	},
	"recon_l2": {
		Doc:       "reconstruct-and-embed error in L²(P), T = tr Σ² - 2τ + ‖S‖² + δᵀSδ, with its projection part, mean part and floor Σ_{i>ℓ} λ_i²",
		Reference: "NYK §4.2",
		Cost:      ofMoments,
		Outputs:   []string{"recon_l2", "recon_l2_projection", "recon_l2_mean", "recon_l2_floor"},
		Labels:    []string{"reconstruct-and-embed error T", "projection part of T", "mean part of T", "floor of T"},
		Better:    []Better{Less, Neither, Neither, Neither},
		Rounding:  []Rounding{ulps(resolution, ofL2), ulps(resolution, ofL2), {1e-28, ofL2}, ulps(resolution, ofL2)},
		Shapes:    spectral,
		reason:    spectralOnly,
		Needs:     needsPopulation,
		compute:   (*evaluation).reconL2,
	},
	"embed_recon_l2": {
		Doc:       "embed-and-reconstruct error in L²(P), S = tr Σ² - ‖LQ‖², Q an orthonormal basis of the embedded components, with its floor Σ_{i>ℓ} λ_i²",
		Reference: "NYK §4.2",
		Cost:      ofMoments,
		Outputs:   []string{"embed_recon_l2", "embed_recon_l2_floor"},
		Labels:    []string{"embed-and-reconstruct error S", "floor of S"},
		Better:    []Better{Less, Neither},
		Rounding:  []Rounding{ulps(resolution, ofL2)},
		Shapes:    spectral,
		reason:    spectralOnly,
		Needs:     needsPopulation,
		compute:   (*evaluation).embedReconL2,
	},
	"eigenspace_l2": {
		Doc:       "distance of the ℓ-eigenspaces in L²(P), ‖Σ Iφ̂_i⊗Iφ̂_i - Σ Iφ_i⊗Iφ_i‖_HS; " + notTied,
		Reference: "RFK Thm 1(i), 2(i)",
		Cost:      ofMoments,
		Outputs:   []string{"eigenspace_l2"},
		Labels:    []string{"distance of eigenspaces in L²(P)"},
		Better:    []Better{Less},
		Rounding:  []Rounding{{1, ofSpace}},
		Shapes:    spectral,
		reason:    spectralOnly,
		Needs:     needsPopulation,
		eigen:     true,
		compute:   (*evaluation).eigenspaceL2,
	},
	"eigenfunction_l2": {
		Doc:       "sum of the distances of the eigenfunctions in L²(P), Σ ‖Iφ̂_i - Iφ_i‖, signs matched; not defined where a λ_i - λ_{i+1}, i ≤ ℓ, is at most the ρ of eigenspace_l2",
		Reference: "RFK Thm 1(ii), 2(ii)",
		Cost:      ofMoments,
		Outputs:   []string{"eigenfunction_l2"},
		Labels:    []string{"distance of eigenfunctions in L²(P)"},
		Better:    []Better{Less},
		Rounding:  []Rounding{{1, ofFunctions}},
		Shapes:    spectral,
		reason:    spectralOnly,
		Needs:     needsPopulation,
		eigen:     true,
		each:      true,
		compute:   (*evaluation).eigenfunctionL2,
	},
	"principal_angle": {
		Doc:       "sine of the largest principal angle in L²(P) between the embedded components and the population's first ℓ eigenfunctions; 1 if the estimate has fewer dimensions; not defined where eigenspace_l2 is not",
		Reference: "Björck & Golub 1973",
		Cost:      ofMoments,
		Outputs:   []string{"principal_angle"},
		Labels:    []string{"sine of the largest angle"},
		Better:    []Better{Less},
		Rounding:  []Rounding{{1, ofAngle}},
		Shapes:    spectral,
		reason:    spectralOnly,
		Needs:     needsPopulation,
		eigen:     true,
		compute:   (*evaluation).principalAngle,
	},
	"eigenvalues": {
		Doc:       "the estimated eigenvalues λ̂_1 … λ̂_ℓ; 0 past the numerical rank",
		Reference: "NYK Prop 3.1",
		Cost:      ofFit,
		Outputs:   []string{"eigenvalue_1"},
		Labels:    []string{"first eigenvalue"},
		Better:    []Better{Neither},
		Rounding:  []Rounding{{solved, firstValue}},
		Shapes:    spectral,
		reason:    spectralOnly,
		compute:   (*evaluation).eigenvalues,
	},
	"rank": {
		Doc:       "numerical rank of the matrix that the fit factors: K_mm for nystrom, the sketched kernel matrix SᵀKS for sketches, the factor of the Gram matrix for incomplete-cholesky; for all other methods the number of components, at most ℓ",
		Reference: "a count of this program",
		Cost:      ofFit,
		Outputs:   []string{"rank"},
		Labels:    []string{"numerical rank"},
		Better:    []Better{Neither},
		Rounding:  exact,
		Steps:     true,
		Shapes:    spectral,
		reason:    spectralOnly,
		compute:   (*evaluation).rank,
	},
	"skp_objective": {
		Doc:       "uncentred objective on the held-out points, (1/N)Σ‖P̂k(·,x)‖²; for features tr(VᵀKV)/N², which may exceed the maximum over projections",
		Reference: "SKP eq 2, Lemma E.2",
		Cost:      "evaluating the components; for features also N²ℓ flops and Np² for p feature coordinates, and N²/2 kernel values once for all records of a group (for each by itself under a time limit, of streaming methods and of programs, where their 8N² bytes do not fit into the run's memory, --memory, and N > 5000)",
		Outputs:   []string{"skp_objective"},
		Labels:    []string{"objective"},
		Better:    []Better{Neither},
		Rounding:  []Rounding{ulps(64, ofLift)},
		Shapes:    []string{methods.ShapeSubspace, methods.ShapeFeatures},
		Needs:     needsHeldOut,
		Matrix:    true,
		reason:    noProjection,
		forms:     ofFeatures,
		compute:   (*evaluation).skpObjective,
	},
	"skp_excess": {
		Doc:       "the largest objective of any projection of rank ℓ, Σ_{i≤ℓ} λ_i(K/N), minus skp_objective; may be negative for lifted features, which are not a projection",
		Reference: "SKP Thm 4.2(a)",
		Cost:      "that of skp_objective, and once for the points the top eigenvalues of their kernel matrix: of a matrix that is kept as skp_objective says, or else 4 to 12 times N² kernel values, more for a flatter spectrum",
		Outputs:   []string{"skp_excess", "skp_optimum"},
		Labels:    []string{"excess of the objective", "largest objective of rank ℓ"},
		Better:    []Better{Neither},
		Rounding:  []Rounding{ulps(64, ofLift), {solved, itself}},
		Cancels:   true,
		Shapes:    []string{methods.ShapeSubspace, methods.ShapeFeatures},
		Needs:     needsHeldOut,
		Matrix:    true,
		reason:    noProjection,
		forms:     ofFeatures,
		compute:   (*evaluation).skpExcess,
	},
	"skp_projected": {
		Doc:       "objective of the projection that is nearest to the estimate: of a feature subspace that onto its functions in L² of the held-out points, Σ_{i≤ℓ} qᵢᵀKqᵢ/N for an orthonormal basis q of their values, and what the best projection has more; at most the largest objective of any projection, and for a subspace of H skp_objective",
		Reference: "SKP Cor C.12",
		Cost:      "that of skp_excess",
		Outputs:   []string{"skp_projected", "skp_projected_excess"},
		Labels:    []string{"objective of the nearest projection", "excess of the nearest projection"},
		Better:    []Better{More, Less},
		Rounding:  []Rounding{ulps(64, ofLift)},
		Cancels:   true,
		Shapes:    []string{methods.ShapeSubspace, methods.ShapeFeatures},
		Needs:     needsHeldOut,
		Matrix:    true,
		reason:    noProjection,
		forms:     ofFeatures,
		compute:   (*evaluation).skpProjected,
	},
	"skp_lifts": {
		Doc:       "skp_objective by other lifts of a feature subspace U: by R = UᵀΦ_ℓ of Lemma E.1, which is not orthogonal (skp_lift_lemma), and by no rotation at all (skp_lift_none); they may exceed the maximum over projections",
		Reference: "SKP Lemma E.1, E.2",
		Cost:      "that of skp_objective",
		Outputs:   []string{"skp_lift_lemma", "skp_lift_none"},
		Labels:    []string{"objective, lift of Lemma E.1", "objective, no correction of the lift"},
		Better:    []Better{Neither},
		Rounding:  []Rounding{ulps(64, ofLift)},
		Shapes:    []string{methods.ShapeFeatures},
		Needs:     needsHeldOut,
		Matrix:    true,
		reason:    "it is not lifted from a feature space; take rff",
		forms:     ofFeatures,
		compute:   (*evaluation).skpLifts,
	},
	"skp_gram_distance": {
		Doc:       "distance of the lifted feature subspace to the projections of rank ℓ, ‖G - I‖_F with G = [u_iᵀC_m u_j/√(λ_iλ_j)] on the held-out points",
		Reference: "SKP Thm 4.2(b)",
		Cost:      "that of skp_objective",
		Outputs:   []string{"skp_gram_distance"},
		Labels:    []string{"distance of the lift to projections"},
		Better:    []Better{Less},
		Rounding:  []Rounding{ulps(64, ofLiftGram)},
		Shapes:    []string{methods.ShapeFeatures},
		Needs:     needsHeldOut,
		Matrix:    true,
		reason:    "it is not lifted from a feature space; take rff",
		reasons:   map[string]string{methods.ShapeSubspace: "its components are orthonormal in H, so that it is a projection and the distance 0 by definition; measure skp_objective"},
		forms:     ofFeatures,
		compute:   (*evaluation).skpGramDistance,
	},
	"skp_features": {
		Doc: "squared distance ‖(Φ_ℓ^⊥)ᵀU‖²_F of the estimate in feature space from the leading eigenvectors of C_m on the held-out points (skp_feature_angle), " +
			"and the quantities in its bounds: eigenvalues λ_1, λ_ℓ, λ_{ℓ+1} of C_m (skp_feature_1, _ell, _next), Σ_{i≤ℓ} λ_i (_sum), (Σ_{i≤ℓ} ((2λ_i + 4λ_1)/λ_i²)²)^(1/2) (_spread), and the largest ‖z(x)‖² (_longest)",
		Reference: "SKP Def 4.1, Thm 4.2, Lemma C.5, Cor 4.4",
		Cost:      "that of skp_objective",
		Outputs:   []string{"skp_feature_angle", "skp_feature_1", "skp_feature_ell", "skp_feature_next", "skp_feature_sum", "skp_feature_spread", "skp_feature_longest"},
		Labels:    []string{"squared distance of feature spaces", "first eigenvalue of C_m", "eigenvalue ℓ of C_m", "eigenvalue ℓ + 1 of C_m", "sum of ℓ eigenvalues of C_m", "spread of the eigenvalues of C_m", "largest squared norm of features"},
		Better:    []Better{Less, Neither, Neither, Neither, Neither, Neither, Neither},
		Rounding:  []Rounding{ulps(64, dimensions), {solved, itself}},
		Shapes:    []string{methods.ShapeFeatures},
		Needs:     needsHeldOut,
		Matrix:    true,
		reason:    "it is not found in a feature space; take rff",
		forms:     ofFeatures,
		compute:   (*evaluation).skpFeatures,
	},
	"kjl_operator": {
		Doc:       "operator error of a Gaussian sketch, ‖S*V̂V̂ᵀS - Σ³‖_op (uncentred), with its sampling part ‖Σn³ - Σ³‖_op and sketch part ‖S*V̂V̂ᵀS - Σn³‖_op",
		Reference: "KJL Thm 1",
		Cost:      "n²(p + D + n/3) + 2400n(p + n) flops and 8n(2n + p) bytes for p functions of the population",
		Outputs:   []string{"kjl_operator", "kjl_operator_sampling", "kjl_operator_sketch"},
		Labels:    []string{"operator error of the sketch", "operator error, part of the sample", "operator error, part of the sketch"},
		Better:    []Better{Less, Neither, Neither},
		Rounding:  []Rounding{{1e-12, normC}},
		Shapes:    ofSketch,
		Needs:     needsPopulation,
		reason:    noSketch,
		Uncentred: true,
		forms:     ofSketchOperators,
		compute:   (*evaluation).kjlOperator,
	},
	"kjl_weak": {
		Doc:       "root mean square of ⟨α, V̂ᵀSf - Θf⟩ over Θ and unit α, f the first eigenfunction: ((‖V̂ᵀSf‖² + ⟨f,Σ³f⟩)/d)^(1/2), with the roots of both terms",
		Reference: "KJL Thm 2",
		Cost:      "np values of the population's p functions at the n sketched points, nd flops",
		Outputs:   []string{"kjl_weak", "kjl_weak_sketch", "kjl_weak_limit"},
		Labels:    []string{"weak error, root mean square", "weak error, part of the sketch", "weak error, limit"},
		Better:    []Better{Less, Neither, Neither},
		Rounding:  []Rounding{ulps(64, rootC)},
		Shapes:    ofSketch,
		Needs:     needsPopulation,
		reason:    noSketch,
		Uncentred: true,
		compute:   (*evaluation).kjlWeak,
	},
	"kjl_weak_error": {
		Doc:       "|⟨α, V̂ᵀSf⟩ - ⟨α, Θf⟩| of a Gaussian sketch (not srht) for f the first eigenfunction, α the first unit vector and one draw of Θ, given by the sketch's second coordinate; not computed at d = 1",
		Reference: "KJL Thm 2",
		Cost:      "n² kernel values",
		Outputs:   []string{"kjl_weak_error"},
		Labels:    []string{"weak error"},
		Better:    []Better{Less},
		Rounding:  []Rounding{ulps(64, rootC)},
		Shapes:    []string{methods.ShapeGaussian},
		Needs:     needsPopulation,
		reason:    noSketch,
		reasons:   map[string]string{methods.ShapeSketch: onlyGaussian},
		Uncentred: true,
		absent:    "the sketch has one coordinate",
		compute:   once("kjl_weak_error", (*evaluation).kjlWeakError),
	},
	"kjl_sample": {
		Doc:       "tr Σn³ and ‖Σn³‖_op of the n sketched points, uncentred; their quotient is the effective dimension s of Σn³",
		Reference: "KJL Lemma B.3",
		Cost:      "n² kernel values, n³ flops; with a kernel of finite rank p, np² flops",
		Outputs:   []string{"kjl_sample_trace", "kjl_sample_norm"},
		Labels:    []string{"tr Σₙ³", "‖Σₙ³‖"},
		Better:    []Better{Neither},
		Rounding:  []Rounding{{solved, itself}},
		Shapes:    ofSketch,
		Needs:     needsPopulation,
		reason:    noSketch,
		Uncentred: true,
		forms:     ofSketchPoints,
		compute:   once("kjl_sample", (*evaluation).kjlSample),
	},
	"kjl_stretch": {
		Doc:       "largest ‖V̂ᵀSh‖² of a sketch over unit h in H, the norm of S*V̂V̂ᵀS; λ_1³ in the limit",
		Reference: "KJL eq 12",
		Cost:      "n² kernel values, 2n²d flops, O(d²); with a kernel of finite rank p, npd flops",
		Outputs:   []string{"kjl_stretch"},
		Labels:    []string{"largest squared stretch"},
		Better:    []Better{Neither},
		Rounding:  []Rounding{{solved, itself}},
		Shapes:    ofSketch,
		Needs:     needsPopulation,
		reason:    noSketch,
		Uncentred: true,
		compute:   once("kjl_stretch", (*evaluation).kjlStretch),
	},
	"kjl_separation": {
		Doc: "smallest squared distance between points of different classes in a sketch, and in H (kjl_separation_h, Δ), and the part of Δ that the sketch keeps in the limit, max_k λ_k³(Δ - 4ε_kκ) for k up to 50, " +
			"ε_k the largest share of k(·,x) outside the k leading eigenfunctions (kjl_separation_limit); on at most 10,000 points, drawn at random from a larger sample",
		Reference: "KJL eq 11, Assumption 1",
		Cost:      "two passes over all pairs of the points",
		Outputs:   []string{"kjl_separation", "kjl_separation_h", "kjl_separation_limit"},
		Labels:    []string{"least squared distance, sketch", "least squared distance, in H", "least squared distance, limit"},
		Better:    []Better{Neither},
		Rounding:  []Rounding{ulps(64, kappaC), ulps(64, supremum), ulps(64, kappaC)},
		Sample:    true,
		Shapes:    ofSketch,
		Needs:     []string{NeedsPopulation, NeedsClasses},
		reason:    noSketch,
		Uncentred: true,
		absent:    oneClass,
		compute:   once("kjl_separation", (*evaluation).kjlSeparation),
	},
	"kjl_means": {
		Doc: "squared distance between the means of two classes of the held-out points in a sketch, and in H (kjl_means_h), and λ_1³(‖μ_1 - μ_2‖² - σ/π_1π_2) (kjl_means_limit), " +
			"σ the largest eigenvalue of the classes' covariance operators, π their shares; only with two classes",
		Reference: "KJL eq 13",
		Cost:      "N(n + p) kernel values and O(Np) flops for N held-out points, p functions of the population",
		Outputs:   []string{"kjl_means", "kjl_means_h", "kjl_means_limit"},
		Labels:    []string{"squared distance of means, sketch", "squared distance of means, in H", "squared distance of means, limit"},
		Better:    []Better{Neither},
		Rounding:  []Rounding{ulps(64, kappaC), ulps(64, supremum), ulps(64, kappaC)},
		Shapes:    ofSketch,
		Needs:     []string{NeedsHeldOut, NeedsClasses},
		reason:    noSketch,
		absent:    "the held-out points are not of two classes",
		compute:   once("kjl_means", (*evaluation).kjlMeans),
	},
	"kjl_projection": {
		Doc:       "first coordinate of √d V̂ᵀSf/⟨f,Σ³f⟩^(1/2) of a Gaussian sketch (not srht), f the first eigenfunction, and its standard deviation given the sample; over repeats the coordinate is N(0,1) in the limit, the ratio of the two at every n",
		Reference: "KJL Thm 3",
		Cost:      "n² kernel values",
		Outputs:   []string{"kjl_projection", "kjl_projection_sd"},
		Labels:    []string{"normalised first coordinate", "standard deviation of the coordinate"},
		Better:    []Better{Neither},
		Rounding:  []Rounding{ulps(64, unity)},
		Shapes:    []string{methods.ShapeGaussian},
		Needs:     needsPopulation,
		reason:    noSketch,
		reasons:   map[string]string{methods.ShapeSketch: onlyGaussian},
		Uncentred: true,
		compute:   (*evaluation).kjlProjection,
	},
	"time": {
		Doc:       "wall time of the fit alone, and of its phases landmarks, gram (the kernel matrix, or the draw of random features), factor, sketch, embed, solve, lloyd, read (points of a method that streams) and exec (a program, with the phases that it reports); timed cells run one at a time, in an order drawn anew for each repeat, with fixed threads and nothing shared",
		Reference: "measured by this program",
		Cost:      "a fit of its own for each record, and a warm-up for each cell",
		Unit:      "s",
		Outputs:   []string{"time_total", "time_landmarks", "time_gram", "time_factor", "time_sketch", "time_read", "time_embed", "time_solve", "time_lloyd", "time_exec"},
		Labels:    []string{"time of the fit", "time of picking landmarks", "time of the kernel matrix", "time of factoring", "time of sketching", "time of reading", "time of embedding", "time of solving", "time of Lloyd's algorithm", "time of the program"},
		Better:    []Better{Less},
		Rounding:  exact,
		Shapes:    anyShape,
	},
	"memory": {
		Doc:       "peak growth of Go's heap during a separate fit, run alone like a timed one, without memory that a BLAS library allocates; below the resolution of 64 KiB there is no value, and a warning",
		Reference: "measured by this program",
		Cost:      "one more fit",
		Unit:      "B",
		Outputs:   []string{"memory"},
		Labels:    []string{"peak memory of the fit"},
		Better:    []Better{Less},
		Rounding:  exact,
		Shapes:    anyShape,
	},
	"flops": {
		Doc:       "floating-point operations of the fit, as the method estimates them",
		Reference: "a count of this program",
		Cost:      ofFit,
		Unit:      "flop",
		Outputs:   []string{"flops"},
		Labels:    []string{"floating-point operations"},
		Better:    []Better{Less},
		Rounding:  exact,
		Shapes:    anyShape,
	},
	"kernel_entries": {
		Doc: "entries of kernel matrices that the fit reads, counted while it runs: an entry that is read twice counts twice, a kernel matrix of n points n² though half is computed; kernel_entries_landmarks are those that pick landmarks, of rpcholesky the n(m + 1) of its paper and the squares of its proposals; " +
			"0 for random features and where coordinates of a kernel of finite rank are taken instead; not for programs; kernel_passes are passes over the sample, counted too: the points that rows of kernel values or features are computed of, over n (rows of X on atoms), the points of a kernel matrix once",
		Reference: "Chen, Epperly, Tropp & Webber 2023, §1",
		Cost:      "one more fit",
		Outputs:   []string{"kernel_entries", "kernel_entries_landmarks", "kernel_passes"},
		Labels:    []string{"kernel entries read", "kernel entries that pick landmarks", "passes over the sample"},
		Better:    []Better{Less},
		Rounding:  exact,
		Steps:     true,
		Shapes:    anyShape,
		lacks:     programs,
	},
	"model_size": {
		Doc:       "memory that a fitted model needs to be evaluated at a new point, 8 bytes a number: landmarks or frequencies, coefficients, centres; exact and the same on every machine",
		Reference: "a count of this program",
		Cost:      ofFit,
		Unit:      "B",
		Outputs:   []string{"model_size"},
		Labels:    []string{"size of the model"},
		Better:    []Better{Less},
		Shapes:    fitted,
		reason:    notFitted,
		absent:    "the program evaluates its model itself, or gave no centres",
		Rounding:  exact,
		compute:   (*evaluation).modelSize,
	},
	"fit_memory": {
		Doc:       "memory that a fit must hold at once besides the sample, 8 bytes a number: its model and the matrices it works on, without blocks of rows; a count for the algorithm, the same on every machine, whereas memory measures what this program allocates; not for methods without a known count",
		Reference: "a count of this program",
		Cost:      ofFit,
		Unit:      "B",
		Outputs:   []string{"fit_memory"},
		Labels:    []string{"memory that a fit needs"},
		Better:    []Better{Less},
		Shapes:    fitted,
		reason:    notFitted,
		lacks:     noCount,
		Rounding:  exact,
	},
	"cluster_cost": {
		Doc:       "k-means cost W(C, μ) of the centres found, mean over the sample and over held-out points: in H, including the residual of a projection; cluster_cost_embedding_… for embeddings that do not keep the distances of H, and for kmeans in its input space",
		Reference: "KKM §2",
		Cost:      ofLabels,
		Outputs:   []string{"cluster_cost_train", "cluster_cost_test", "cluster_cost_embedding_train", "cluster_cost_embedding_test"},
		Labels:    []string{"k-means cost W, sample", "k-means cost W, held out", "k-means cost, embedding, sample", "k-means cost, embedding, held out"},
		Better:    []Better{Less, Less, Neither, Neither},
		Rounding:  []Rounding{ulps(64, meanK), ulps(64, heldOutNorm), {solved, itself}},
		Steps:     true,
		Sample:    true,
		Shapes:    assigned,
		reason:    clusteringsOnly,
		absent:    noCentres,
		compute:   once("cluster_cost", (*evaluation).clusterCost),
	},
	"partition_cost": {
		Doc:       "kernel k-means cost of the clusters' means in H, for clusters of any method, mean over the sample; for held-out points the mean squared distance to the nearest of these means",
		Reference: "KKM Prop 2",
		Cost:      "Σ_j |C_j|²/2 kernel values for clusters C_j, and n for each held-out point",
		Outputs:   []string{"partition_cost", "partition_cost_test"},
		Labels:    []string{"cost of the clusters, sample", "cost of the clusters, held out"},
		Better:    []Better{Less},
		Rounding:  []Rounding{ulps(64, meanK), ulps(64, heldOutNorm)},
		Steps:     true,
		Sample:    true,
		Shapes:    clusterings,
		reason:    clusteringsOnly,
		absent:    noCentres,
		compute:   once("partition_cost", (*evaluation).partitionCost),
	},
	"nystrom_residual": {
		Doc: "residual of the sample outside the landmarks' span: ‖(I-P)C_n(I-P)‖_op, C_n uncentred, the largest eigenvalue of (K - K_nm K_mm⁺ K_mn)/n; landmarks are γ-preserving with ε if and only if it is at most γε/((1-ε)n); " +
			"for a subspace of H, P projects onto the span in which its components are sought (sketches), or onto that of the k(·,p) in them; not for embeddings that do not keep the distances of H; with the largest k(x,x) of the sample (nystrom_residual_kappa), the κ of KKM's lemmas",
		Reference: "KKM Def 2",
		Cost:      "n² kernel values, n²r flops and 8n² bytes for r dimensions, or, above 5000 points, 3 to 10 times n² kernel values",
		Outputs:   []string{"nystrom_residual", "nystrom_residual_kappa"},
		Labels:    []string{"residual outside the landmarks", "largest k(x,x) of the sample"},
		Better:    []Better{Less, Neither},
		Rounding:  []Rounding{ulps(1, traceK), {solved, itself}},
		Cancels:   true,
		Sample:    true,
		Shapes:    landmarked,
		reason:    noSpan,
		lacks:     noDistances,
		absent:    ownSpace,
		span:      true,
		forms:     ofResidual,
		compute:   once("nystrom_residual", (*evaluation).nystromResidual),
	},
	"trace_residual": {
		Doc:       "relative error in the trace norm of the Nyström approximation of the sample's kernel matrix, tr(K - K_nm K_mm⁺ K_mn)/tr K, and the mean squared distance of the k(·,x_i) from the landmarks' span, tr(K - K_nm K_mm⁺ K_mn)/n (trace_residual_mean); the span is that of nystrom_residual",
		Reference: "KKM Def 2",
		Cost:      "n kernel values, nr flops for r dimensions",
		Outputs:   []string{"trace_residual", "trace_residual_mean"},
		Labels:    []string{"relative error in trace norm", "mean squared residual"},
		Better:    []Better{Less},
		Rounding:  []Rounding{ulps(1, rowCount), ulps(1, traceK)},
		Cancels:   true,
		Sample:    true,
		Shapes:    landmarked,
		reason:    noSpan,
		lacks:     noDistances,
		absent:    ownSpace,
		span:      true,
		forms:     ofSpan,
		compute:   once("trace_residual", (*evaluation).traceResidual),
	},
	"matrix_trace": {
		Doc:       "relative error in the trace norm of the approximation K̂ of the sample's kernel matrix, ‖K - K̂‖_*/tr K; " + approximationOf + "; the sum of the diagonal of K - K̂, exact at every n; of features K - K̂ is indefinite: take matrix_frobenius_sampled above 5000 points",
		Reference: "Chen, Epperly, Tropp & Webber 2023, §2",
		Cost:      "n kernel values and nr flops for rank r; of features n² kernel values and 10n³ flops, for at most 5000 points",
		Outputs:   []string{"matrix_trace", "matrix_trace_cut"},
		Labels:    []string{"relative error in trace norm", "error of the cut K̂, trace norm"},
		Better:    []Better{Less},
		Rounding:  []Rounding{ulps(1, rowCount)},
		Cancels:   true,
		Sample:    true,
		Shapes:    approximating,
		reason:    noApproximation,
		span:      true,
		forms:     ofTrace,
		compute:   matrixError(0),
	},
	"matrix_frobenius": {
		Doc:       "relative error in the Frobenius norm of the approximation of matrix_trace, ‖K - K̂‖_F/‖K‖_F, exact at every n",
		Reference: "Gittens & Mahoney 2016, §3",
		Cost:      "n² kernel values and 2n²r flops for rank r, in tiles of 1024 rows and columns, and n² kernel values once for all models of a sample",
		Outputs:   []string{"matrix_frobenius", "matrix_frobenius_cut"},
		Labels:    []string{"relative error in Frobenius norm", "error of the cut K̂, Frobenius norm"},
		Better:    []Better{Less},
		Rounding:  []Rounding{ulps(1, overFrobenius)},
		Cancels:   true,
		Sample:    true,
		Shapes:    approximating,
		reason:    noApproximation,
		span:      true,
		forms:     ofMeans,
		compute:   matrixError(1),
	},
	"matrix_frobenius_sampled": {
		Doc:       "estimate of matrix_frobenius with its 95 % interval (_low, _high), from 1000 rows of K and K - K̂, for n beyond some 20,000 where n² kernel values take minutes; exact for up to 1000 points; " + drawnBy + "; the interval is that of a ratio of means over draws, by its linearised variance and Student's t",
		Reference: "Hansen & Hurwitz 1943; Cochran 1977, §6.3 and §9A.3",
		Cost:      "1000n kernel values and 2000nr flops for rank r, beside those of K̂",
		Outputs:   []string{"matrix_frobenius_sampled", "matrix_frobenius_sampled_low", "matrix_frobenius_sampled_high", "matrix_frobenius_sampled_cut", "matrix_frobenius_sampled_low_cut", "matrix_frobenius_sampled_high_cut"},
		Labels:    []string{"estimated error, Frobenius norm", "its interval, lower end", "its interval, upper end", "estimate, cut K̂, Frobenius norm", "its interval, lower end", "its interval, upper end"},
		Better:    []Better{Less, Neither, Neither, Less, Neither, Neither},
		Rounding:  []Rounding{ulps(1, ofSampled)},
		Cancels:   true,
		Sample:    true,
		Shapes:    approximating,
		reason:    noApproximation,
		span:      true,
		forms:     ofMeans,
		compute:   (*evaluation).frobeniusSampled,
	},
	"matrix_spectral": {
		Doc:       "relative error in the spectral norm of the approximation of matrix_trace, ‖K - K̂‖/‖K‖, by block Lanczos iterations until ‖(K - K̂)v - μv‖ ≤ 1e-8·μ, so that at every n an eigenvalue of K - K̂ is within 1e-8·μ of μ; above some 20,000 points it takes minutes",
		Reference: "Gittens & Mahoney 2016, §3",
		Cost:      "2n² kernel values, n²r flops and 8n² bytes for rank r, or, above 5000 points, 6 to 20 times n² kernel values; of features half as much again",
		Outputs:   []string{"matrix_spectral", "matrix_spectral_cut"},
		Labels:    []string{"relative error in spectral norm", "error of the cut K̂, spectral norm"},
		Better:    []Better{Less},
		Rounding:  []Rounding{ulps(1, overSpectral)},
		Cancels:   true,
		Sample:    true,
		Shapes:    approximating,
		reason:    noApproximation,
		span:      true,
		forms:     ofResidual,
		compute:   matrixError(2),
	},
	"matrix_spectral_sampled": {
		Doc: "estimate of matrix_spectral with an interval of at least 95 % (_low, _high), from 1000 rows of K and K - K̂, drawn as for matrix_frobenius_sampled, for n beyond some 20,000; exact for up to 1000 points; " +
			"of either matrix ‖Bu‖ is the estimate and the lower end, for the leading singular vector u of half of the draws, by the other half, and (tr B⁴)^¼ the upper end, which is wide where many eigenvalues are about as large as the first",
		Reference: "Cochran 1977, §9A.3; Hoeffding 1948, §5",
		Cost:      "1000n kernel values and 2000nr + 2·10⁶n flops for rank r, beside those of K̂",
		Outputs:   []string{"matrix_spectral_sampled", "matrix_spectral_sampled_low", "matrix_spectral_sampled_high", "matrix_spectral_sampled_cut", "matrix_spectral_sampled_low_cut", "matrix_spectral_sampled_high_cut"},
		Labels:    []string{"estimated error, spectral norm", "its interval, lower end", "its interval, upper end", "estimate, cut K̂, spectral norm", "its interval, lower end", "its interval, upper end"},
		Better:    []Better{Less, Neither, Neither, Less, Neither, Neither},
		Rounding:  []Rounding{ulps(1, ofSampled)},
		Cancels:   true,
		Sample:    true,
		Shapes:    approximating,
		reason:    noApproximation,
		span:      true,
		forms:     ofMeans,
		compute:   (*evaluation).spectralSampled,
	},
	"matrix_ratio": {
		Doc: "errors of matrix_trace, matrix_frobenius and matrix_spectral over those of the best matrix of the same rank r (matrix_…_best), that of the leading r eigenpairs; r counts all coordinates of random features; " +
			"a best below 1e-10 (above 5000 points 1e-6) is 0, and has no ratio; neither has the trace norm of features above 5000 points",
		Reference: "Chen, Epperly, Tropp & Webber 2023, §2",
		Cost:      "that of the three for K̂, and once for all models of a sample and each rank r that of the three for the best and the r leading eigenpairs: above 5000 points 4 to 12 times n² kernel values",
		Outputs: []string{
			"matrix_trace_ratio", "matrix_frobenius_ratio", "matrix_spectral_ratio", "matrix_trace_best", "matrix_frobenius_best", "matrix_spectral_best",
			"matrix_trace_ratio_cut", "matrix_frobenius_ratio_cut", "matrix_spectral_ratio_cut", "matrix_trace_best_cut", "matrix_frobenius_best_cut", "matrix_spectral_best_cut",
		},
		Labels: []string{
			"error over the best, trace norm", "error over the best, Frobenius norm", "error over the best, spectral norm", "least relative error, trace norm", "least relative error, Frobenius norm", "least relative error, spectral norm",
			"trace error over best, cut K̂", "Frobenius error over best, cut K̂", "spectral error over best, cut K̂", "least error, cut K̂, trace norm", "least error, cut K̂, Frobenius norm", "least error, cut K̂, spectral norm",
		},
		Better:   []Better{Less, Less, Less, Neither, Neither, Neither, Less, Less, Less, Neither, Neither, Neither},
		Cancels:  true,
		Sample:   true,
		Shapes:   approximating,
		reason:   noApproximation,
		span:     true,
		forms:    ofBest,
		compute:  (*evaluation).matrixRatio,
		Rounding: []Rounding{{1e-8, itself}, {1e-8, itself}, {1e-8, itself}, {1, ofBests}, {1, ofBests}, {1, ofBests}, {1e-8, itself}, {1e-8, itself}, {1e-8, itself}, {1, ofBests}},
	},
	"effective_dimension": {
		Doc:       "d_eff(γ) = tr K(K + γI)⁻¹ of the sample at γ = n/r, r the dimension of the landmarks' span, with γ/n (effective_dimension_level); at most 5000 points; not for embeddings that do not keep the distances of H",
		Reference: "KKM Def 3",
		Cost:      "n² kernel values, 10n³ flops",
		Outputs:   []string{"effective_dimension", "effective_dimension_level"},
		Labels:    []string{"effective dimension", "level γ of the effective dimension"},
		Better:    []Better{Neither},
		Rounding:  []Rounding{ulps(1, overLevel), {}},
		Steps:     true,
		Sample:    true,
		Shapes:    landmarked,
		reason:    noSpan,
		lacks:     noDistances,
		absent:    ownSpace,
		span:      true,
		forms:     ofSpectrum,
		compute:   once("effective_dimension", (*evaluation).effectiveDimension),
	},
	"centroid_residual": {
		Doc:       "extra cost of the partition found if its centroids must lie in the landmarks' span: (1/n)Σ_j |C_j|·‖μ_j - Pμ_j‖², μ_j the clusters' means in H; not for embeddings that do not keep the distances of H",
		Reference: "KKM Lemma 2",
		Cost:      "that of partition_cost on the sample",
		Outputs:   []string{"centroid_residual"},
		Labels:    []string{"extra cost of restricted centroids"},
		Better:    []Better{Less},
		Rounding:  []Rounding{ulps(1, traceK)},
		Cancels:   true,
		Steps:     true,
		Sample:    true,
		Shapes:    clusterings,
		reason:    clusteringsOnly,
		lacks:     noDistances,
		absent:    ownSpace,
		span:      true,
		forms:     ofMeans,
		compute:   once("centroid_residual", (*evaluation).centroidResidual),
	},
	"excess_risk": {
		Doc:       "excess risk of a regression, ‖f̂ - f*‖² in L²(P) with f* the known regression function, for the noise of the repeat: a sum over the atoms, of a series in closed form by ⟨e_i, f̂⟩",
		Reference: "Rudi, Carratino & Rosasco 2017, eq 5",
		Cost:      "f̂ at the atoms; of a series p² kernel values and p cosines a term of f* for p points that f̂ is a sum over",
		Outputs:   []string{"excess_risk"},
		Labels:    []string{"excess risk"},
		Better:    []Better{Less},
		Rounding:  []Rounding{ulps(64, ofRegression)},
		Cancels:   true,
		Shapes:    []string{methods.ShapeRegression},
		Needs:     []string{NeedsResponse},
		reason:    "it is no regression; take krr, nystrom-krr or rff-krr",
		compute:   once("excess_risk", (*evaluation).excessRisk),
	},
	"nmi": {
		Doc:       "normalised mutual information of clusters and true classes, normalised by the arithmetic and by the geometric mean of the entropies; _test on held-out points",
		Reference: "KKM §5",
		Cost:      ofLabels,
		Outputs:   []string{"nmi_arithmetic", "nmi_geometric", "nmi_arithmetic_test", "nmi_geometric_test"},
		Labels:    []string{"NMI (arithmetic), sample", "NMI (geometric), sample", "NMI (arithmetic), held out", "NMI (geometric), held out"},
		Better:    []Better{More},
		Rounding:  []Rounding{ulps(64, unity)},
		Steps:     true,
		Shapes:    assigned,
		Needs:     needsClasses,
		reason:    clusteringsOnly,
		absent:    noCentres,
		compute:   once("nmi", (*evaluation).nmi),
	},
	"rand": {
		Doc:       "plain Rand index of clusters and true classes; _test on held-out points",
		Reference: "KJL Table 2",
		Cost:      ofLabels,
		Outputs:   []string{"rand", "rand_test"},
		Labels:    []string{"Rand index, sample", "Rand index, held out"},
		Better:    []Better{More},
		Rounding:  []Rounding{ulps(64, unity)},
		Steps:     true,
		Shapes:    assigned,
		Needs:     needsClasses,
		reason:    clusteringsOnly,
		absent:    noCentres,
		compute:   once("rand", (*evaluation).randIndex),
	},
	"adjusted_rand": {
		Doc:       "Rand index adjusted for chance; _test on held-out points",
		Reference: "Hubert & Arabie 1985",
		Cost:      ofLabels,
		Outputs:   []string{"adjusted_rand", "adjusted_rand_test"},
		Labels:    []string{"adjusted Rand index, sample", "adjusted Rand index, held out"},
		Better:    []Better{More},
		Rounding:  []Rounding{ulps(64, unity)},
		Steps:     true,
		Shapes:    assigned,
		Needs:     needsClasses,
		reason:    clusteringsOnly,
		absent:    noCentres,
		compute:   once("adjusted_rand", (*evaluation).adjustedRand),
	},
	"clusters": {
		Doc:       "points in the smallest non-empty cluster and in the largest, number of empty clusters, Lloyd iterations on all points, and before these on the sample of kmeans.warm (lloyd_iterations_sample)",
		Reference: "a count of this program",
		Cost:      ofFit,
		Outputs:   []string{"smallest_cluster", "largest_cluster", "empty_clusters", "lloyd_iterations", "lloyd_iterations_sample"},
		Labels:    []string{"points in the smallest cluster", "points in the largest cluster", "empty clusters", "iterations of Lloyd's algorithm", "Lloyd's iterations on the sample"},
		Better:    []Better{Neither},
		Rounding:  exact,
		Steps:     true,
		Shapes:    assigned,
		reason:    clusteringsOnly,
		compute:   once("clusters", (*evaluation).clusters),
	},
	"separation": {
		Doc:       "separation of the true classes in the embedding (for kernel-kmeans in H): mean silhouette, and smallest distance between classes over largest diameter of a class; on at most 10,000 points, drawn at random from a larger sample; neither exists if all these points are of one class, or if all diameters are 0",
		Reference: "KJL §5.1",
		Cost:      "kernel values or distances of all pairs of at most 10,000 points",
		Outputs:   []string{"silhouette", "separation"},
		Labels:    []string{"mean silhouette", "separation of the classes"},
		Better:    []Better{More},
		Rounding:  []Rounding{{1.5e-8, unity}},
		Sample:    true,
		Shapes:    embedded,
		Needs:     needsClasses,
		reason:    "it looks at the images of points in an embedding",
		forms:     ofPairs,
		absent:    oneClass + ", or no class has two different points",
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

var eigenvalueName = regexp.MustCompile(`^eigenvalue_[1-9][0-9]*$`)

// MeasureOf is the name of the measure that yields a metric, such as "eigenvalues"
// for eigenvalue_3; empty for none.
func MeasureOf(metric string) string {
	if eigenvalueName.MatchString(metric) {
		return "eigenvalues"
	}
	for name, measure := range Registry {
		if slices.Contains(measure.Outputs, metric) {
			return name
		}
	}
	return ""
}

// Undefined says why a measure is not defined for the models of a method on a data
// set; nil where it is. Whether there are classes shows only when the data are
// opened.
func Undefined(measure string, of methods.Entry, offer Capabilities) error {
	if err := undefined(measure, of.Shape, offer); err != nil {
		return err
	}
	if lacks := Registry[measure].lacks; lacks != nil {
		if reason := lacks(of); reason != "" {
			return fmt.Errorf("%s is not defined here: %s", measure, reason)
		}
	}
	return nil
}

func undefined(measure, shape string, offer Capabilities) error {
	m, known := Registry[measure]
	switch {
	case !known:
		return fmt.Errorf("unknown measure %q", measure)
	case !slices.Contains(m.Shapes, shape):
		return fmt.Errorf("%s is not defined for %s: %s", measure, withArticle(shape), m.whyNot(shape))
	case slices.Contains(m.Needs, NeedsPopulation) && !offer.Population:
		return fmt.Errorf("%s needs a population: add population: self, test or {held_out: N} to the data set", measure)
	case slices.Contains(m.Needs, NeedsResponse) && !offer.Response:
		return fmt.Errorf("%s needs a regression function that is known: take atoms or series, with the key response", measure)
	case slices.Contains(m.Needs, NeedsHeldOut) && !offer.HeldOut:
		return fmt.Errorf("%s needs held-out points: take a data set of points and add population: self, test or {held_out: N} to it", measure)
	}
	return nil
}

// Missing says why the models of a method have no value of a metric on a data set; nil
// where they may have one.
func Missing(metric string, of methods.Entry, offer Capabilities) error {
	if err := Undefined(MeasureOf(metric), of, offer); err != nil {
		return err
	}
	full, cut := strings.CutSuffix(metric, ofCut)
	own, inOwn := strings.CutPrefix(metric, embeddingCost)
	switch {
	case strings.HasPrefix(metric, "matrix_") && of.Cut == methods.CutAlways && !cut:
		return fmt.Errorf("%s is of a K̂ on the whole span of a method, and this one has the leading directions alone; take %s%s", metric, metric, ofCut)
	case strings.HasPrefix(metric, "matrix_") && of.Cut == methods.CutNever && cut:
		return fmt.Errorf("%s is of a K̂ on the leading directions of a method alone; take %s", metric, full)
	case inOwn && (of.Space == methods.SpaceSpan || of.Space == methods.SpaceH):
		return fmt.Errorf("%s is in a space of the method's own, and this one measures in H; take cluster_cost%s", metric, own)
	case strings.HasPrefix(metric, "cluster_cost") && !inOwn && of.Space == "":
		return fmt.Errorf("%s is in H, and this method measures in a space of its own; take %s", metric, strings.Replace(metric, "cluster_cost", embeddingCost, 1))
	case strings.HasSuffix(metric, "_test") && !offer.HeldOut:
		return fmt.Errorf("%s needs held-out points: add population: self, test or {held_out: N} to the data set", metric)
	}
	return nil
}

// embeddingCost begins the metrics of costs in spaces of the methods' own.
const embeddingCost = "cluster_cost_embedding"

// OwnSpace says that the values of a metric under methods of different kinds are distances
// in different spaces: they must not be compared.
func OwnSpace(metric string) bool { return strings.HasPrefix(metric, embeddingCost) }

// Absent says of each measure of a record that has no value, or none at held-out points
// with classes, why; values are all metrics of the record.
func Absent(measures []string, values map[string]float64, heldOut bool) (caveats []string) {
	for _, name := range measures {
		m := Registry[name]
		ofTest := func(output string) bool { return strings.HasSuffix(output, "_test") }
		isThere := func(output string) bool { _, ok := values[output]; return ok }
		there := lists.Where(m.Outputs, isThere)
		switch {
		case m.compute == nil:
		case len(there) == 0:
			caveats = append(caveats, fmt.Sprintf("no value of %s: %s", name, cmp.Or(m.absent, "this model has none")))
		case heldOut && slices.ContainsFunc(m.Outputs, ofTest) && !slices.ContainsFunc(there, ofTest):
			caveats = append(caveats, fmt.Sprintf("no value of %s at held-out points: %s", name, m.absent))
		}
	}
	return caveats
}

// BetterOf is the direction of a metric of the registry; Neither for any other.
func BetterOf(metric string) Better {
	for _, m := range Registry {
		if i := slices.Index(m.Outputs, metric); i >= 0 {
			return m.Better[min(i, len(m.Better)-1)]
		}
	}
	return Neither
}

// BetweenMethods is BetterOf where the values of different methods are one quantity; Neither
// for parts of a cost, such as time_factor: methods divide their work each in its own way, and
// some have landmarks or a phase that others have not.
func BetweenMethods(metric string) Better {
	if strings.HasPrefix(metric, "time_") && metric != "time_total" || metric == "kernel_entries_landmarks" {
		return Neither
	}
	return BetterOf(metric)
}

// LabelOf is what figures and headings call a metric; "" for what no measure gives.
func LabelOf(metric string) string {
	for _, m := range Registry {
		if i := slices.Index(m.Outputs, metric); i >= 0 {
			return m.Labels[i]
		}
	}
	return ""
}

// ranges are those of the measures and outputs that have a least or a greatest value.
var ranges = map[string][2]float64{
	"rand": {0, 1}, "nmi": {0, 1}, "principal_angle": {0, 1}, "adjusted_rand": {-1, 1}, "silhouette": {-1, 1},
	"recon_h": {0, math.Inf(1)}, "recon_l2": {0, math.Inf(1)}, "embed_recon_l2": {0, math.Inf(1)}, "eigenspace_l2": {0, math.Inf(1)},
	"eigenfunction_l2": {0, math.Inf(1)}, "cluster_cost": {0, math.Inf(1)}, "partition_cost": {0, math.Inf(1)}, "time": {0, math.Inf(1)},
}

// Range is the least and the greatest value that a metric can have, nil where there is none.
func Range(metric string) (least, most *float64) {
	for name, r := range ranges {
		if name == metric || slices.Contains(Registry[name].Outputs, metric) {
			least, most = &r[0], &r[1]
		}
	}
	if most != nil && math.IsInf(*most, 1) {
		most = nil
	}
	return least, most
}

// Eigenvalues are the names of the metrics of the first ℓ eigenvalues.
func Eigenvalues(ell int) []string {
	names := make([]string, ell)
	for i := range names {
		names[i] = fmt.Sprintf("eigenvalue_%d", i+1)
	}
	return names
}
