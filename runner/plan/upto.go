package plan

import "slices"

// UpTo is the plan with only the repeats of each cell that are due. They are
// computed as they would be in the whole plan, bit for bit.
func (p *Plan) UpTo(due []Due) *Plan {
	type design struct{ dataset, kernel string }
	repeats := map[design][]int{}
	for _, d := range due {
		repeats[design{d.Dataset, d.Kernel}] = d.Repeats
	}
	part := *p
	part.Groups = make([]*Group, len(p.Groups))
	before := map[design]*Group{} // of the repeat before
	for i, g := range p.Groups {
		own, at := *g, design{g.Dataset, g.Kernel}
		own.Fits = copyFits(g.Fits, func(f *Fit) []Cell {
			return slices.DeleteFunc(slices.Clone(f.Cells), func(c Cell) bool {
				return c.Number() >= len(repeats[at]) || g.Repeat >= repeats[at][c.Number()]
			})
		})
		if last := before[at]; last != nil && last.Records() == own.Records() {
			own.Fits = last.Fits // the same cells: a cell that is not due is not due in later repeats
		}
		part.Groups[i], before[at] = &own, &own
	}
	part.shareFlops()
	return &part
}
