package configs

import (
	"errors"
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

// parseWhole reads a whole number, also one written 1e6 or 250.0.
func parseWhole(text string) (float64, bool) {
	x, ok := parseNumber(text)
	return x, ok && x == math.Trunc(x)
}

// Whole reads a whole number as specs write it: 1000000, 1e6 or 250.0.
func Whole(text string) (int, error) {
	x, ok := parseWhole(text)
	switch {
	case !ok:
		return 0, errors.New("must be a whole number, such as 250 or 1e6")
	case math.Abs(x) > maxCounted:
		return 0, errors.New("must be at most 2^53")
	}
	return int(x), nil
}
