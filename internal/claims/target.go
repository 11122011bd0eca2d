package claims

import (
	"errors"
	"fmt"

	"mercer/configs"
	"mercer/internal/selection"
)

// targetOf builds the band of a claim from its three alternatives.
func targetOf(e selection.Environment, equals, atMost, atLeast, within *configs.Value) (band, Doubt) {
	b, err := bandOf(e, equals, atMost, atLeast, within)
	if err != nil {
		return b, Doubt{err.Error(), correct}
	}
	return b, Doubt{}
}

func bandOf(e selection.Environment, equals, atMost, atLeast, within *configs.Value) (band, error) {
	b := band{relation: "="}
	v := equals
	switch {
	case atMost != nil:
		b.relation, v = "<=", atMost
	case atLeast != nil:
		b.relation, v = ">=", atLeast
	case equals == nil:
		return b, errors.New("the claim has none of equals, at_most, at_least")
	}
	var err error
	if b.value, err = e.Eval(v); err != nil {
		return b, err
	}
	b.within, err = e.Eval(within)
	if err == nil && b.within < 0 {
		err = fmt.Errorf("within is %g, which is negative", b.within)
	}
	return b, err
}
