package plan

import "slices"

// UpTo is the plan with only so many repeats of each cell, the first ones. They are
// computed as they would be in the whole plan, bit for bit.
func (p *Plan) UpTo(repeats func(*Group, *Fit, Cell) int) *Plan {
	part := *p
	part.Groups = make([]*Group, len(p.Groups))
	type design struct{ dataset, kernel string }
	before := map[design]*Group{} // of the repeat before
	for i, g := range p.Groups {
		own := *g
		own.Fits = copyFits(g.Fits, func(f *Fit) []Cell {
			return slices.DeleteFunc(slices.Clone(f.Cells), func(c Cell) bool { return g.Repeat >= repeats(g, f, c) })
		})
		at := design{g.Dataset, g.Kernel}
		if last := before[at]; last != nil && last.Records() == own.Records() {
			own.Fits = last.Fits // the same cells: a cell that is not due is not due in later repeats
		}
		part.Groups[i], before[at] = &own, &own
	}
	part.shareFlops()
	return &part
}
