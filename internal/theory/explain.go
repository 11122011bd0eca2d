package theory

import (
	_ "embed"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"text/template"

	"mercer/internal/sizes"
)

// Explanation is a theorem evaluated at one setting.
type Explanation struct {
	Key        string              `json:"theorem"`
	Reference  string              `json:"reference"`
	Says       string              `json:"says"`
	Metric     string              `json:"metric"`
	Methods    []string            `json:"methods"`
	Options    map[string][]string `json:"options,omitempty"`
	Assumes    []string            `json:"assumes,omitempty"`
	Population string              `json:"population"`
	Sizes      map[string]int      `json:"sizes"`
	Delta      float64             `json:"delta"`
	Given      map[string]float64  `json:"given,omitempty"`
	Applies    bool                `json:"applies"`
	Conditions []Evaluation        `json:"conditions"`
	Upper      *float64            `json:"upper,omitempty"`
	Lower      *float64            `json:"lower,omitempty"`
	Rate       *RateValue          `json:"rate,omitempty"`
	Needs      map[string]int      `json:"needs,omitempty"`
	Worth      *Worth              `json:"worth,omitempty"` // of a bound
	Limit      bool                `json:"limit,omitempty"` // it is about a distribution in the limit: no bound, no rate

	Setting string   `json:"-"` // in words
	Guessed []string `json:"-"` // open parameters that stand at 1
}

// Worth is what a bound says beyond what is trivial.
type Worth struct {
	Trivial float64 `json:"trivial"`
	Formula string  `json:"formula"`
	Why     string  `json:"why"` // it is trivial
	Source  string  `json:"source"`
	// Ratio is bound/trivial; nil where the theorem does not apply, bounds from below,
	// or has the trivial value 0.
	Ratio   *float64 `json:"ratio,omitempty"`
	Vacuous bool     `json:"vacuous"` // the theorem applies and says no more
}

// RateValue is a rate in numbers: n^Exponent·(log n)^Log.
type RateValue struct {
	Exponent float64 `json:"exponent"`
	Log      float64 `json:"log,omitempty"`
	Sharp    bool    `json:"sharp"`
}

// Explain evaluates a theorem at a setting: its conditions, its bound or rate, and
// where it does not apply the sizes at which it would. guessed are the open parameters
// that stand at 1 because nothing gave them. It fails where the setting lacks what the
// theorem is asked with.
func Explain(t Theorem, s Setting, guessed []string) (Explanation, error) {
	e := Explanation{Key: t.Key, Reference: t.Reference, Says: t.Says, Metric: t.Metric, Methods: t.Methods, Options: t.Options, Assumes: t.Assumes,
		Guessed: guessed, Limit: t.Bound == nil && t.Rate == nil, Population: s.Population.String(), Delta: s.Delta, Sizes: map[string]int{}, Given: map[string]float64{}}
	var words []string
	s.Sizes = s.Only(t.Sizes...)
	for _, name := range sizes.Names {
		if !slices.Contains(t.Sizes, name) {
			continue
		}
		e.Sizes[name] = s.Get(name)
		words = append(words, fmt.Sprintf("%s = %d", name, s.Get(name)))
	}
	names := append(slices.Sorted(maps.Keys(t.Open)), t.Uses...)
	if t.Bound == nil && t.Rate != nil {
		names = append(names, "alpha", "theta", "gamma")
	}
	for _, name := range names {
		if v, ok := s.Given[name]; ok {
			e.Given[name] = v
			words = append(words, fmt.Sprintf("%s = %.6g", name, v))
		}
	}
	if t.Bound != nil {
		words = append(words, fmt.Sprintf("delta = %g", s.Delta))
		b, err := t.Bound(s)
		if err != nil {
			return e, err
		}
		e.Applies, e.Conditions = b.Applies(), Evaluate(b.Conditions)
		trivial, err := t.Trivial.Value(s)
		if err != nil {
			return e, fmt.Errorf("the trivial value of %s: %w", t.Metric, err)
		}
		e.Worth = &Worth{Trivial: trivial, Formula: t.Trivial.Formula, Why: t.Trivial.Says, Source: t.Trivial.Source}
		if e.Applies {
			e.Upper, e.Lower = finiteOrNil(b.Upper), finiteOrNil(b.Lower)
			e.Worth.Ratio, e.Worth.Vacuous = finiteOrNil(b.Ratio(trivial)), !b.Informative(trivial)
		}
	}
	if t.Rate != nil && t.Bound == nil {
		r, err := t.Rate(s)
		if err != nil {
			return e, err
		}
		e.Applies, e.Conditions = r.Applies(), append(e.Conditions, Evaluate(r.Conditions)...)
		if e.Applies {
			e.Rate = &RateValue{r.Exponent, r.Log, r.Sharp}
		}
	}
	if !e.Applies && !e.Limit {
		if enough, ok := Needs(t, s); ok {
			e.Needs = enlarged(s, enough)
		}
	}
	e.Setting = strings.Join(words, ", ")
	return e, nil
}

func finiteOrNil(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}

//go:embed explain.tmpl
var explainText string

var explainTemplate = template.Must(template.New("explain").Funcs(template.FuncMap{
	"join": strings.Join, "sizes": sizesText, "likely": func(delta float64) float64 { return 1 - delta },
	"g4": func(x float64) string { return fmt.Sprintf("%.4g", x) }, "g6": func(x float64) string { return fmt.Sprintf("%.6g", x) },
}).Parse(explainText))

// Text is the explanation for a reader.
func (e Explanation) Text() string {
	var b strings.Builder
	if err := explainTemplate.Execute(&b, e); err != nil {
		panic(err) // of the template: an Explanation has all that it asks for
	}
	return b.String()
}

func sizesText(values map[string]int) string {
	var words []string
	for _, name := range sizes.Names {
		if size, ok := values[name]; ok {
			words = append(words, fmt.Sprintf("%s = %d", name, size))
		}
	}
	return strings.Join(words, ", ")
}

// Evaluation is a condition with its numbers, for readers and programs: Left Relation
// Right, with the values L and R, nil where they are not finite. Text is all of it.
type Evaluation struct {
	Text     string   `json:"text"`
	Holds    bool     `json:"holds"`
	Left     string   `json:"left"`
	L        *float64 `json:"l"`
	Relation string   `json:"relation"`
	Right    string   `json:"right"`
	R        *float64 `json:"r"`
}

// Evaluate gives conditions with their numbers.
func Evaluate(conditions []Condition) []Evaluation {
	list := []Evaluation{}
	for _, c := range conditions {
		list = append(list, Evaluation{Text: c.String(), Holds: c.Holds(), Left: c.Left, L: finiteOrNil(c.L),
			Relation: string(c.Relation), Right: c.Right, R: finiteOrNil(c.R)})
	}
	return list
}
