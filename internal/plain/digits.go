package plain

import (
	"math"
	"slices"
	"strconv"
)

const (
	// oneNumber is the difference, relative to the largest of several numbers, up to which
	// two of them count as one: it is rounding, as in claims.
	oneNumber = 1e-9
	// mostDigits are enough for numbers that differ by more than that.
	mostDigits = 12
	// writtenDigits are at most those of a number that somebody wrote; more are of a
	// computed one.
	writtenDigits = 9
)

// Digits is the least precision, of 'g' or 'f' and from least on, that shows an estimate and the
// ends of its interval with two digits of the interval's width, and tells them from each other
// and from what they are compared with; least where none does.
func Digits(verb byte, least int, interval []float64, with ...float64) int {
	const shares = 20 // of the interval's width, one of which rounding may move a number by
	infinite := func(v float64) bool { return !Finite(v) }
	interval, with = slices.DeleteFunc(slices.Clone(interval), infinite), slices.DeleteFunc(slices.Clone(with), infinite)
	all := slices.Concat(interval, with)
	if len(interval) == 0 {
		return least
	}
	rounding := oneNumber * max(slices.Max(all), -slices.Min(all))
	width := slices.Max(interval) - slices.Min(interval)
	for precision := least; precision <= mostDigits; precision++ {
		enough := true
		for i, v := range all {
			text := strconv.FormatFloat(v, verb, precision, 64)
			if shown, err := strconv.ParseFloat(text, 64); i < len(interval) && width > rounding && err == nil && shares*math.Abs(shown-v) > width {
				enough = false
			}
			for _, other := range interval[:min(i, len(interval))] {
				if math.Abs(v-other) > rounding && text == strconv.FormatFloat(other, verb, precision, 64) {
					enough = false
				}
			}
		}
		if enough {
			return precision
		}
	}
	return least
}

// Claimed writes a number that an estimate and its interval are compared with: as it was
// written where it has few digits, else with as many as tell it from them.
func Claimed(v float64, interval ...float64) string {
	exact, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', mostDigits, 64), 64)
	short, bad := strconv.ParseFloat(strconv.FormatFloat(v, 'g', writtenDigits, 64), 64)
	if err == nil && bad == nil && (exact == short || exact == math.Trunc(exact)) {
		return Number(exact + 0) // no negative zero
	}
	return strconv.FormatFloat(v, 'g', Digits('g', 4, interval, v), 64)
}
