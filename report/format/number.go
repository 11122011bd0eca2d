package format

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"mercer/internal/plain"
)

// Value writes v with all its digits; empty when it is not known.
func Value(v float64) string {
	if !plain.Finite(v) {
		return ""
	}
	return plain.Number(v)
}

func OptionalValue(v *float64) string {
	if v == nil {
		return ""
	}
	return Value(*v)
}

// None stands for a number that is not known.
const None = "–"

// Number writes v with four significant digits, whole numbers with all.
func Number(v float64) string {
	switch {
	case !plain.Finite(v):
		return None
	case v == math.Trunc(v) && math.Abs(v) < 1e15:
		return plain.Number(v + 0) // no negative zero
	}
	return strconv.FormatFloat(RoundedTo(v, 4), 'g', -1, 64)
}

// Padded writes v with four significant digits, zeros at the end included, so
// that a column of such numbers lines up.
func Padded(v float64) string {
	if !plain.Finite(v) {
		return None
	}
	if v == 0 {
		return "0"
	}
	return strings.TrimSuffix(fmt.Sprintf("%#.4g", v), ".")
}

// RoundedTo is v to so many significant digits.
func RoundedTo(v float64, significant int) float64 {
	r, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', significant, 64), 64)
	if err != nil {
		return v
	}
	return r
}

// Minus writes the hyphens of a formatted number as minus signs.
func Minus(text string) string { return strings.ReplaceAll(text, "-", "−") }

// negative is a hyphen that is the sign of a number.
var negative = regexp.MustCompile(`(^|[\s(\[^=])-(\d)`)

// Negatives writes the hyphens that are signs of numbers in a text as minus signs.
func Negatives(text string) string { return negative.ReplaceAllString(text, "$1−$2") }

// Percent writes a confidence level.
func Percent(level float64) string {
	return strconv.FormatFloat(math.Round(level*1e4)/100, 'f', -1, 64) + " %"
}

// digits says how to write numbers around v that are known up to about half:
// decimals so that half has two significant digits, and the power of ten to take
// out, 0 for everyday sizes.
func digits(v, half float64) (decimals, power int) {
	size := exponent(math.Max(math.Abs(v), half))
	last := exponent(half) - 1
	if half == 0 || size-last > 5 {
		last = size - 5
	}
	if size < -3 || size > 5 {
		power = size
	}
	return max(0, power-last), power
}

// exponent is that of v's leading digit once v is rounded to two digits.
func exponent(v float64) int {
	if v == 0 {
		return 0
	}
	text := strconv.FormatFloat(v, 'e', 1, 64)
	_, e, _ := strings.Cut(text, "e")
	n, err := strconv.Atoi(e)
	if err != nil {
		panic(err) // v is finite
	}
	return n
}

func decimal(v float64, decimals, power int) string {
	text := strconv.FormatFloat(v/math.Pow(10, float64(power)), 'f', decimals, 64)
	if strings.Trim(text, "-0.") == "" {
		return strings.TrimPrefix(text, "-")
	}
	return text
}

func withPower(text string, power int) string {
	if power == 0 {
		return text
	}
	return fmt.Sprintf("%se%d", text, power)
}

// PlusMinus writes a mean and the half-width of its interval with as many
// digits as the half-width gives meaning to: "0.1234 ± 0.0012",
// "(1.23 ± 0.12)e−7". Without a half-width it is the mean alone. Minus signs are no hyphens.
func PlusMinus(mean, half float64) string { return Minus(plusMinus(mean, half)) }

func plusMinus(mean, half float64) string {
	switch {
	case !plain.Finite(mean):
		return None
	case !plain.Finite(half):
		return Number(mean)
	case half == 0:
		return strconv.FormatFloat(RoundedTo(mean, 6), 'g', -1, 64)
	}
	decimals, power := digits(mean, half)
	spread := decimal(half, decimals, power)
	if exponent(half) < power-decimals { // below the digits shown
		return fmt.Sprintf("%s ± %.0e", withPower(decimal(mean, decimals, power), power), half)
	}
	text := decimal(mean, decimals, power) + " ± " + spread
	if power == 0 {
		return text
	}
	return withPower("("+text+")", power)
}

// Mean writes a mean with its interval, as PlusMinus where that is symmetric.
func Mean(mean, low, high float64) string {
	if half := max(high-mean, mean-low); min(high-mean, mean-low) < 0.999*half {
		return Interval(mean, low, high)
	}
	return PlusMinus(mean, high-mean)
}

// Interval writes an estimate and its interval with two digits of the interval's half-width, as
// PlusMinus does: "−0.262 [−0.271, −0.253]". A bound that is not known is written as infinite.
// Without an interval, or where it is one number, the estimate has the digits that tell it from what
// is claimed. Minus signs are no hyphens.
func Interval(estimate, low, high float64, claimed ...float64) string {
	return Minus(interval(estimate, low, high, claimed))
}

func interval(estimate, low, high float64, claimed []float64) string {
	half := 0.0
	for _, bound := range []float64{low, high} {
		if plain.Finite(bound) {
			half = max(half, math.Abs(bound-estimate))
		}
	}
	switch text := plain.Claimed(estimate, claimed...); {
	case !plain.Finite(estimate):
		return None
	case math.IsNaN(low) && math.IsNaN(high):
		return text
	case half == 0 && plain.Finite(low) && plain.Finite(high):
		return fmt.Sprintf("%s [%s, %s]", text, text, text)
	}
	decimals, power := digits(estimate, half)
	end := func(v float64, infinite string) string {
		if !plain.Finite(v) {
			return infinite
		}
		text := decimal(v, decimals, power)
		if v != 0 && strings.Trim(text, "0.") == "" { // 0 is no rounding of a number that is not 0
			return strings.ReplaceAll(strconv.FormatFloat(v, 'g', 2, 64), "e+", "e")
		}
		return withPower(text, power)
	}
	return fmt.Sprintf("%s [%s, %s]", end(estimate, ""), end(low, "-inf"), end(high, "inf"))
}

// Range writes two ends by a verb, once where they look the same: "0.5 to 2".
func Range(verb string, low, high float64) string {
	return Ends(fmt.Sprintf(verb, low), fmt.Sprintf(verb, high))
}

// Ends joins two ends of a range, which may be one.
func Ends(low, high string) string {
	if low == high {
		return low
	}
	return low + " to " + high
}
