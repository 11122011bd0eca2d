package figure

import (
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"

	"mercer/internal/plain"
)

// axis is one axis of a panel. Its range and ticks are those of what the panel
// shows, see [scale], unless they are given.
type axis struct {
	label     string
	log       bool
	names     []string  // of rows, in place of numbers: the first on top, each at minus its number
	positions []float64 // where it is labelled if there is room; else at round numbers
	most      int       // how many labels there is room for
	fromZero  bool      // bars stand on it
	plain     bool      // it has no lines of a grid

	span  span
	ticks []plot.Tick
}

// fit gives the axis of a figure of a width its range and ticks, where it has none.
func (a *axis) fit(r extent, width vg.Length) {
	if a.names != nil {
		a.span, a.ticks = span{0.5 - float64(len(a.names)), 0.5}, nil
		for i, name := range a.names {
			a.ticks = append(a.ticks, plot.Tick{Value: -float64(i), Label: fit(name, textStyle(tickSize), width/3)})
		}
		return
	}
	if a.span == (span{}) {
		a.span = r.padded(0.06)
		if a.fromZero && r.low == 0 {
			a.span.low = 0
		}
	}
	if a.ticks == nil {
		a.ticks = a.span.ticks(a.log, a.positions, a.most)
	}
}

// extent gathers the values that an axis has to show.
type extent struct {
	log       bool
	low, high float64
	any       bool
}

// shows says whether the axis has a place for v.
func (r extent) shows(v float64) bool { return plain.Finite(v) && (!r.log || v > 0) }

// include widens the range to values; those without a place do not count.
func (r *extent) include(values ...float64) {
	for _, v := range values {
		if !r.shows(v) {
			continue
		}
		if !r.any {
			r.low, r.high, r.any = v, v, true
		}
		r.low, r.high = math.Min(r.low, v), math.Max(r.high, v)
	}
}

// near are those of values, which are drawn for comparison, that widen the range at
// either end by at most reach times its length, which counts as a decade at least on
// a log axis.
func (r extent) near(reach float64, values []float64) []float64 {
	least, most := r.low-reach*r.length(), r.high+reach*r.length()
	if r.log {
		by := math.Pow(math.Max(10, r.high/r.low), reach)
		least, most = r.low/by, r.high*by
	}
	return slices.DeleteFunc(slices.Clone(values), func(v float64) bool { return r.any && (v < least || v > most) })
}

// length is that of a linear range, and the size of a single value.
func (r extent) length() float64 {
	if r.single() {
		return math.Max(math.Abs(r.high), 1)
	}
	return r.high - r.low
}

// single says whether the ends differ by rounding at most: the digits of labels could
// not tell them apart.
func (r extent) single() bool {
	return r.high-r.low <= 1e-8*math.Max(math.Abs(r.low), math.Abs(r.high))
}

// padded is the range widened by fraction of its length at either end; on a log axis
// to a fifth of a decade at least, on a linear one around a single value by a tenth of
// it. It is 1 to 10 when there is nothing to show.
func (r extent) padded(fraction float64) span {
	s := span{r.low, r.high}
	switch {
	case !r.any:
		return span{1, 10}
	case r.log:
		by := math.Max(fraction*s.decades(), (0.2-s.decades())/2)
		factor := math.Pow(10, math.Min(by, 300))
		return span{math.Max(s.low/factor, math.SmallestNonzeroFloat64), math.Min(s.high*factor, math.MaxFloat64)}
	case !r.single():
		by := fraction * (s.high - s.low)
		return span{s.low - by, s.high + by}
	case r.low == 0:
		return span{-1, 1}
	}
	by := math.Max(math.Abs(s.low)*0.1, 1e-12)
	return span{s.low - by, s.high + by}
}
