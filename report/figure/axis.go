package figure

import (
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"

	"mercer/report/format"
)

// axis is one axis of a panel.
type axis struct {
	label string
	span  span
	log   bool
	rows  bool // names in place of numbers
	ticks []plot.Tick
}

// logAxis is labelled at positions where these are given and there is room, else
// at round numbers.
func logAxis(label string, s span, positions []float64) axis {
	return axis{label: label, span: s, log: true, ticks: positionTicks(s, positions)}
}

// linearAxis is labelled at positions where these are few and given, else at
// round numbers; most is how many labels there is room for.
func linearAxis(label string, s span, positions []float64, most int) axis {
	return axis{label: label, span: s, ticks: linearTicks(s, positions, most)}
}

// newAxis has the scale of r, padded; most is how many labels there is room for.
func newAxis(label string, r extentOf, positions []float64, most int) axis {
	if r.log {
		a := logAxis(label, r.span().pad(0.06), positions)
		if positions == nil {
			a.ticks = logTicks(a.span, most)
		}
		return a
	}
	return linearAxis(label, r.span().padLinear(0.06), positions, most)
}

// single says whether the ends of a linear span differ by rounding at most: the
// digits of labels could not tell them apart.
func (s span) single() bool {
	return s.high-s.low <= 1e-8*math.Max(math.Abs(s.low), math.Abs(s.high))
}

// padLinear widens s by fraction of its length at either end; a single value gets
// room around it.
func (s span) padLinear(fraction float64) span {
	by := fraction * (s.high - s.low)
	if s.single() {
		by = math.Max(math.Abs(s.low)*0.1, 1e-12)
		if s.low == 0 {
			by = 1
		}
	}
	return span{s.low - by, s.high + by}
}

// linearTicks are the ticks of a linear axis.
func linearTicks(s span, positions []float64, most int) []plot.Tick {
	at := roomyPositions(s, positions)
	if at == nil {
		at = linearNumbers(s, most)
	}
	label := linearLabels(at)
	ticks := make([]plot.Tick, len(at))
	for i, v := range at {
		ticks[i] = plot.Tick{Value: v, Label: label[i]}
	}
	return ticks
}

// roomyPositions are the positions, sorted, when they are two or more short
// numbers with room for labels between them; else nil.
func roomyPositions(s span, positions []float64) []float64 {
	at := slices.Compact(slices.Sorted(slices.Values(positions)))
	for i, v := range at {
		if len(format.Number(v)) > 5 || i > 0 && v-at[i-1] < (s.high-s.low)/8 {
			return nil
		}
	}
	if len(at) < 2 {
		return nil
	}
	return at
}

// linearNumbers are multiples in s, which is not single, of a step that is 1, 2,
// 2.5 or 5 times a power of ten, at most most of them.
func linearNumbers(s span, most int) []float64 {
	length := s.high - s.low
	for e := int(math.Floor(math.Log10(length))) - 1; ; e++ {
		for _, base := range []int{10, 20, 25, 50} {
			step := scaled(base, e-1)
			first, last := math.Ceil(s.low/step-1e-9), math.Floor(s.high/step+1e-9)
			if last-first >= float64(most) {
				continue
			}
			var values []float64
			for i := range int(last-first) + 1 {
				values = append(values, format.RoundedTo((first+float64(i))*step, 12)+0) // no negative zero
			}
			return values
		}
	}
}

// linearLabels writes the values of one axis: plain where all are short so, else
// as digits and a raised power of ten, the same for all.
func linearLabels(values []float64) []string {
	most := 0.0
	for _, v := range values {
		most = math.Max(most, math.Abs(v))
	}
	out := make([]string, len(values))
	e := 0
	if most != 0 {
		e = int(math.Floor(math.Log10(most) + 1e-9))
	}
	plain := e >= -3 && e <= 4
	for i, v := range values {
		switch {
		case plain:
			out[i] = format.Minus(strconv.FormatFloat(format.RoundedTo(v, 10), 'f', -1, 64))
		case v == 0:
			out[i] = "0"
		default:
			mantissa := format.RoundedTo(v/scaled(1, e), 10)
			power := "10" + raise + format.Minus(strconv.Itoa(e)) + lower
			switch mantissa {
			case 1:
				out[i] = power
			case -1:
				out[i] = format.Minus("-") + power
			default:
				out[i] = format.Minus(strconv.FormatFloat(mantissa, 'g', -1, 64)) + "·" + power
			}
		}
	}
	return out
}

// rowAxis has names, the first on top, each at minus its number. Long names are
// shortened to a share of the figure's width.
func rowAxis(names []string, width vg.Length) axis {
	a := axis{span: span{0.5 - float64(len(names)), 0.5}, rows: true}
	style := textStyle(tickSize, false)
	for i, name := range names {
		a.ticks = append(a.ticks, plot.Tick{Value: -float64(i), Label: fit(name, style, width/3)})
	}
	return a
}

// extentOf gathers the values that an axis has to show.
type extentOf struct {
	log       bool
	low, high float64
	any       bool
}

// shows says whether the axis has a place for v.
func (r *extentOf) shows(v float64) bool { return format.Finite(v) && (!r.log || v > 0) }

// include widens the range to values; those without a place do not count.
func (r *extentOf) include(values ...float64) {
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

// extendWithin widens the range to those values that do not more than double it at
// either end, or by a decade, for what is drawn for comparison only.
func (r *extentOf) extendWithin(values ...float64) {
	least, most := r.low-(r.high-r.low), r.high+(r.high-r.low)
	if r.log && r.any {
		by := math.Max(10, r.high/r.low)
		least, most = r.low/by, r.high*by
	}
	for _, v := range values {
		if !r.any || v >= least && v <= most {
			r.include(v)
		}
	}
}

// span is the range; 1 to 10 when there is nothing to show.
func (r *extentOf) span() span {
	if !r.any {
		return span{1, 10}
	}
	return span{r.low, r.high}
}
