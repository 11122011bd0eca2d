package facts

import (
	"fmt"
	"math"
	"slices"

	"mercer/internal/theory"
	"mercer/results"
)

// Facts are what is known of a population.
type Facts struct {
	Name        string  `json:"name"`
	Independent bool    `json:"iid"` // samples are independent draws from it
	Kappa       float64 `json:"kappa"`
	// Answers are numbers by question, such as "tail(2,5)" for Σ_{i>5} λ_i².
	Answers map[string][]float64 `json:"answers,omitempty"`
	// Failed says why a question has no answer; that of opening is why nothing is known.
	Failed map[string]string `json:"failed,omitempty"`
}

// opening is the question whether the population can be opened.
const opening = "opening"

// Population answers from facts. What they lack it asks of its source, and adds.
type Population struct {
	facts      Facts
	source     func() (theory.Population, error)
	unanswered error // the first question that got no answer
}

// errNotStored says that facts lack an answer, and that there is no source to ask.
var errNotStored = fmt.Errorf("it is not stored with the run (%s)", results.PopulationsFile)

var _ theory.Population = (*Population)(nil)

// Of is the population that is known by facts alone.
func Of(f Facts) *Population {
	return &Population{facts: f, source: func() (theory.Population, error) { return nil, errNotStored }}
}

// Unknown is a population of which nothing is known, and why.
func Unknown(why error) *Population {
	return Of(Facts{Kappa: math.NaN(), Failed: map[string]string{opening: why.Error()}})
}

// Unanswered is why the first question without an answer since the last call has
// none; nil where all were answered. A theorem that asked it has no value.
func (p *Population) Unanswered() error {
	err := p.unanswered
	p.unanswered = nil
	return err
}

func (p *Population) fail(question, why string) error {
	err := fmt.Errorf("%s: %s", question, why)
	if question == opening {
		err = fmt.Errorf("%s", why)
	}
	if p.unanswered == nil {
		p.unanswered = err
	}
	return err
}

func (p *Population) ask(question string, of func(theory.Population) ([]float64, error)) ([]float64, error) {
	for _, q := range []string{opening, question} {
		if why, failed := p.facts.Failed[q]; failed {
			return nil, p.fail(q, why)
		}
	}
	if known, ok := p.facts.Answers[question]; ok {
		return slices.Clone(known), nil
	}
	source, err := p.source()
	if err == errNotStored {
		return nil, p.fail(question, err.Error())
	}
	var values []float64
	if err == nil {
		values, err = of(source)
	}
	if err == nil && slices.ContainsFunc(values, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }) {
		err = fmt.Errorf("%v is not finite", values)
	}
	if err != nil {
		set(&p.facts.Failed, question, err.Error())
		return nil, p.fail(question, err.Error())
	}
	set(&p.facts.Answers, question, values)
	return slices.Clone(values), nil
}

func set[V any](m *map[string]V, key string, value V) {
	if *m == nil {
		*m = map[string]V{}
	}
	(*m)[key] = value
}

func (p *Population) number(question string, of func(theory.Population) (float64, error)) (float64, error) {
	values, err := p.ask(question, func(source theory.Population) ([]float64, error) {
		value, err := of(source)
		return []float64{value}, err
	})
	if err != nil {
		return 0, err
	}
	return values[0], nil
}

// Known says whether anything is known of the population.
func (p *Population) Known() bool {
	_, failed := p.facts.Failed[opening]
	return !failed
}

// Independent says that samples are known to be independent draws from it.
func (p *Population) Independent() bool { return p.Known() && p.facts.Independent }

func (p *Population) String() string { return p.facts.Name }

// Kappa is NaN where nothing is known.
func (p *Population) Kappa() float64 {
	if why, failed := p.facts.Failed[opening]; failed {
		_ = p.fail(opening, why)
	}
	return p.facts.Kappa
}

func (p *Population) Eigenvalues(count int) ([]float64, error) {
	return p.ask(fmt.Sprintf("eigenvalues(%d)", count), func(s theory.Population) ([]float64, error) { return s.Eigenvalues(count) })
}

func (p *Population) Tail(power, ell int) (float64, error) {
	return p.number(fmt.Sprintf("tail(%d,%d)", power, ell), func(s theory.Population) (float64, error) { return s.Tail(power, ell) })
}

func (p *Population) EffectiveDimension(t float64) (float64, error) {
	return p.number(fmt.Sprintf("effective dimension(%v)", t), func(s theory.Population) (float64, error) { return s.EffectiveDimension(t) })
}

func (p *Population) UncentredEigenvalues(count int) ([]float64, error) {
	return p.ask(fmt.Sprintf("uncentred eigenvalues(%d)", count), func(s theory.Population) ([]float64, error) { return s.UncentredEigenvalues(count) })
}

func (p *Population) UncentredSum(power int) (float64, error) {
	return p.number(fmt.Sprintf("uncentred sum(%d)", power), func(s theory.Population) (float64, error) { return s.UncentredSum(power) })
}
