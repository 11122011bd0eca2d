package plan

import (
	"fmt"

	"mercer/configs"
	"mercer/internal/selection"
)

// maxScatter is how many results one scatter plot shows; more would be neither
// readable nor small.
const maxScatter = 24

// markShown marks the cells whose points a scatter plot of the spec shows: those
// that it picks, of the first repeat.
func (p *Plan) markShown() error {
	var problems configs.Problems
	for _, plot := range p.Spec.Plots {
		if plot.Kind != configs.PlotScatter {
			continue
		}
		shown := map[string]bool{} // cells that differ in what their method does not use are one
		for _, g := range p.Groups {
			for _, f := range g.Fits {
				if g.Repeat != 0 || f.Skip != nil {
					continue
				}
				for _, c := range f.Cells {
					if selection.Matches(g.record(f, c), plot.Where) {
						if g.shown == nil {
							g.shown = map[int32]bool{}
						}
						g.shown[c.at] = true
						shown[fmt.Sprintf("%q %q %q %s", g.Dataset, g.Kernel, f.Method, p.Work(f.Method, c))] = true
					}
				}
			}
		}
		if len(shown) > maxScatter {
			problems.Add(configs.Errorf(plot.Pos, "plot %q would show the points of %d results, more than %d; pick some under where", plot.ID, len(shown), maxScatter))
		}
	}
	return problems.Err()
}
