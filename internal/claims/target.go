package claims

import (
	"fmt"

	"mercer/configs"
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

// claimed writes a band; show maps its scale to the reader's.
func claimed(b band, show func(float64) float64) string {
	text := fmt.Sprintf("%s %.4g", b.relation, show(b.value))
	if b.relation == "=" {
		text += fmt.Sprintf(" ± %.3g", b.within)
	}
	return text
}
