package plan

import (
	"slices"

	"mercer/methods"
)

// Passes divides the fits of a group into passes over the sample. Fits of a streaming
// method that differ in n only are one pass, by rising n; every other fit is a pass by
// itself, and so is every timed or skipped fit.
func (p *Plan) Passes(g *Group) [][]*Fit {
	type series struct {
		method string
		sizes  methods.Sizes
	}
	var passes [][]*Fit
	index := map[series]int{}
	for _, f := range g.Fits {
		method := p.Methods[f.Method]
		if _, ok := method.Method.(methods.Streaming); !ok || p.Timed || p.Measures("kernel_entries") || f.Skip != nil {
			passes = append(passes, []*Fit{f})
			continue
		}
		s := series{f.Method, sharedSizes(method, f.Sizes)}
		s.sizes.N = 0
		at, ok := index[s]
		if !ok {
			at = len(passes)
			index[s] = at
			passes = append(passes, nil)
		}
		passes[at] = append(passes[at], f)
	}
	for _, pass := range passes {
		slices.SortStableFunc(pass, func(a, b *Fit) int { return a.Sizes.N - b.Sizes.N })
	}
	return passes
}

// shareEll gives the fits of each pass the largest ℓ of any, before any filter, so
// that no result depends on which of them are run together.
func (p *Plan) shareEll(g *Group) {
	for _, pass := range p.Passes(g) {
		most := 0
		for _, f := range pass {
			most = max(most, f.Sizes.Ell)
		}
		for _, f := range pass {
			f.Sizes.Ell = most
		}
	}
}

// PassFlops estimates the flops of each fit of a pass, given by rising n: those that it
// adds to the fit before it, and those of measuring.
func PassFlops(pass []*Fit) []float64 {
	flops, before := make([]float64, len(pass)), 0.0
	for i, f := range pass {
		flops[i] = max(0, f.fitting-before) + f.measuring
		before = f.fitting
	}
	return flops
}

// shareFlops sets the flops of all fits that have cells.
func (p *Plan) shareFlops() {
	done := map[*Fit]bool{} // the first fits of groups: repeats share them
	for _, g := range p.Groups {
		if g.Records() == 0 || done[g.Fits[0]] {
			continue
		}
		done[g.Fits[0]] = true
		for _, pass := range p.Passes(g) {
			pass = slices.DeleteFunc(pass, func(f *Fit) bool { return len(f.Cells) == 0 })
			for i, flops := range PassFlops(pass) {
				pass[i].Flops = flops
			}
		}
	}
}

// unit is what is not cut: one pass over a sample, or one fit.
type unit struct {
	group *Group
	fits  []*Fit
}

func (p *Plan) units() []unit {
	var units []unit
	for _, g := range p.Groups {
		units = append(units, p.unitsOf(g)...)
	}
	return units
}

func (p *Plan) unitsOf(g *Group) []unit {
	if g.Records() == 0 {
		return nil
	}
	var units []unit
	for _, pass := range p.Passes(g) {
		pass = slices.DeleteFunc(pass, func(f *Fit) bool { return len(f.Cells) == 0 })
		if len(pass) > 0 {
			units = append(units, unit{g, pass})
		}
	}
	return units
}
