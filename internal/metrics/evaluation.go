package metrics

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"mercer/data"
	"mercer/internal/kernel"
	"mercer/methods"
)

// Truth is what models are measured against. Measures leave it as it is.
type Truth struct {
	Population    data.Population // nil where none is declared
	Kernel        kernel.Kernel
	X             *mat.Dense // n×D, the sample of the fit; nil where the method streamed it
	Image         *mat.Dense // n×d, the images of X under a model that is an embedding; nil where they are not known yet
	Counts        []float64  // how many points of the sample each row of X stands for; nil for one each
	Labels        []int      // classes of the sample; nil where there are none
	HeldOut       *mat.Dense // N×D, the points of an empirical population; nil where there are none
	Masses        []float64  // probabilities of these, of sum 1; nil for 1/N each
	HeldOutLabels []int
	// HeldOutKernel is shared by all models measured against the same held-out
	// points with the same kernel; nil where nothing is shared.
	HeldOutKernel *HeldOutKernel
	// SampleNorms is shared by all models of the same sample with the same kernel, one after
	// another; nil where nothing is shared.
	SampleNorms     SampleNorms
	SampleResponses *mat.Dense     // of the rows of X, n×1, as they were fitted; nil where there are none
	Response        *data.Response // nil where points have no responses of a known law
	Responses       *mat.Dense     // N×1, of the held-out points as they were measured; nil where there are none
	Unit            float64        // what 1 is in the responses' own unit
	// Rows is a new stream at each call, from its beginning: measures of a large sample draw
	// some of its rows from it, so that all models of the sample are measured on the same.
	Rows func() *rand.Rand
}

// times are Counts, or ones.
func (t Truth) times() []float64 {
	if t.Counts != nil {
		return t.Counts
	}
	n, _ := t.X.Dims()
	return slices.Repeat([]float64{1}, n)
}

// offer is what measures may ask for.
func (t Truth) offer() Capabilities {
	return Capabilities{Population: t.Population != nil, HeldOut: t.HeldOut != nil, Response: t.Response != nil,
		Responses: t.Responses != nil, Classes: t.HeldOutLabels != nil && t.Responses == nil && t.Response == nil}
}

// at names a measure or metric and the ℓ of a model that has components.
func at(name string, ell int) string {
	if ell == 0 {
		return name
	}
	return fmt.Sprintf("%s at ell = %d", name, ell)
}

// evaluation holds what all measures of one model are computed from.
type evaluation struct {
	Truth
	ctx      context.Context
	model    methods.Model
	largest  int
	names    []string // measures that are defined for the model
	shape    string
	spectrum methods.Spectrum
	lambda   []float64    // of the population, λ_1 … λ_largest, and one more for measures by eigenfunctions
	moments  data.Moments // of the model's functions; empty for the population's own
	offset   []float64    // δ

	warnings []string // of the population, for every ℓ
	notes    Notes    // at the ℓ that is measured

	iterate int // of a solver, that is measured

	shared map[sharedKey]any // what measures share; see shared
}

// sharedKey names what several measures or values of ℓ are computed from, e.g. the best
// approximation of a rank.
type sharedKey struct {
	what string
	of   any
}

// shared is computed when it is first asked for; a failure is not kept.
func shared[T any](e *evaluation, what string, of any, compute func() (T, error)) (T, error) {
	key := sharedKey{what, of}
	if known, ok := e.shared[key]; ok {
		return known.(T), nil
	}
	made, err := compute()
	if err == nil {
		e.shared[key] = made
	}
	return made, err
}

// kept is how many of the first ell components the model has.
func (e *evaluation) kept(ell int) int { return min(ell, len(e.spectrum.Values)) }

// heldOut is the shared matrix of the held-out points, or one for this
// evaluation.
func (e *evaluation) heldOut() *HeldOutKernel {
	if e.HeldOutKernel == nil {
		e.HeldOutKernel = NewHeldOutKernel(e.HeldOut, e.Masses, e.Kernel, e.largest, false)
	}
	return e.HeldOutKernel
}
