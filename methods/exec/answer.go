package exec

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"

	"mercer/configs"
	"mercer/internal/plain"
)

// Answer is what a program found. Arrays that were not given are nil.
type Answer struct {
	Points     *Array             // p×dim; the functions are Σ_j coef_ji k(·, points_j)
	Indices    *Array             // p rows of X in place of Points; with neither, the points are all of X
	Coef       *Array             // p×c
	Values     *Array             // c eigenvalues; n predictions of a call of predict
	Centered   bool               // the estimate is centred at the sample's mean
	Offset     *Array             // c numbers that an embedding subtracts
	Isometric  bool               // an embedding's functions are orthonormal in H
	Labels     *Array             // n clusters, from 0
	Centers    *Array             // k×dim, or k×c in the embedding of Coef
	CenterCoef *Array             // p×k: centres in H, Σ_j coef_ji k(·, points_j)
	Map        bool               // the program maps points into the embedding
	Assign     bool               // the program assigns points to clusters
	Predict    bool               // the program predicts at points
	Image      *Array             // n×c: where a call of map puts its points
	Iterations int                // of the program's algorithm
	Warnings   []string           // what a reader should know
	Seconds    map[string]float64 // wall seconds by phase, as the program measured them
	Error      string             // why there is no estimate; the program serves on
	Keys       []string           // those that were given
}

const (
	maxWarnings    = 20
	maxWarningSize = 500
	maxPhases      = 20
)

// target is where a key of an answer goes, and what it must be in words.
type target struct {
	into any
	want string
}

func (a *Answer) targets() map[string]target {
	const array = "the name of a .npy file, or the numbers themselves"
	return map[string]target{
		"points": {&a.Points, array}, "indices": {&a.Indices, array}, "coef": {&a.Coef, array},
		"values": {&a.Values, array}, "offset": {&a.Offset, array}, "labels": {&a.Labels, array},
		"centers": {&a.Centers, array}, "center_coef": {&a.CenterCoef, array},
		"image":    {&a.Image, array},
		"centered": {&a.Centered, "true or false"}, "isometric": {&a.Isometric, "true or false"},
		"map": {&a.Map, "true or false"}, "assign": {&a.Assign, "true or false"},
		"predict":    {&a.Predict, "true or false"},
		"iterations": {&a.Iterations, "a whole number"}, "warnings": {&a.Warnings, "a list of texts"},
		"error":   {&a.Error, "a text"},
		"seconds": {&a.Seconds, "seconds by phase, such as {\"solve\": 1.5}"},
	}
}

// DecodeAnswer reads the line of JSON that a program printed. It fails where there is
// none, an unknown or a repeated key, a value of the wrong kind.
func DecodeAnswer(printed []byte) (Answer, error) {
	printed = bytes.TrimRight(printed, "\r\n")
	if len(bytes.TrimSpace(printed)) == 0 {
		return Answer{}, errors.New("the program printed an empty line on standard output: want one line of JSON")
	}
	a := Answer{}
	if err := a.decode(printed); err != nil {
		return Answer{}, fmt.Errorf("answer %s: %w", excerpt(printed), err)
	}
	return a, a.check()
}

func (a *Answer) decode(line []byte) error {
	decoder := json.NewDecoder(bytes.NewReader(line))
	if open, err := decoder.Token(); err != nil || open != json.Delim('{') {
		return errors.New("is no JSON object")
	}
	targets, seen := a.targets(), map[string]bool{}
	for decoder.More() {
		token, err := decoder.Token()
		if err != nil {
			return badJSON(err)
		}
		key := token.(string) // where an object has a key
		to, known := targets[key]
		switch {
		case !known:
			return errors.New(configs.Unknown("key", key, "", slices.Collect(maps.Keys(targets))))
		case seen[key]:
			return fmt.Errorf("has the key %q twice", key)
		}
		seen[key] = true
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			return badJSON(err)
		}
		if string(value) == "null" { // as good as left out
			continue
		}
		a.Keys = append(a.Keys, key)
		if err := json.Unmarshal(value, to.into); err != nil {
			var own arrayError
			if errors.As(err, &own) {
				return fmt.Errorf("%q: %w", key, own)
			}
			return fmt.Errorf("%q must be %s", key, to.want)
		}
	}
	if _, err := decoder.Token(); err != nil {
		return badJSON(err)
	}
	if _, err := decoder.Token(); err != io.EOF {
		return errors.New("goes on after the JSON object")
	}
	return nil
}

func badJSON(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("is cut short")
	}
	return fmt.Errorf("is no JSON: %w", err)
}

var phasePattern = regexp.MustCompile(`^[a-z][a-z0-9_]{0,31}$`)

func (a *Answer) check() error {
	a.Error = Shorten(plain.Text(a.Error), maxWarningSize)
	if a.Iterations < 0 {
		return fmt.Errorf("answer: iterations is %d", a.Iterations)
	}
	if len(a.Warnings) > maxWarnings || len(a.Seconds) > maxPhases {
		return fmt.Errorf("answer: %d warnings and %d phases: at most %d of each", len(a.Warnings), len(a.Seconds), maxWarnings)
	}
	for i, w := range a.Warnings {
		a.Warnings[i] = Shorten(plain.Text(w), maxWarningSize)
	}
	for _, phase := range slices.Sorted(maps.Keys(a.Seconds)) {
		if !phasePattern.MatchString(phase) || phase == "total" || phase == "exec" {
			return fmt.Errorf("answer: phase %q of seconds: names are lower-case words such as gram or solve, and total and exec are taken", phase)
		}
		if s := a.Seconds[phase]; !(s >= 0) || math.IsInf(s, 1) {
			return fmt.Errorf("answer: phase %q took %v seconds", phase, s)
		}
	}
	return nil
}

// Only fails where the answer to a request ("model: embedding") has another key than the
// allowed ones; those on iterations, warnings, seconds and errors always are.
func (a Answer) Only(asked string, allowed ...string) error {
	for _, key := range a.Keys {
		if !slices.Contains(allowed, key) && !slices.Contains([]string{"iterations", "warnings", "seconds", "error"}, key) {
			return fmt.Errorf("answer: key %q has no meaning for %s; it takes %s", key, asked, strings.Join(allowed, ", "))
		}
	}
	return nil
}
