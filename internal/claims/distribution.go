package claims

import (
	"fmt"

	"gonum.org/v1/gonum/stat/distuv"

	"mercer/configs"
	"mercer/internal/inference"
	"mercer/results"
)

// distribution judges the law of a quantity over repeats, in each cell: the
// Kolmogorov–Smirnov distance sup|F - F0| of its distribution function F to the
// claimed F0 against within.
func (j *judge) distribution(c configs.Claim) ([]Verdict, error) {
	return j.eachGroup(c, nil, func(v Verdict, g results.Group, q *results.Quantity) Verdict {
		return j.distributionOf(v, g, q, *c.Distribution)
	})
}

func (j *judge) distributionOf(v Verdict, g results.Group, q *results.Quantity, c configs.Distribution) Verdict {
	readings, ok := j.readings(&v, g, q)
	if !ok {
		return v
	}
	cells, d := j.sampleCells(g, readings, func(e results.Constants, one *cell) Doubt {
		test, err := distanceTestOf(c, e, v.Level)
		if err != nil {
			return badClaim(err.Error())
		}
		one.band, one.test = test.Band(), test
		return Doubt{}
	})
	if d.Any() {
		return inconclusive(v, d)
	}
	return judgeCells(v, cells, scale{show: plainScale.show, what: "KS distance"})
}

// distanceTestOf evaluates what a claim says of one cell.
func distanceTestOf(c configs.Distribution, e results.Constants, level float64) (inference.DistanceTest, error) {
	t := inference.DistanceTest{Law: distuv.UnitNormal, Level: level}
	for _, p := range []struct {
		from *configs.Value
		to   *float64
	}{{c.Mean, &t.Law.Mu}, {c.SD, &t.Law.Sigma}, {c.Within, &t.Within}} {
		if p.from == nil {
			continue
		}
		var err error
		if *p.to, err = e.Eval(p.from); err != nil {
			return t, err
		}
	}
	switch {
	case t.Law.Sigma <= 0:
		return t, fmt.Errorf("sd is %g, which is not positive", t.Law.Sigma)
	case t.Within <= 0 || t.Within >= 1:
		return t, fmt.Errorf("within is %g, which does not lie between 0 and 1", t.Within)
	}
	return t, nil
}
