package claims

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat/distuv"

	"mercer/configs"
	"mercer/internal/inference"
	"mercer/internal/plain"
	"mercer/results"
)

// claimKind is how claims of one kind are judged, and what their verdicts estimate.
type claimKind struct {
	judge func(*judge, configs.Claim) ([]Verdict, error) // a verdict for each group of records
	noun  string                                         // the estimate: "ratio"
}

// kinds are the kinds of claims, by the names of configs.ClaimKinds. Those about the numbers of
// each cell are in this file; a new one is a method of judge here and a line in the list.
var kinds = map[string]claimKind{
	"value":        {(*judge).value, "value"},
	"dispersion":   {(*judge).dispersion, "ratio of standard deviations"},
	"distribution": {(*judge).distribution, "distance"},
	"slope":        {(*judge).slope, "slope"},
	"ratio":        {(*judge).ratio, "ratio"},
	"order":        {(*judge).order, "ratio of neighbours"},
	"bound":        {(*judge).bound, "coverage"},
}

// Noun is what Estimate is: "ratio".
func (v Verdict) Noun() string {
	if v.Share > 0 {
		return draws(v.Share)
	}
	return kinds[v.Kind].noun
}

// draws is a share of them: "95 % of draws".
func draws(share float64) string { return plain.Six(100*share) + " % of draws" }

// value judges the mean over repeats in each cell, with Share the limit that a share of draws keeps,
// with Each every record.
func (j *judge) value(c configs.Claim) ([]Verdict, error) {
	of, s := *c.Value, plainScale
	s.clip = j.Catalog.Metrics[of.Of.Text].Clip
	if of.Each {
		s = scale{show: plainScale.show, what: "value", digits: 6, counts: true, codes: map[Outcome]Code{Holds: "each_holds", Violated: "each_contradicts"}}
	}
	switch {
	case of.Share > 0 && of.AtLeast != nil:
		s.what = draws(of.Share) + " at least"
	case of.Share > 0:
		s.what = draws(of.Share) + " at most"
	}
	return j.byCells(c, nil, s, func(v *Verdict, p part) ([]cell, Doubt) {
		v.Share = of.Share
		if of.Because != "" {
			v.note("tolerance: %s", of.Because)
		}
		cells, d := j.sampleCells(p, func(e results.Constants, one *cell) (d Doubt) {
			one.band, d = targetOf(e, of.Equals, of.AtMost, of.AtLeast, of.Within)
			one.exact = followsFromSizes(p.quantity)
			one.band.Slack = inference.RoundingSlack * (math.Abs(one.band.Value) + one.band.Within)
			if of.Share > 0 {
				one.test = inference.ShareTest{Band: one.band, Share: of.Share, Level: v.Level}
			}
			return d
		})
		if of.Each { // up to the relative rounding slack; low and high are the least and the greatest value
			v.Level = 1
			for i, one := range cells {
				cells[i].test = inference.EachTest{Band: one.band, Lost: len(one.lost)}
			}
		}
		return cells, d
	})
}

// dispersion judges sd(Method)/sd(To) over repeats at each grid point, by the jackknife
// of the log ratio.
//
// The standard deviation of numbers with a long tail depends on a few repeats, so that limits
// allow for the tails of both methods, and are wide. Logs of such numbers are nearer to normal: a
// claim of log(metric), which compares spreads in per cent, needs fewer repeats.
//
// Reference: Miller 1968 (Jackknifing variances). The test of Pitman and Morgan, exact for
// normal numbers, is wrong in 18 % and 10 % of these cases.
func (j *judge) dispersion(c configs.Claim) ([]Verdict, error) {
	return j.paired(c, c.Dispersion.Ratio, spreadRatios, spreadScale)
}

var spreadScale = scale{show: math.Exp, what: "ratio of standard deviations", logs: true}

// minSpreads is the smallest number of repeats of which spreads are compared.
const minSpreads = 5

// spreadRatios are the values of a cell: the jackknife's pseudo-values of log sd(top)/sd(bottom),
// whose mean and standard error are those of the log ratio.
func spreadRatios(pairs []pair, c *cell) Doubt {
	if n := len(pairs); n < minSpreads {
		c.more = true
		return doubt("few_for_spread", "count", n, "least", minSpreads)
	}
	var top, bottom []float64
	for _, p := range pairs {
		top, bottom = append(top, p.top), append(bottom, p.bottom)
	}
	parts := [2][]float64{inference.LogSpreads(top), inference.LogSpreads(bottom)}
	values := floats.SubTo(make([]float64, len(pairs)), parts[0], parts[1])
	for _, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return doubt("no_spread")
		}
	}
	c.values, c.parts = values, &parts
	return Doubt{}
}

// distribution judges the law of a quantity over repeats, in each cell: the
// Kolmogorov–Smirnov distance sup|F - F0| of its distribution function F to the
// claimed F0 against within.
func (j *judge) distribution(c configs.Claim) ([]Verdict, error) {
	return j.byCells(c, nil, scale{show: plainScale.show, what: "KS distance"}, func(v *Verdict, p part) ([]cell, Doubt) {
		return j.sampleCells(p, func(e results.Constants, one *cell) Doubt {
			test, err := distanceTestOf(*c.Distribution, e, v.Level)
			if err != nil {
				return badClaim(err.Error())
			}
			one.band, one.test = test.Band(), test
			return Doubt{}
		})
	})
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
