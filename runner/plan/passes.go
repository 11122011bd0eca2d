package plan

import (
	"cmp"
	"maps"
	"slices"
	"strconv"

	"mercer/methods"
)

// Passes divides the fits of a group into passes over the sample. Fits of a streaming
// method that differ in n only are one pass, by rising n; every other fit is a pass by
// itself, and so is every timed or skipped fit.
func (p *Plan) Passes(g *Group) [][]*Fit {
	type series struct {
		method *Method
		sizes  methods.Sizes
	}
	var passes [][]*Fit
	index := map[series]int{}
	for _, f := range g.Fits {
		if _, ok := f.Method.Estimator.(methods.Streaming); !ok || p.Timed || p.Measures("kernel_entries") || f.Skip != nil {
			passes = append(passes, []*Fit{f})
			continue
		}
		s := series{f.Method, sharedSizes(f.Method, f.Sizes)}
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

// shareEll gives the fits of each pass the largest ℓ of any, before any filter, so that no
// result depends on which of them are run together.
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

// Unit is a pass of a group with the cells of each of its fits that are due in a repeat.
type Unit struct {
	Fits  []*Fit
	Cells [][]*Cell
}

// Units are the passes of a group that have something due in a repeat, in the order in
// which they are computed: those that share eigenpairs last, one n after another. Where
// cells are timed, the points of the grid follow one another in a drawn order, and at each
// point the methods do, so that none always pays for cold caches and those that are compared
// are timed close together. The draws are keyed by data set, repeat, kernel, point and
// method: the order of two passes is the same whichever others are computed.
func (p *Plan) Units(g *Group, repeat int) []Unit {
	passes := p.Passes(g)
	slices.SortStableFunc(passes, func(a, b []*Fit) int { return cmp.Compare(spectrumN(a[0]), spectrumN(b[0])) })
	var units []Unit
	for _, pass := range passes {
		var u Unit
		for i, cells := range p.due(pass, repeat) {
			if len(cells) > 0 {
				u.Fits, u.Cells = append(u.Fits, pass[i]), append(u.Cells, cells)
			}
		}
		if len(u.Fits) > 0 {
			units = append(units, u)
		}
	}

	if p.Timed { // each pass is one fit
		draws := make(map[*Fit][2]uint64, len(units))
		for _, u := range units {
			draws[u.Fits[0]] = p.drawPlace(g, u.Fits[0], repeat)
		}
		slices.SortStableFunc(units, func(a, b Unit) int {
			x, y := draws[a.Fits[0]], draws[b.Fits[0]]
			return cmp.Or(cmp.Compare(x[0], y[0]), cmp.Compare(x[1], y[1]))
		})
	}
	return units
}

// spectrumN is the n of a fit that takes the eigenpairs of its sample's kernel matrix, of
// which those of one n are kept; 0 for other fits.
func spectrumN(f *Fit) int {
	if !f.Method.Spectrum {
		return 0
	}
	return f.Sizes.N
}

// drawPlace draws the place of a timed fit's point among the points of its group, and that
// of its method at the point. Sizes that a method sets by itself tell no points apart.
func (p *Plan) drawPlace(g *Group, f *Fit, repeat int) [2]uint64 {
	own := []string{"method"}
	for _, c := range p.Spec.Methods {
		if c.ID == f.Method.ID {
			own = slices.AppendSeq(own, maps.Keys(c.Sizes))
		}
	}
	point := f.Cells[0].At.Without(own...).String()
	draw := func(names ...string) uint64 {
		return sourceOf(p.Spec.Seed, slices.Concat([]string{g.Dataset.ID, strconv.Itoa(repeat), "order", point}, names)...).Uint64()
	}
	return [2]uint64{draw(), draw(f.Method.ID)}
}
