package theory

import (
	"fmt"
	"slices"
	"strings"

	"mercer/internal/sizes"
)

// most is the largest size that is looked at: up to it float64 counts exactly.
const most = 1 << 53

// Needs is the setting enlarged in n, m and d, as far as the theorem uses them,
// until all its conditions hold; false where no sizes up to 2^53 do. First all
// of them are raised to one common value, the least that will do, those already
// above it staying as they are. Then each in turn, d, m, n, goes back as far as
// the conditions allow, the others staying, and never below where it was: so with
// n first raised, m = n where m was less, m then ends at the least that this n
// allows.
func Needs(t Theorem, s Setting) (Setting, bool) {
	grows := slices.DeleteFunc([]string{"d", "m", "n"}, func(size string) bool { return !slices.Contains(t.Sizes, size) })
	raised := func(v int) Setting {
		r := s
		for _, size := range grows {
			r.Set(size, max(v, s.Get(size)))
		}
		return r
	}
	common, ok := least(1, func(v int) bool { return holds(t, raised(v)) })
	if !ok {
		return s, false
	}
	enough := raised(common)
	for _, size := range grows {
		reduced := enough
		v, _ := least(max(s.Get(size), 1), func(v int) bool { // enough itself will do
			reduced.Set(size, v)
			return holds(t, reduced)
		})
		enough.Set(size, v)
	}
	return enough, true
}

// NeedsText says at which sizes the theorem would apply, as "n = 100, m = 20"; false
// where it would at none.
func NeedsText(t Theorem, s Setting) (string, bool) {
	enough, ok := Needs(t, s)
	var words []string
	for _, name := range sizes.Names {
		if size := enough.Get(name); size != s.Get(name) {
			words = append(words, fmt.Sprintf("%s = %d", name, size))
		}
	}
	return strings.Join(words, ", "), ok
}

func holds(t Theorem, s Setting) bool {
	conditions, err := conditionsOf(t, s)
	return err == nil && holdAll(conditions)
}

func conditionsOf(t Theorem, s Setting) ([]Condition, error) {
	s.conditionsOnly = true
	if t.Bound != nil {
		b, err := t.Bound(s)
		return b.Conditions, err
	}
	if t.Rate == nil {
		return nil, nil // of a limit law
	}
	r, err := t.Rate(s)
	return r.Conditions, err
}

// least is the least v from the first on that will do, given that all above one
// that does will do.
func least(first int, will func(int) bool) (int, bool) {
	low, high := first-1, first // low will not do, or is not asked
	for !will(high) {
		if high >= most {
			return 0, false
		}
		low, high = high, min(2*high, most)
	}
	return 1 + lastBefore(low, high, will), true
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
