package exec

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"gonum.org/v1/gonum/mat"

	"mercer/configs"
	"mercer/internal/plain"
)

// Answer is what a program found: arrays, and words about them. docs/exec.md says what
// each means.
type Answer struct {
	Arrays     map[string]*mat.Dense // those that were given; one of one dimension is a column
	Says       map[string]bool       // centered, isometric, map, assign, predict
	Metrics    map[string]*float64   // numbers of a measure, nil for those without a value
	Iterations int                   // of the program's algorithm
	Warnings   []string              // what a reader should know
	Seconds    map[string]float64    // wall seconds by phase, as the program measured them
	Error      string                // why there is no estimate; the program serves on

	given map[string]jsontext.Value // the arrays, as the line has them
}

// dimensions of the arrays that an answer may have.
var dimensions = map[string]int{
	"points": 2, "indices": 1, "coef": 2, "values": 1, "offset": 1,
	"labels": 1, "centers": 2, "center_coef": 2, "image": 2, "kernel": 2, "responses": 1,
}

// always are keys that every answer may have.
var always = []string{"iterations", "warnings", "seconds", "error"}

// excluding are keys, each with others that contradict it: a program that maps points gives no
// coefficients, for example.
var excluding = [][]string{
	{"points", "indices"},
	{"predict", "coef", "points", "indices"},
	{"map", "coef", "points", "indices", "offset", "isometric"},
	{"assign", "centers", "center_coef", "coef", "map"},
	{"center_coef", "centers", "coef", "map"},
	{"isometric", "offset"}, // its points would be no projections onto a subspace of H
}

const (
	maxWarnings    = 20 // as many phases
	maxWarningSize = 500
)

// decode reads the line of JSON that a program printed, whose keys are to be some of takes.
// It reads no file.
func decode(line []byte, takes []string) (Answer, error) {
	a := Answer{Says: map[string]bool{}, given: map[string]jsontext.Value{}}
	var given map[string]jsontext.Value
	err := json.Unmarshal(line, &given, jsontext.AllowInvalidUTF8(true))
	switch {
	case len(bytes.TrimSpace(line)) == 0:
		return a, errors.New("the program printed an empty line on standard output: want one line of JSON")
	case err != nil:
		return a, fmt.Errorf("answer %s is no JSON object: %w", excerpt(line), err)
	case given == nil:
		return a, fmt.Errorf("answer %s is no JSON object", excerpt(line))
	}

	for _, key := range slices.Sorted(maps.Keys(given)) {
		if err := a.take(key, given[key], takes); err != nil {
			return a, fmt.Errorf("answer %s: %w", excerpt(line), err)
		}
	}
	return a, a.check()
}

// take is one key of the line.
func (a *Answer) take(key string, value jsontext.Value, takes []string) (err error) {
	if !slices.Contains(takes, key) && !slices.Contains(always, key) {
		return errors.New(configs.Unknown("key", key, "", slices.Concat(takes, always)))
	}
	if string(value) == "null" { // as good as left out
		return nil
	}

	want := "true or false"
	switch key {
	case "iterations":
		want, err = "a whole number", json.Unmarshal(value, &a.Iterations)
	case "warnings":
		want, err = "a list of texts", json.Unmarshal(value, &a.Warnings)
	case "metrics":
		want, err = `numbers by name, such as {"alignment": 0.5}`, json.Unmarshal(value, &a.Metrics)
	case "seconds":
		want, err = `seconds by phase, such as {"solve": 1.5}`, json.Unmarshal(value, &a.Seconds)
	case "error":
		want, err = "a text", json.Unmarshal(value, &a.Error)
	default:
		if dimensions[key] > 0 {
			a.given[key] = value
			return nil
		}
		says := false
		err = json.Unmarshal(value, &says)
		a.Says[key] = says
	}
	if err != nil {
		return fmt.Errorf("%q must be %s", key, want)
	}
	return nil
}

var phasePattern = regexp.MustCompile(`^[a-z][a-z0-9_]{0,31}$`)

