package configs

import (
	"slices"
	"strings"
)

// What a heat map of a bound shows.
const (
	MeasuredOverBound = "measured/bound"
	BoundOverTrivial  = "bound/trivial"
)

// boundRatios are what a heat map can show of a bound.
var boundRatios = []string{MeasuredOverBound, BoundOverTrivial}

// checkBound checks what a heat map of a bound shows.
func (p Plot) checkBound(d *Decoder) {
	bound := slices.Contains(boundRatios, p.Ratio())
	switch {
	case p.Claim.Value == "" && bound:
		d.add(p.Of.Pos, "%s shows %s of no bound; name a claim of kind bound under claim", d.label, p.Ratio())
	case p.Claim.Value != "" && !bound && p.Of.Text != "":
		d.add(p.Of.Pos, "%s", Unknown("quantity", p.Of.Text, `"of" of `+d.label+", which shows a bound", boundRatios))
	}
	if id := p.Claim.Value; slices.Contains(d.ids["claim"], id) && !slices.Contains(d.ids["bound"], id) {
		d.add(p.Claim.Pos, "%s needs a claim of kind bound, and claim %q is none; for a metric leave claim out and give of", d.label, id)
	}
}

// Ratio is what a heat map of a bound shows: MeasuredOverBound or BoundOverTrivial.
func (p Plot) Ratio() string { return strings.ReplaceAll(p.Of.Text, " ", "") }
