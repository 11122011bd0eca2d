package configs

import (
	"math"
	"math/big"
	"regexp"
	"strconv"
)

// decimal is how a number is written: no octal, no underscores, no infinity.
var decimal = regexp.MustCompile(`^[-+]?(0|[1-9][0-9]*|[0-9]*\.[0-9]+|[0-9]+\.)([eE][-+]?[0-9]+)?$`)

// parseNumber reads a finite decimal number.
func parseNumber(text string) (float64, bool) {
	if !decimal.MatchString(text) {
		return 0, false
	}
	x, err := strconv.ParseFloat(text, 64)
	return x, err == nil && !math.IsInf(x, 0)
}

// nearWhole rounds what is whole but for rounding errors.
func nearWhole(x float64) float64 {
	if r := math.Round(x); math.Abs(x-r) <= 1e-9*max(1, math.Abs(r)) {
		return r
	}
	return x
}

// canonicalNumber writes integers exactly and other numbers shortest; what is no number
// stays as it is.
func canonicalNumber(text string) string {
	x, ok := parseNumber(text)
	if !ok {
		return text
	}
	if whole, ok := new(big.Int).SetString(text, 10); ok {
		return whole.String()
	}
	if x == math.Trunc(x) && math.Abs(x) < 1<<53 {
		return strconv.FormatInt(int64(x), 10)
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}
