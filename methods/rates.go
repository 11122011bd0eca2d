package methods

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// RateOptions are the learning rates of Oja's algorithm. Steps are counted from
// 1.
type RateOptions struct {
	Schedule string  `yaml:"schedule" required:"true" enum:"theorem-d3,adaoja" doc:"theorem-d3: three phases, set by c, components, gap, lambda and delta; adaoja: one rate per column, from earlier steps"`
	C        float64 `yaml:"c" min:"0" doc:"of theorem-d3: stands for its constants"`
	K        int     `yaml:"components" min:"0" doc:"of theorem-d3: k in the paper, the number of components wanted"`
	Gap      float64 `yaml:"gap" min:"0" doc:"of theorem-d3: λ_k - λ_(k+1), in (0, 1/k]"`
	Lambda   float64 `yaml:"lambda" min:"0" doc:"of theorem-d3: λ_1 + … + λ_k, in (0, 1]"`
	Delta    float64 `yaml:"delta" min:"0" doc:"of theorem-d3: its failure probability is δ/2"`
}

// The names of schedules.
const (
	theoremD3 = "theorem-d3"
	adaOja    = "adaoja"
)

// check says what is wrong with the parameters.
func (o RateOptions) check() error {
	switch {
	case o.Schedule == theoremD3:
		return o.checkTheorem()
	case o.Schedule != adaOja:
		return fmt.Errorf("schedule %q: must be theorem-d3 or adaoja", o.Schedule)
	case o != RateOptions{Schedule: adaOja}:
		return errors.New("c, components, gap, lambda and delta belong to schedule theorem-d3")
	}
	return nil
}

// checkTheorem checks the conditions of Theorem D.3.
func (o RateOptions) checkTheorem() error {
	switch {
	case !(o.C > 0):
		return errors.New("schedule theorem-d3 needs c above 0")
	case o.K < 1:
		return errors.New("schedule theorem-d3 needs components, the number of them that are wanted")
	case !(o.Gap > 0 && o.Gap <= 1/float64(o.K)):
		return fmt.Errorf("schedule theorem-d3 takes a gap in (0, 1/k] = (0, %.3g], not %.3g", 1/float64(o.K), o.Gap)
	case !(o.Lambda > 0 && o.Lambda <= 1):
		return fmt.Errorf("schedule theorem-d3 takes lambda in (0, 1], not %.3g", o.Lambda)
	case !(o.Delta > 0 && o.Delta < 1):
		return fmt.Errorf("schedule theorem-d3 takes delta in (0, 1), not %.3g", o.Delta)
	}
	return nil
}

// rate is η_t of schedule theorem-d3.
//
// Theorem D.3 gives them up to constants and logarithms, for which c stands:
//
//	T_0 = 4kΛ/(gap²δ²), T_1 = Λ/gap²,
//	η_t = c/(gap·T_0) up to T_0, c/(gap·T_1) up to T_0 + T_1, c/(gap·(t − T_0)) beyond.
//
// k, gap and Λ are parameters and not those of a fit's ℓ, so that one fit serves
// every ℓ. The theorem takes ‖z‖ ≤ 1; where ‖z‖² ≤ κ, it holds for z/√κ: give
// gap/κ, Λ/κ and c/κ.
//
// Reference: [SKP, Thm D.3], after Allen-Zhu & Li, First efficient convergence
// for streaming k-PCA (2017), Theorem 1. Deviation: [SKP] prints 1/(gap²·T_1)
// for the second phase, which is 1/Λ, a step of order one; the rate of the
// theorem it restates is 1/(gap·T_1), with which the third phase goes on.
func (o RateOptions) rate(t int) float64 {
	at := float64(t)
	t0 := 4 * float64(o.K) * o.Lambda / (o.Gap * o.Gap * o.Delta * o.Delta)
	t1 := o.Lambda / (o.Gap * o.Gap)
	switch {
	case at <= t0:
		return o.C / (o.Gap * t0)
	case at <= t0+t1:
		return o.C / (o.Gap * t1)
	}
	return o.C / (o.Gap * (at - t0))
}

// adaptive are the sums b_j² of AdaOja: before a step along the gradient's column
// g_j, b_j² grows by ‖g_j‖², and the column's rate is 1/b_j.
//
// Reference: Henriksen & Ward, AdaOja: adaptive learning rates for streaming PCA
// (2019), Algorithm 2.
type adaptive []float64

func newAdaptive(ell int) adaptive {
	b0 := 1e-5 // as in the experiments of the paper; its square is rounded, no constant
	return slices.Repeat(adaptive{b0 * b0}, ell)
}

// rate adds ‖g_j‖² and returns the rate of column j.
func (a adaptive) rate(j int, square float64) float64 {
	a[j] += square
	return 1 / math.Sqrt(a[j])
}
