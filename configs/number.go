package configs

import (
	"math"
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

// FormatNumber writes a number the way Where lists it: the shortest decimal
// that reads back as x, without an exponent for everyday sizes (1000000, 0.05).
func FormatNumber(x float64) string {
	if a := math.Abs(x); x == 0 || (a >= 1e-6 && a < 1e15) {
		return strconv.FormatFloat(x+0, 'f', -1, 64)
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}
