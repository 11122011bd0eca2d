package sections

import (
	"slices"

	"mercer/internal/claims"
	"mercer/report/figure"
)

// Claim is one claim with all its verdicts.
type Claim struct {
	id, says, source string
	verdicts         []claims.Verdict
	single           []figure.Figure // of each verdict; empty path where it has none
	combined         []figure.Figure // of several verdicts
}

// outcome is the one of the claim's verdicts that asks for most attention.
func (s Claim) outcome() claims.Outcome { return claims.Worst(s.verdicts) }

// Figures are all that are drawn, in the order in which the report shows them.
func (s Claim) Figures() []figure.Figure {
	return slices.DeleteFunc(slices.Concat(s.combined, s.single), func(f figure.Figure) bool { return f.Path == "" })
}

// Claims groups verdicts by claim, in the order in which the claims first
// occur, and lays out their figures, under names that are not taken.
func Claims(verdicts []claims.Verdict, taken map[string]bool) []Claim {
	var sections []Claim
	index := map[string]int{}
	for _, v := range verdicts {
		i, known := index[v.Claim]
		if !known {
			i = len(sections)
			index[v.Claim] = i
			sections = append(sections, Claim{id: v.Claim, says: v.Says, source: v.Source})
		}
		sections[i].verdicts = append(sections[i].verdicts, v)
	}
	for i := range sections {
		s := &sections[i]
		s.single, s.combined = figure.OfClaim(s.id, s.verdicts, taken)
	}
	return sections
}
