package configs

import (
	"slices"
	"strings"
)

// What a heat map of a bound shows.
const (
	MeasuredOverBound = "measured/bound"
	BoundOverTrivial  = "bound/trivial"
	BestOverProven    = "best/proven"
)

// boundRatios are what a heat map can show of a bound.
var boundRatios = []string{MeasuredOverBound, BoundOverTrivial, BestOverProven}

// checkHeatmap checks what heat maps alone have.
func (p Plot) checkHeatmap(c *checker, where string) {
	x, y := Word{p.X.Text, p.X.Pos}, Word{p.Y.Text, p.Y.Pos}
	c.lookup("column", x, `"x" of `+where)
	c.lookup("column", y, `"y" of `+where)
	if x.Value == y.Value && x.Value != "" {
		c.add(y.Pos, "%s has column %q as x and as y; choose one", where, x.Value)
	}
	p.checkSplit(c, "x", x, where)
	if y.Value == p.Facet.Value && y.Value != "" {
		c.add(p.Facet.Pos, "%s has column %q as y and as facet; choose one", where, y.Value)
	}
	asked := strings.ReplaceAll(p.Of.Text, " ", "")
	switch {
	case p.Claim.Value != "" && p.Of.Text != "" && !slices.Contains(boundRatios, asked):
		c.lookupIn(boundRatios, "quantity", Word{p.Of.Text, p.Of.Pos}, `"of" of `+where+", which shows a bound")
	case p.Claim.Value == "" && slices.Contains(boundRatios, asked):
		c.add(p.Of.Pos, "%s shows %s of no bound; name a claim of kind bound under claim", where, asked)
	}
	if p.Claim.Value == "" {
		return
	}
	c.lookup("claim", p.Claim, where)
	if slices.Contains(c.names["claim"], p.Claim.Value) && !slices.Contains(c.names["bound"], p.Claim.Value) {
		c.add(p.Claim.Pos, "%s needs a claim of kind bound, and claim %q is none; for a metric leave claim out and give of", where, p.Claim.Value)
	}
}

// Ratio is what a heat map of a bound shows: one of MeasuredOverBound, BoundOverTrivial
// and BestOverProven.
func (p Plot) Ratio() string { return strings.ReplaceAll(p.Of.Text, " ", "") }
