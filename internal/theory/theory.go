package theory

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"mercer/internal/sizes"
)

// Population is what the theorems ask of a distribution P under a kernel k.
// Σ is its centred covariance operator, C = E k(·,X)⊗k(·,X) the uncentred one.
type Population interface {
	// String names the population in messages.
	String() string
	// Kappa is κ, the supremum of k(x,x) over the support of P.
	Kappa() float64
	// Eigenvalues are λ_1 … λ_count of Σ, falling; 0 past its rank.
	Eigenvalues(count int) ([]float64, error)
	// Tail is Σ_{i>ell} λ_i^power, for power 1 or 2.
	Tail(power, ell int) (float64, error)
	// EffectiveDimension is N_Σ(t) = tr Σ(Σ+tI)⁻¹ for t > 0.
	EffectiveDimension(t float64) (float64, error)
	// UncentredEigenvalues are the first eigenvalues of C, falling; 0 past its
	// rank.
	UncentredEigenvalues(count int) ([]float64, error)
	// UncentredSum is the sum of all eigenvalues of C to a power of 1, 2 or 3.
	UncentredSum(power int) (float64, error)
}

// Setting is where a theorem is asked. Sizes that a theorem does not use may be
// 0.
type Setting struct {
	Population Population
	sizes.Sizes
	Delta float64 // the statement may fail with this probability
	// Given are numbers by name: what the statement leaves open (Theorem.Open),
	// what a record measured (Theorem.Uses), and for rates the exponents alpha,
	// theta, gamma.
	Given map[string]float64
	// Growth is how sizes grow with n over the records that a rate is compared with;
	// without it, they are taken to grow as the theorem has it.
	Growth map[string]Growth
}

// Theorem is one statement of a paper.
type Theorem struct {
	Key       string // "nyk-4.1-iii"
	Reference string // "NYK Thm 4.1 (iii)"
	Says      string // the statement in one line
	// Metric is the metric of records that is bounded, or whose rate is given.
	Metric string
	// Methods are the registered methods that the statement is about.
	Methods []string
	// Options are values of these methods' options that the statement is about, by
	// the option's name; a method without the option is not bound by it.
	Options map[string][]string
	// Sampled says that the probability is over the draw of an independent sample:
	// repeats that share their sample are no separate evidence.
	Sampled bool
	// Assumes are assumptions that no number can check, in words.
	Assumes []string
	// Open are the parameters that the statement leaves open, each with its
	// meaning; their defaults are in Defaults, and one without a default must be given.
	Open     map[string]string
	Defaults map[string]float64
	// MustWith are those whose default is wrong for a value of a method's option, by
	// the parameter: option and value.
	MustWith map[string][2]string
	// Uses are the metrics of a record that the bound is computed from.
	Uses []string
	// Sizes are the sizes of a Setting that it needs: n, m, d, ell, k.
	Sizes []string
	// Bound is the finite-sample statement; nil where there is only a rate. A
	// theorem may have both: its bound's conditions are those of the rate and more.
	Bound func(Setting) (Bound, error)
	// Trivial is what is known of Metric without the theorem; of a theorem with a Bound.
	Trivial Trivial
	// Rate is the asymptotic statement; nil where there is only a bound.
	Rate func(Setting) (Rate, error)
}

// Bound says that a quantity lies in [Lower, Upper] with probability at least
// 1 − Setting.Delta. Both are the statement's; who holds a measured value against
// them allows for its rounding.
type Bound struct {
	Upper      float64 // NaN where a condition fails
	Lower      float64 // −Inf where there is none, or a condition fails
	Conditions []Condition
}

// Applies says whether every condition holds.
func (b Bound) Applies() bool { return holdAll(b.Conditions) }

// Rate says that a quantity is of the order n^Exponent·(log n)^Log, or below.
type Rate struct {
	Exponent   float64 // NaN where the setting does not tell how sizes grow with n
	Log        float64
	Sharp      bool // of that order also from below
	Conditions []Condition
}

// Applies says whether every condition holds.
func (r Rate) Applies() bool { return holdAll(r.Conditions) }

// Relation is how the two sides of a condition compare.
type Relation string

// The relations.
const (
	Less    Relation = "<"
	AtMost  Relation = "≤"
	AtLeast Relation = "≥"
	More    Relation = ">"
)

// Condition is one condition of a theorem, evaluated.
type Condition struct {
	Left     string // formula: "140κ/n·log(16κn/δ)"
	Right    string // formula: "‖Σ‖"
	L, R     float64
	Relation Relation
}

// Holds says whether the condition is met; never for NaN.
func (c Condition) Holds() bool {
	switch c.Relation {
	case Less:
		return c.L < c.R
	case AtMost:
		return c.L <= c.R
	case AtLeast:
		return c.L >= c.R
	case More:
		return c.L > c.R
	}
	return false
}

// String is the condition with its numbers: "140κ/n·log(16κn/δ) = 0.41 ≤ ‖Σ‖ =
// 0.25".
func (c Condition) String() string {
	return fmt.Sprintf("%s %s %s", side(c.Left, c.L), c.Relation, side(c.Right, c.R))
}

func side(formula string, value float64) string {
	if math.IsNaN(value) && formula != "" {
		return formula
	}
	number := fmt.Sprintf("%.4g", value)
	if formula == number || formula == "" {
		return number
	}
	return formula + " = " + number
}

// Failing are the conditions that do not hold.
func Failing(conditions []Condition) []Condition {
	return slices.DeleteFunc(slices.Clone(conditions), Condition.Holds)
}

func holdAll(conditions []Condition) bool { return len(Failing(conditions)) == 0 }

// atMost is a bound from above.
func atMost(upper float64, conditions ...Condition) Bound {
	return Bound{Upper: upper, Lower: math.Inf(-1), Conditions: conditions}.finished()
}

// finished is b with no value where it does not apply.
func (b Bound) finished() Bound {
	if !b.Applies() {
		b.Upper, b.Lower = math.NaN(), math.Inf(-1)
	}
	return b
}

// check fails where the setting lacks what it is asked with, or one of the
// sizes.
func (s Setting) check(needed ...string) error {
	switch {
	case s.Population == nil:
		return errors.New("no population: the theorem needs its operators")
	case !(s.Delta > 0 && s.Delta < 1):
		return fmt.Errorf("delta = %v: must lie strictly between 0 and 1", s.Delta)
	}
	for _, name := range needed {
		if size := s.Get(name); size < 1 {
			return fmt.Errorf("%s = %d: the theorem needs it positive", name, size)
		}
	}
	return nil
}
