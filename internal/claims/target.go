package claims

import (
	"fmt"

	"mercer/configs"
	"mercer/internal/plain"
	"mercer/internal/selection"
)

// targetOf builds the band of a claim from its three alternatives.
func targetOf(e selection.Environment, equals, atMost, atLeast, within *configs.Value) (b band, d Doubt) {
	var err error
	switch {
	case atMost != nil:
		b.relation = "<="
		b.value, err = e.Eval(atMost)
	case atLeast != nil:
		b.relation = ">="
		b.value, err = e.Eval(atLeast)
	case equals != nil:
		b.relation = "="
		b.value, err = e.Eval(equals)
	default:
		return b, Doubt{"the claim has none of equals, at_most, at_least", correct}
	}
	if err == nil {
		b.within, err = e.Eval(within)
	}
	switch {
	case err != nil:
		return b, Doubt{err.Error(), correct}
	case b.within < 0:
		return b, Doubt{fmt.Sprintf("within is %g, which is negative", b.within), correct}
	}
	return b, Doubt{}
}

// claimed writes a band beside an estimate and its interval; show maps its scale to the
// reader's, which these are on.
func claimed(b band, show func(float64) float64, interval ...float64) string {
	text := b.relation + " " + plain.Claimed(show(b.value), interval...)
	if b.relation == "=" {
		text += " ± " + plain.Claimed(b.within)
	}
	return text
}

// edges are those of the band, on the reader's scale.
func (b band) edges(show func(float64) float64) []float64 {
	return []float64{show(b.value - b.within), show(b.value + b.within)}
}

// significant writes what was found, an estimate and its interval, with at least 4 digits, and
// as many as tell them from each other and from what is claimed.
func significant(what string, interval []float64, claimed ...float64) string {
	digits := plain.Digits('g', 4, interval, claimed...)
	return fmt.Sprintf("%s %.*g, interval [%.*g, %.*g]", what, digits, interval[0], digits, interval[1], digits, interval[2])
}
