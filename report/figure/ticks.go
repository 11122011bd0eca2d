package figure

import (
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"

	"mercer/report/format"
)

// span is the range of a log axis, both ends positive.
type span struct{ low, high float64 }

// decades is the length of s on a log10 axis.
func (s span) decades() float64 { return math.Log10(s.high) - math.Log10(s.low) }

// shortAxis is the length in decades below which digits times powers of ten
// leave too much of an axis without a label.
const shortAxis = 0.7

// pad widens s by fraction of its length at either end, and to a fifth of a
// decade at least.
func (s span) pad(fraction float64) span {
	by := math.Max(fraction*s.decades(), (0.2-s.decades())/2)
	factor := math.Pow(10, math.Min(by, 300))
	return span{math.Max(s.low/factor, math.SmallestNonzeroFloat64), math.Min(s.high*factor, math.MaxFloat64)}
}

// holds says whether v lies in s, its ends included up to rounding.
func (s span) holds(v float64) bool { return v >= s.low*(1-1e-9) && v <= s.high*(1+1e-9) }

// logTicks are the ticks of a log axis: as few labels as tell the scale, which
// is from 3 to most, and unlabelled ticks between. Labels stand at powers of
// ten where these are enough, else at 1, 2 and 5 times a power, else at every
// digit, and on axes shorter than shortAxis at round numbers equally far apart.
func logTicks(s span, most int) []plot.Tick {
	if s.decades() < shortAxis {
		return withMinor(s, roundNumbers(s, most))
	}
	labelled := powers(s, most)
	for _, digits := range [][]int{{1, 2, 5}, {1, 2, 3, 5, 7}, {1, 2, 3, 4, 5, 6, 7, 8, 9}} {
		if len(labelled) >= 3 {
			break
		}
		if finer := multiples(s, digits); len(finer) <= most && len(finer) > len(labelled) {
			labelled = finer
		}
	}
	return withMinor(s, labelled)
}

// withMinor labels values and adds unlabelled ticks at every digit.
func withMinor(s span, labelled []float64) []plot.Tick {
	label := labels(labelled)
	var ticks []plot.Tick
	for i, v := range labelled {
		ticks = append(ticks, plot.Tick{Value: v, Label: label[i]})
	}
	if s.decades() <= 12 {
		for _, v := range multiples(s, []int{1, 2, 3, 4, 5, 6, 7, 8, 9}) {
			near := func(t plot.Tick) bool { return math.Abs(t.Value/v-1) < 1e-6 }
			if !slices.ContainsFunc(ticks, near) {
				ticks = append(ticks, plot.Tick{Value: v})
			}
		}
	}
	return ticks
}

// positionTicks are the ticks of a log axis with labels at the positions that
// were measured, when these are two or more whole numbers with room for labels
// between them; else those of logTicks.
func positionTicks(s span, positions []float64) []plot.Tick {
	at := slices.Compact(slices.Sorted(slices.Values(positions)))
	roomy := len(at) > 1
	for i, v := range at {
		roomy = roomy && v == math.Trunc(v) && v < 1e5
		if i > 0 { // a label takes at most an eighth of the axis
			roomy = roomy && math.Log10(v/at[i-1]) > s.decades()/8
		}
	}
	if !roomy {
		return logTicks(s, 6)
	}
	return withMinor(s, at)
}

// powers are the powers of ten in s, thinned to at most most of them.
func powers(s span, most int) []float64 {
	first, last := int(math.Ceil(math.Log10(s.low)-1e-9)), int(math.Floor(math.Log10(s.high)+1e-9))
	var values []float64
	for _, step := range []int{1, 2, 5, 10, 20, 50, 100, 200} {
		values = nil
		for e := first; e <= last; e++ {
			if e%step == 0 {
				values = append(values, scaled(1, e))
			}
		}
		if len(values) <= most {
			break
		}
	}
	return values
}

// multiples are digit·10^k in s, rising.
func multiples(s span, digits []int) []float64 {
	var values []float64
	for e := int(math.Floor(math.Log10(s.low))); e <= int(math.Ceil(math.Log10(s.high))); e++ {
		for _, digit := range digits {
			if v := scaled(digit, e); s.holds(v) {
				values = append(values, v)
			}
		}
	}
	return values
}

// roundNumbers are multiples in s of a step that is 1, 2, 2.5 or 5 times a
// power of ten, at most most of them.
func roundNumbers(s span, most int) []float64 {
	length := s.high - s.low
	e := int(math.Floor(math.Log10(length))) - 1
	for ; ; e++ {
		for _, base := range []int{10, 20, 25, 50} {
			step := scaled(base, e-1)
			var values []float64
			for k := math.Ceil(s.low/step - 1e-9); k*step <= s.high*(1+1e-9) && len(values) <= most; k++ {
				values = append(values, format.RoundedTo(k*step, 12))
			}
			if len(values) <= most {
				return values
			}
		}
	}
}

// scaled is digit·10^e, exact where a product with a computed power is not.
func scaled(digit, e int) float64 {
	v, err := strconv.ParseFloat(strconv.Itoa(digit)+"e"+strconv.Itoa(e), 64)
	if err != nil { // out of range: an axis at the edge of what a float can be
		return math.Pow(10, float64(e)) * float64(digit)
	}
	return v
}

// labels writes the values of one axis in one style: plain where all are short
// so, else as digits and a raised power of ten.
func labels(values []float64) []string {
	out := make([]string, len(values))
	plain := true
	for i, v := range values {
		out[i] = strconv.FormatFloat(v, 'f', -1, 64)
		plain = plain && len(out[i]) <= 6 && v >= 1e-3
	}
	if plain {
		return out
	}
	for i, v := range values {
		e := int(math.Floor(math.Log10(v) + 1e-9))
		power := "10" + raise + format.Minus(strconv.Itoa(e)) + lower
		if mantissa := format.RoundedTo(v/math.Pow(10, float64(e)), 12); mantissa != 1 {
			power = strconv.FormatFloat(mantissa, 'g', -1, 64) + "·" + power
		}
		out[i] = power
	}
	return out
}
