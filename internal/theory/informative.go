package theory

import (
	"fmt"
	"slices"
	"strings"
)

// Range are values of a size at which a bound is informative, the rest of a setting
// staying as it is: From the first of them to To. To is 0 where there is no end up to
// the largest size that is looked at.
type Range struct {
	From int `json:"from"`
	To   int `json:"to,omitempty"`
}

// mostComponents is the largest ℓ and k that is looked at: a population of points takes
// a solve for so many eigenpairs.
const mostComponents = 128

// lastOf is the largest value of a size that is looked at.
func lastOf(size string) int {
	if size == "ell" || size == "k" {
		return mostComponents
	}
	return most
}

// Reach says where on a population a bound is informative.
type Reach struct {
	// Alone are the ranges of the sizes of the theorem, each with all else as in the
	// setting; a size without a value that is enough is missing.
	Alone map[string]Range
	// Together are the setting's sizes with n, m and d raised, as in [Needs], and
	// where no n, m and d are enough also ℓ: to the least of 1, 2, 4, … at which some
	// are. Nil where none are, up to 2^53 and an ℓ of 128.
	Together *Setting
}

// FindReach looks for the settings on the population of s at which the theorem applies
// and its bound is informative. A range narrower than a factor of 2 may be missed.
func FindReach(t Theorem, s Setting) Reach {
	informative := func(at Setting) bool { return informs(t, at) }
	reach := Reach{Alone: map[string]Range{}}
	for _, size := range slices.Backward(t.Sizes) { // ell first, see rangeOf
		if found, ok := rangeOf(s, size, informative); ok {
			reach.Alone[size] = found
		}
	}
	candidates := []int{s.Ell}
	if slices.Contains(t.Sizes, "ell") {
		for ell := 1; ell <= mostComponents; ell *= 2 {
			candidates = append(candidates, ell)
		}
	}
	for _, ell := range candidates {
		at := s
		at.Ell = ell
		if enough, ok := enlargedUntil(t, at, informative); ok {
			reach.Together = &enough
			break
		}
	}
	return reach
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

// rangeOf is the first range of a size at which a setting will do, found among the
// powers of 2 and the setting's own value, and its ends by bisection.
func rangeOf(s Setting, size string, will func(Setting) bool) (Range, bool) {
	last := lastOf(size)
	at := func(v int) bool {
		s.Set(size, v)
		return will(s)
	}
	grid := []int{s.Get(size)}
	for v := 1; v < last; v *= 2 {
		grid = append(grid, v)
	}
	grid = append(grid, last)
	if last < most {
		at(last) // first, so that a population is solved once for all of them
	}
	slices.Sort(grid)
	grid = slices.DeleteFunc(slices.Compact(grid), func(v int) bool { return v < 1 || v > last })
	first := slices.IndexFunc(grid, at)
	if first < 0 {
		return Range{}, false
	}
	found := Range{From: 1}
	if first > 0 {
		found.From = 1 + lastBefore(grid[first-1], grid[first], at)
	}
	for i := first + 1; i < len(grid); i++ {
		if !at(grid[i]) {
			found.To = lastBefore(grid[i-1], grid[i], func(v int) bool { return !at(v) })
			break
		}
	}
	return found, true
}

// lastBefore is the last v from low on, which will not do, before those that will, of
// which high is one.
func lastBefore(low, high int, will func(int) bool) int {
	for high-low > 1 {
		if middle := low + (high-low)/2; will(middle) {
			high = middle
		} else {
			low = middle
		}
	}
	return low
}

// Worth is what a theorem says at a setting beyond what is trivial.
type Worth struct {
	Trivial float64 `json:"trivial"`
	Formula string  `json:"formula"`
	Why     string  `json:"why"` // it is trivial
	Source  string  `json:"source"`
	// Ratio is bound/trivial; nil where the theorem does not apply, bounds from below,
	// or has the trivial value 0.
	Ratio   *float64         `json:"ratio,omitempty"`
	Vacuous bool             `json:"vacuous"`         // the theorem applies and says no more
	Alone   map[string]Range `json:"informative"`     // see Reach
	Needs   map[string]int   `json:"needs,omitempty"` // sizes of Reach.Together that differ
	Never   bool             `json:"never,omitempty"` // informative on this population
}

// worth is that of a bound at its setting.
func worth(t Theorem, s Setting, b Bound) (*Worth, error) {
	trivial, err := t.Trivial.Value(s)
	if err != nil {
		return nil, fmt.Errorf("the trivial value of %s: %w", t.Metric, err)
	}
	reach := FindReach(t, s)
	w := Worth{Trivial: trivial, Formula: t.Trivial.Formula, Why: t.Trivial.Says, Source: t.Trivial.Source, Alone: reach.Alone, Never: reach.Together == nil && len(reach.Alone) == 0}
	if b.Applies() {
		w.Ratio, w.Vacuous = finiteOrNil(b.Ratio(trivial)), !b.Informative(trivial)
	}
	if reach.Together != nil {
		w.Needs = enlarged(s, *reach.Together)
	}
	return &w, nil
}

// text is for a reader; names are the sizes of the theorem.
func (w Worth) text(metric string, names []string) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("trivial value of %s: %.6g = %s", metric, w.Trivial, w.Formula)
	line("  %s (%s)", w.Why, w.Source)
	switch {
	case w.Vacuous && w.Ratio != nil:
		line("  the bound is vacuous: it is %.4g times the trivial value", *w.Ratio)
	case w.Vacuous:
		line("  the bound is vacuous: it says no more")
	case w.Ratio != nil:
		line("  the bound is informative: it is %.4g times the trivial value", *w.Ratio)
	}
	if w.Never {
		line("  informative on this population at no %s", strings.Join(limits(names), ", "))
		return b.String()
	}
	var words []string
	for _, name := range names {
		words = append(words, rangeText(name, w.Alone))
	}
	line("  informative, all else as here: %s", strings.Join(words, "; "))
	if len(w.Needs) > 0 {
		line("  informative at %s", sizesText(w.Needs))
	}
	return b.String()
}

// limits are sizes with the largest value that is looked at.
func limits(names []string) []string {
	var words []string
	for _, name := range names {
		words = append(words, name+upTo(name))
	}
	return words
}

func upTo(name string) string {
	if last := lastOf(name); last < most {
		return fmt.Sprintf(" up to %d", last)
	}
	return " up to 2^53"
}

func rangeText(name string, ranges map[string]Range) string {
	r, some := ranges[name]
	switch {
	case !some:
		return "at no " + name + upTo(name)
	case r.From == 1 && r.To == 0:
		return "at every " + name + upTo(name)
	case r.From == 1:
		return fmt.Sprintf("up to %s = %d", name, r.To)
	case r.To == 0:
		return fmt.Sprintf("from %s = %d", name, r.From)
	}
	return fmt.Sprintf("from %s = %d to %d", name, r.From, r.To)
}
