package figure

import (
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"

	"mercer/report/format"
)

// span is a range; on a log axis both ends are positive.
type span struct{ low, high float64 }

// decades is the length of s on a log10 axis.
func (s span) decades() float64 { return math.Log10(s.high) - math.Log10(s.low) }

// holds says whether v lies in s, its ends included up to rounding.
func (s span) holds(v float64) bool { return v >= s.low*(1-1e-9) && v <= s.high*(1+1e-9) }

// ticks are those of an axis: labels at positions where these are given and there is
// room, else at up to most round numbers, and on a log axis unlabelled ticks between.
//
// The tickers of gonum/plot label powers of ten alone on a log axis, of which a figure
// often has one or none.
func (s span) ticks(log bool, positions []float64, most int) []plot.Tick {
	at := s.roomy(log, positions)
	switch {
	case at != nil:
	case log:
		at = s.logNumbers(most)
	default:
		at = s.roundNumbers(most)
	}
	var ticks []plot.Tick
	for i, label := range labels(at, log) {
		ticks = append(ticks, plot.Tick{Value: at[i], Label: label})
	}
	if log && s.decades() <= 12 {
		for _, v := range s.multiples(1, 2, 3, 4, 5, 6, 7, 8, 9) {
			near := func(t plot.Tick) bool { return math.Abs(t.Value/v-1) < 1e-6 }
			if !slices.ContainsFunc(ticks, near) {
				ticks = append(ticks, plot.Tick{Value: v})
			}
		}
	}
	return ticks
}

// roomy are the positions, sorted, when they are two or more short numbers with room
// for labels between them, of which one takes at most an eighth of the axis; else nil.
func (s span) roomy(log bool, positions []float64) []float64 {
	at := slices.Compact(slices.Sorted(slices.Values(positions)))
	for i, v := range at {
		if len(format.Number(v)) > 5 {
			return nil
		}
		if i > 0 && (log && math.Log10(v/at[i-1]) < s.decades()/8 || !log && v-at[i-1] < (s.high-s.low)/8) {
			return nil
		}
	}
	if len(at) < 2 {
		return nil
	}
	return at
}

// logNumbers are from 3 to most round numbers on a log axis: powers of ten where
// these are enough, else 1, 2 and 5 times a power, else every digit, and on axes
// shorter than 0.7 decades round numbers equally far apart.
func (s span) logNumbers(most int) []float64 {
	if s.decades() < 0.7 {
		return s.roundNumbers(most)
	}
	numbers := s.powers(most)
	for _, digits := range [][]int{{1, 2, 5}, {1, 2, 3, 5, 7}, {1, 2, 3, 4, 5, 6, 7, 8, 9}} {
		if len(numbers) >= 3 {
			break
		}
		if finer := s.multiples(digits...); len(finer) <= most && len(finer) > len(numbers) {
			numbers = finer
		}
	}
	return numbers
}

// powers are the powers of ten in s, thinned to at most most of them.
func (s span) powers(most int) []float64 {
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
func (s span) multiples(digits ...int) []float64 {
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

// roundNumbers are multiples in s of a step that is 1, 2, 2.5 or 5 times a power of
// ten, at most most of them.
func (s span) roundNumbers(most int) []float64 {
	for e := int(math.Floor(math.Log10(s.high-s.low))) - 1; ; e++ {
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

// scaled is digit·10^e, exact where a product with a computed power is not.
func scaled(digit, e int) float64 {
	v, err := strconv.ParseFloat(strconv.Itoa(digit)+"e"+strconv.Itoa(e), 64)
	if err != nil { // out of range: an axis at the edge of what a float can be
		return math.Pow(10, float64(e)) * float64(digit)
	}
	return v
}

// labels writes the values of one axis in one style: plain where all are short so, else
// as digits and a raised power of ten: on a linear axis the same power for all.
func labels(values []float64, log bool) []string {
	least, most := math.Inf(1), 0.0
	for _, v := range values {
		least, most = math.Min(least, math.Abs(v)), math.Max(most, math.Abs(v))
	}
	plain := most == 0 || most >= 1e-3 && most < 1e6 && (!log || least >= 1e-3)
	out := make([]string, len(values))
	for i, v := range values {
		if plain || v == 0 {
			out[i] = format.Minus(strconv.FormatFloat(format.RoundedTo(v, 12), 'f', -1, 64))
			continue
		}
		e := int(math.Floor(math.Log10(most) + 1e-9))
		if log {
			e = int(math.Floor(math.Log10(v) + 1e-9))
		}
		digits := strconv.FormatFloat(format.RoundedTo(v/scaled(1, e), 10), 'g', -1, 64) + "·"
		if digits == "1·" || digits == "-1·" {
			digits = digits[:len(digits)-len("1·")]
		}
		out[i] = format.Minus(digits + "10" + raise + strconv.Itoa(e) + lower)
	}
	return out
}
