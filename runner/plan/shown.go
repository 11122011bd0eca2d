package plan

import (
	"mercer/configs"
	"mercer/results"
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
		shown := 0
		for _, g := range p.Groups {
			for _, f := range g.Fits {
				for _, c := range f.Cells {
					if f.Skip == nil && matches(c.At, plot.Where) {
						c.shown = true
						shown++
					}
				}
			}
		}
		if shown > maxScatter {
			problems.Add(configs.Errorf(plot.Pos, "plot %q would show the points of %d results, more than %d; pick some under where", plot.ID, shown, maxScatter))
		}
	}
	return problems.Err()
}

// matches says whether conditions pick a cell; a column that it has not matches every value.
func matches(at results.Key, where configs.Conditions) bool {
	return where.Match(func(name string) (results.Value, bool) { return at.Get(name), true })
}
