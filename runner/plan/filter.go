package plan

import (
	"slices"

	"mercer/configs"
	"mercer/internal/sizes"
)

// filter leaves only the cells that a condition picks, and makes the repeats of
// the groups. Sizes shared by a fit stay those of the whole plan, so that results
// do not depend on the filter.
func (p *Plan) filter(text string) error {
	if text == "" {
		p.repeat()
		return nil
	}
	columns := p.Spec.Grid.Kinds()
	for _, name := range append([]string{"repeat"}, sizes.Names...) {
		columns[name] = configs.Number
	}
	for _, name := range []string{"dataset", "kernel", "method"} {
		columns[name] = configs.Text
	}
	condition, err := configs.CompileFilter(text, columns)
	if err != nil {
		return err
	}
	alike := !slices.Contains(condition.Names(), "repeat") // all repeats
	if !alike {
		p.repeat()
	}
	for _, g := range p.Groups {
		var wrong error
		g.Fits = copyFits(g.Fits, func(f *Fit) []Cell {
			var cells []Cell
			for _, c := range f.Cells {
				ok, err := condition.Match(filterRow(g, f, c, columns))
				if wrong == nil {
					wrong = err
				}
				if ok {
					cells = append(cells, c)
				}
			}
			return slices.Clip(cells)
		})
		if wrong != nil {
			return wrong
		}
	}
	if p.Records() == 0 {
		return configs.Errorf(configs.Pos{}, "filter %q picks no record of this spec", text)
	}
	if alike {
		p.repeat()
	}
	return nil
}

func filterRow(g *Group, f *Fit, c Cell, columns map[string]configs.Kind) configs.Env {
	row := configs.Env{}
	for name, kind := range columns {
		row[name] = configs.Scalar{Kind: kind} // the data of the group may be absent
	}
	row = row.With(configs.Numbers(g.Point(c)))
	row["dataset"], row["kernel"], row["method"] = configs.TextOf(g.Dataset), configs.TextOf(g.Kernel), configs.TextOf(f.Method)
	row["repeat"] = configs.NumberOf(float64(g.Repeat))
	for i, size := range c.Sizes.All() {
		row[sizes.Names[i]] = configs.NumberOf(float64(size))
	}
	return row
}

// repeat adds the other repeats to the groups of the first.
func (p *Plan) repeat() {
	first := p.Groups
	p.Groups = slices.Grow([]*Group(nil), len(first)*p.Spec.Repeats.Value)
	for repeat := range p.Spec.Repeats.Value {
		for _, g := range first {
			again := *g
			again.Repeat = repeat
			p.Groups = append(p.Groups, &again)
		}
	}
}

// Keep leaves only the records for whose keys keep holds. What is left is computed
// as it would be in the whole plan, bit for bit.
func (p *Plan) Keep(keep func(key string) bool) {
	for _, g := range p.Groups {
		due := g.Records()
		fits := copyFits(g.Fits, func(f *Fit) []Cell {
			return slices.DeleteFunc(slices.Clone(f.Cells), func(c Cell) bool { return !keep(g.Key(c)) })
		})
		if kept := (&Group{Fits: fits}).Records(); kept < due {
			g.Fits = fits // else they are still shared with other repeats
		}
	}
	p.shareFlops()
}
