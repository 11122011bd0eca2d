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
