// Package metrics measures a fitted model against a population.
//
//  1. Registry names the measures and the shapes of model that each is defined
//     for.
//  2. Evaluate asks the population for the moments of the model's functions,
//     once, and computes every measure from them for each ℓ: the first ℓ
//     components of one fit serve every smaller ℓ.
//  3. What the population does not determine, eigenspaces of tied eigenvalues and a
//     covariance that rounding has taken, is not measured (determined.go). Each value is
//     held against the rounding that its entry of the Registry states (rounding.go).
//  4. Measures on held-out points alone share a HeldOutKernel: their kernel
//     matrix, kept where it is small and streamed where it is large. Those of a
//     sketch see the population's uncentred operator.
//
// Symbols of math and their names here:
//
//	R^ℓ = tr Σ − tr S + ‖δ‖²                    recon_h
//	T^ℓ = tr Σ² − 2τ + ‖S‖²_F + δᵀSδ            recon_l2
//	δ_i = ⟨φ̂_i, m_P − m̂⟩                       Moments.Mean − Spectrum.Center
//	‖Σ Iφ̂_i⊗Iφ̂_i − Σ Iφ_i⊗Iφ_i‖_HS             eigenspace_l2
//	Σ_i ‖Iφ̂_i − Iφ_i‖_L²                        eigenfunction_l2
//	S^ℓ = tr Σ² − ‖L Q‖²_F                       embed_recon_l2
//	⟨𝔏P̂, Ĉ⟩, E(𝔏P̂), d(𝔏P̂, P^k) of SKP           skp_objective, skp_excess, skp_gram_distance
//	‖S*V̂V̂ᵀS − Σ³‖_op of KJL                     kjl_operator
//	⟨α, V̂ᵀSf − Θf⟩, V̂ᵀSf of KJL                 kjl_weak, kjl_projection
//	|⟨α, V̂ᵀSf⟩ − ⟨α, Θf⟩| for one Θ              kjl_weak_error
//	tr Σn³, ‖Σn³‖_op of KJL                     kjl_sample
//	(12), (11), (13) of KJL                     kjl_stretch, kjl_separation, kjl_means
//	‖(Φ_k^⊥)ᵀΦ̃‖²_F of SKP, spectrum of C_m      skp_features
//	λ_max(K − K_nm K_mm⁺ K_mn)/n of KKM         nystrom_residual
//	d_eff^n(γ)                                  effective_dimension
//	tr S(K − K̃)S/n                              centroid_residual
//	W(C, μ)                                     cluster_cost
//	W of the clusters' means in H               partition_cost
package metrics
