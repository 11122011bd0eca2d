package plan

import (
	"slices"
	"strings"

	"mercer/configs"
	"mercer/internal/lists"
)

// checkPicks refuses claims whose where picks no cell of a method that the claim cannot do
// without, which could never be decided, and notes those that pick nothing, as where a
// grid is cut for a trial. Of
//
//	grid: {m: [100, 1000], ell: [3, 10]}
//	methods: [{id: nystrom, use: nystrom}, {id: few, use: nystrom, m: ell}]
//
// `where: {m: 1000}` picks no cell of few, whose m is 3 or 10.
func (p *Plan) checkPicks() error {
	var problems configs.Problems
	for _, claim := range p.Spec.Statements() {
		if claim.OnTarget {
			continue
		}
		_, kind := claim.Kind()
		where, ids := kind.Picked().Where, claimMethods(claim)
		picked := map[string]bool{}
		for c := range p.Cells {
			if matches(c.At, where) {
				picked[c.At.Text("method")] = true
			}
		}
		lacking := lists.Where(ids, func(id string) bool { return !picked[id] })
		switch {
		case len(picked) == 0:
			p.note("%s cannot be decided: its where picks no cell of this grid", claim.Name())
		case len(lacking) > 0:
			problems.Add(configs.Errorf(claim.Pos, "%s: its where picks no cell of %s; where is about the values that a method uses, also those that it sets by itself", claim.Name(), strings.Join(slices.Sorted(slices.Values(lacking)), ", ")))
		}
	}
	return problems.Err()
}
