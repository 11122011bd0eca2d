// Package theory holds the theorems of the five papers as functions: what each
// bounds, by how much, with which probability, and under which conditions.
//
// Its parts:
//
//  1. A [Setting] says where a theorem is asked: the population, the sizes of a
//     cell, the probability δ with which the statement may fail, and whatever
//     the statement leaves open.
//  2. A [Theorem] of the [Registry] answers with a [Bound] on a metric, or with
//     a [Rate] at which it falls.
//  3. Either lists every [Condition] with both of its sides as numbers. A bound
//     whose conditions do not hold has no value: [Bound.Applies] is false and
//     Upper is NaN. [Needs] says at which sizes they would.
//  4. A bound that says no more than the [Trivial] value of its metric is vacuous.
//  5. [Own] is the bound that a spec states itself, in the form of a theorem.
//
// Symbols of the papers and their names here:
//
//	κ = sup k(x,x)           Population.Kappa
//	λ_i, tr Σ, Σ_{i>ℓ} λ_i    Population.Eigenvalues, Population.Tail
//	N_Σ(t) = tr Σ(Σ+t)⁻¹      Population.EffectiveDimension
//	C, uncentred             Population.UncentredEigenvalues, UncentredSum
//	n, m, d, ℓ, k            Setting.N, M, D, Ell, K
//
// δ is the probability that a statement fails as a whole: a theorem that holds
// with probability 1 − 11δ' is asked with δ' = δ/11, one that holds with
// probability 1 − 4e^{−τ} with τ = log(4/δ).
//
// A statement with a free t, ε or other parameter that may be chosen is given
// at the choice that makes the bound least among those that the conditions
// allow.
package theory
