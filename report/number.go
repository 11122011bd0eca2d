package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"mercer/results"
)

// none stands for a number that is not known.
const none = "–"

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// number writes v with four significant digits, whole numbers with all.
func number(v float64) string {
	switch {
	case !finite(v):
		return none
	case v == math.Trunc(v) && math.Abs(v) < 1e15:
		return results.FormatFloat(v + 0) // no negative zero
	}
	return strconv.FormatFloat(roundedTo(v, 4), 'g', -1, 64)
}

// padded writes v with four significant digits, zeros at the end included, so
// that a column of such numbers lines up.
func padded(v float64) string {
	if !finite(v) {
		return none
	}
	if v == 0 {
		return "0"
	}
	return strings.TrimSuffix(fmt.Sprintf("%#.4g", v), ".")
}

// roundedTo is v to so many significant digits.
func roundedTo(v float64, significant int) float64 {
	r, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', significant, 64), 64)
	if err != nil {
		return v
	}
	return r
}

// minus writes the hyphens of a formatted number as minus signs.
func minus(text string) string { return strings.ReplaceAll(text, "-", "−") }

// percent writes a confidence level.
func percent(level float64) string {
	return strconv.FormatFloat(math.Round(level*1e4)/100, 'f', -1, 64) + " %"
}

// digits says how to write numbers around v that are known up to about half:
// decimals so that half has two significant digits, and the power of ten to take
// out, 0 for everyday sizes.
func digits(v, half float64) (decimals, power int) {
	size := exponent(math.Max(math.Abs(v), half))
	last := exponent(half) - 1
	if half == 0 || size-last > 9 {
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

// plusMinus writes a mean and the half-width of its interval with as many
// digits as the half-width gives meaning to: "0.1234 ± 0.0012",
// "(1.23 ± 0.12)e-7". Without a half-width it is the mean alone.
func plusMinus(mean, half float64) string {
	switch {
	case !finite(mean):
		return none
	case !finite(half):
		return number(mean)
	case half == 0:
		return strconv.FormatFloat(roundedTo(mean, 6), 'g', -1, 64)
	}
	decimals, power := digits(mean, half)
	spread := decimal(half, decimals, power)
	if strings.Trim(spread, "0.") == "" { // far below the digits shown
		return fmt.Sprintf("%s ± %.0e", withPower(decimal(mean, decimals, power), power), half)
	}
	text := decimal(mean, decimals, power) + " ± " + spread
	if power == 0 {
		return text
	}
	return withPower("("+text+")", power)
}

// interval writes an estimate and its interval to the digits that the interval
// gives meaning to: "-0.262 [-0.271, -0.253]". A bound that is not known is
// written as infinite.
func interval(estimate, low, high float64) string {
	if !finite(estimate) {
		return none
	}
	if math.IsNaN(low) && math.IsNaN(high) {
		return number(estimate)
	}
	half := 0.0
	for _, bound := range []float64{low, high} {
		if finite(bound) {
			half = math.Max(half, math.Abs(bound-estimate))
		}
	}
	if half == 0 && finite(low) && finite(high) {
		return fmt.Sprintf("%s [%s, %s]", number(estimate), number(low), number(high))
	}
	decimals, power := digits(estimate, half)
	bound := func(v float64, infinite string) string {
		if !finite(v) {
			return infinite
		}
		return withPower(decimal(v, decimals, power), power)
	}
	return fmt.Sprintf("%s [%s, %s]", withPower(decimal(estimate, decimals, power), power), bound(low, "-inf"), bound(high, "inf"))
}

// count writes "1 record", "2 records".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