func (a *Answer) check() error {
	a.Error = shorten(plain.Text(a.Error), maxWarningSize)
	for i, w := range a.Warnings {
		a.Warnings[i] = shorten(plain.Text(w), maxWarningSize)
	}
	if len(a.Warnings) > maxWarnings || len(a.Seconds) > maxWarnings {
		return fmt.Errorf("answer: %d warnings and %d phases: at most %d of each", len(a.Warnings), len(a.Seconds), maxWarnings)
	}
	if a.Iterations < 0 {
		return fmt.Errorf("answer: iterations is %d", a.Iterations)
	}

	for phase, seconds := range a.Seconds {
		if !phasePattern.MatchString(phase) || phase == "total" || phase == "exec" {
			return fmt.Errorf("answer: phase %q of seconds: names are lower-case words such as gram or solve, and total and exec are taken", phase)
		}
		if !(seconds >= 0) || math.IsInf(seconds, 1) {
			return fmt.Errorf("answer: phase %q took %v seconds", phase, seconds)
		}
	}

	for _, keys := range excluding {
		for _, other := range keys[1:] {
			if a.has(keys[0]) && a.has(other) {
				return fmt.Errorf("answer: %s excludes %s", keys[0], other)
			}
		}
	}
	return nil
}

// has says whether an array was given, or whether a word is true.
func (a *Answer) has(key string) bool { return a.Says[key] || a.given[key] != nil }

// read reads the arrays, from files in the scratch directory or as the line has them.
func (a *Answer) read(s *Scratch) error {
	a.Arrays = map[string]*mat.Dense{}
	for _, key := range slices.Sorted(maps.Keys(a.given)) {
		var file string
		var err error
		if json.Unmarshal(a.given[key], &file) == nil {
			a.Arrays[key], err = s.load(file, dimensions[key])
		} else {
			a.Arrays[key], err = numbers(a.given[key], dimensions[key])
		}
		if err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
	}
	return nil
}

// numbers is an array that is written out in the answer.
func numbers(text jsontext.Value, dimensions int) (*mat.Dense, error) {
	want, rows := "a list of rows of numbers", [][]float64{nil}
	var err error
	if dimensions == 1 {
		want, err = "a list of numbers", json.Unmarshal(text, &rows[0])
	} else {
		err = json.Unmarshal(text, &rows)
	}
	switch {
	case bytes.Contains(text, []byte("null")): // which some languages print for NaN
		return nil, errors.New("null is no finite number")
	case err != nil:
		return nil, fmt.Errorf("must be the name of a .npy file, or %s", want)
	case len(rows) == 0 || len(rows[0]) == 0:
		return nil, errors.New("an array without numbers")
	}

	for i, row := range rows {
		if len(row) != len(rows[0]) {
			return nil, fmt.Errorf("row %d has %d numbers, row 0 has %d", i, len(row), len(rows[0]))
		}
	}
	if dimensions == 1 {
		return mat.NewDense(len(rows[0]), 1, rows[0]), nil
	}
	return mat.NewDense(len(rows), len(rows[0]), slices.Concat(rows...)), nil
}

// Array is a rows×columns array of the answer, where 0 stands for any number. It fails
// where it is missing or has another shape.
func (a *Answer) Array(key string, rows, columns int) (*mat.Dense, error) {
	x := a.Arrays[key]
	if x == nil {
		return nil, fmt.Errorf("answer: %s is missing", key)
	}
	if r, c := x.Dims(); rows > 0 && r != rows || columns > 0 && c != columns {
		size := func(n int) string {
			if n == 0 {
				return "any"
			}
			return strconv.Itoa(n)
		}
		return nil, fmt.Errorf("%s: an array of %d×%d: want %s×%s", key, r, c, size(rows), size(columns))
	}
	return x, nil
}

// Vector is an array of one dimension, of so many numbers.
func (a *Answer) Vector(key string, count int) ([]float64, error) {
	x, err := a.Array(key, count, 1)
	if err != nil {
		return nil, err
	}
	return x.RawMatrix().Data, nil
}

// Integers is an array of so many whole numbers from 0 to below − 1, and 0 for any number.
func (a *Answer) Integers(key string, count, below int) ([]int, error) {
	values, err := a.Vector(key, count)
	if err != nil {
		return nil, err
	}
	integers := make([]int, len(values))
	for i, v := range values {
		if v != math.Trunc(v) || v < 0 || v >= float64(below) {
			return nil, fmt.Errorf("%s: number %d is %v: want whole numbers from 0 to %d", key, i, v, below-1)
		}
		integers[i] = int(v)
	}
	return integers, nil
}
