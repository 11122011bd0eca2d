package theory

import (
	"fmt"
	"slices"
)

// mostComponents is the largest ℓ that is looked at: a population of points takes a solve
// for so many eigenpairs.
const mostComponents = 128

// informativeFrom is the setting with n, m and d raised, as in [Needs], until the theorem
// applies and its bound is informative; where no n, m and d are enough also with ℓ, the
// least of 1, 2, 4, … at which some are. False where none are, up to 2^53 and an ℓ of 128.
func informativeFrom(t Theorem, s Setting) (Setting, bool) {
	candidates := []int{s.Ell}
	if slices.Contains(t.Sizes, "ell") {
		for ell := 1; ell <= mostComponents; ell *= 2 {
			candidates = append(candidates, ell)
		}
	}
	for _, ell := range candidates {
		at := s
		at.Ell = ell
		if enough, ok := enlargedUntil(t, at, func(at Setting) bool { return informs(t, at) }); ok {
			return enough, true
		}
	}
	return s, false
}

// informs says whether a theorem applies at a setting with an informative bound.
func informs(t Theorem, s Setting) bool {
	b, err := t.Bound(s)
	if err != nil || !b.Applies() {
		return false
	}
	trivial, err := t.Trivial.Value(s)
	return err == nil && b.Informative(trivial)
}

// Worth is what a theorem says at a setting beyond what is trivial.
type Worth struct {
	Trivial float64 `json:"trivial"`
	Formula string  `json:"formula"`
	Why     string  `json:"why"` // it is trivial
	Source  string  `json:"source"`
	// Ratio is bound/trivial; nil where the theorem does not apply, bounds from below,
	// or has the trivial value 0.
	Ratio   *float64       `json:"ratio,omitempty"`
	Vacuous bool           `json:"vacuous"`         // the theorem applies and says no more
	Needs   map[string]int `json:"needs,omitempty"` // sizes that differ where it is informative
	Never   bool           `json:"never,omitempty"` // no larger sizes make it informative on this population
}

// worth is that of a bound at its setting.
func worth(t Theorem, s Setting, b Bound) (*Worth, error) {
	trivial, err := t.Trivial.Value(s)
	if err != nil {
		return nil, fmt.Errorf("the trivial value of %s: %w", t.Metric, err)
	}
	enough, ok := informativeFrom(t, s)
	w := Worth{Trivial: trivial, Formula: t.Trivial.Formula, Why: t.Trivial.Says, Source: t.Trivial.Source, Needs: enlarged(s, enough), Never: !ok}
	if b.Applies() {
		w.Ratio, w.Vacuous = finiteOrNil(b.Ratio(trivial)), !b.Informative(trivial)
	}
	return &w, nil
}
