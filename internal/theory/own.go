package theory

import (
	"fmt"
	"maps"
	"math"
	"strings"

	"mercer/configs"
	"mercer/internal/lists"
	"mercer/internal/sizes"
)

// Own is the bound that a spec states itself, such as recon_h <= C*sqrt(log(n)/m). It has no
// key and no conditions, and is about any method. A name in it is a parameter of `with`; delta,
// the probability with which the bound may fail; a metric of the record, where isMetric says
// so; or a column or a constant of the data set.
func Own(b configs.Bound, isMetric func(name string) bool) Theorem {
	bound, relation := b.Own()
	t := Theorem{Reference: fmt.Sprintf("%s %s %s", b.Of.Text, relation, bound.Text), Metric: b.Of.Text, Open: map[string]string{}}
	var with []string
	for _, name := range bound.Names() {
		value, given := b.With[name]
		switch {
		case given:
			t.Open[name] = "a parameter of the bound"
			with = append(with, name+" = "+value.Value.Text)
			t.Sizes = append(t.Sizes, lists.Where(value.Value.Names(), sizes.Is)...)
		case isMetric(name):
			t.Uses = append(t.Uses, name)
		case sizes.Is(name):
			t.Sizes = append(t.Sizes, name)
		}
	}
	if with != nil {
		t.Reference += " with " + strings.Join(with, ", ")
	}

	below := relation == ">="
	if trivial := trivials[t.Metric]; trivial.FromBelow == below {
		t.Trivial = trivial
	}
	t.Bound = func(s Setting) (Bound, error) {
		given := maps.Clone(s.Given)
		if _, open := t.Open["delta"]; !open {
			given["delta"] = s.Delta
		}
		value, err := bound.Eval(given)
		if below {
			return Bound{Upper: math.Inf(1), Lower: value}, err
		}
		return atMost(value), err
	}
	return t
}
