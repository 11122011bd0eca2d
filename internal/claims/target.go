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
		return b, badClaim("the claim has none of equals, at_most, at_least")
	}
	if err == nil {
		b.Within, err = e.Eval(within)
	}
	switch {
	case err != nil:
		return b, badClaim(err.Error())
	case b.Within < 0:
		return b, badClaim(fmt.Sprintf("within is %g, which is negative", b.Within))
	}
	return b, Doubt{}
}
