package claims

import (
	"fmt"

	"mercer/configs"
	"mercer/internal/inference"
	"mercer/results"
)

// targetOf builds the band of a claim from its three alternatives.
func targetOf(e results.Constants, equals, atMost, atLeast, within *configs.Value) (b inference.Band, d Doubt) {
	var err error
	switch {
	case atMost != nil:
		b.Relation = "<="
		b.Value, err = e.Eval(atMost)
	case atLeast != nil:
		b.Relation = ">="
		b.Value, err = e.Eval(atLeast)
	case equals != nil:
		b.Relation = "="
		b.Value, err = e.Eval(equals)
	default:
		return b, Doubt{"the claim has none of equals, at_most, at_least", correct}
	}
	if err == nil {
		b.Within, err = e.Eval(within)
	}
	switch {
	case err != nil:
		return b, Doubt{err.Error(), correct}
	case b.Within < 0:
		return b, Doubt{fmt.Sprintf("within is %g, which is negative", b.Within), correct}
	}
	return b, Doubt{}
}
