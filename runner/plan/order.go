package plan

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
)

// Order lists the passes of a group in the order in which they are computed: those that
// share eigenpairs last, one n after another. Where
// cells are timed, the points of the grid follow one another in a drawn order, and at
// each point the methods do, so that none always pays for cold caches and those that are
// compared are timed close together. The draws are keyed by data set, repeat, kernel,
// point and method: the order of two passes is the same whichever others are computed.
func (p *Plan) Order(g *Group) [][]*Fit {
	passes := p.Passes(g)
	if !p.Timed {
		slices.SortStableFunc(passes, func(a, b []*Fit) int { return cmp.Compare(p.spectrumN(a[0]), p.spectrumN(b[0])) })
		return passes
	}
	draws := make(map[*Fit][2]uint64, len(passes))
	for _, f := range g.Fits {
		if len(f.Cells) > 0 { // one
			draws[f] = p.drawPlace(g, f)
		}
	}
	slices.SortStableFunc(passes, func(a, b []*Fit) int {
		x, y := draws[a[0]], draws[b[0]]
		return cmp.Or(cmp.Compare(x[0], y[0]), cmp.Compare(x[1], y[1]))
	})
	return passes
}

// spectrumN is the n of a fit that takes the eigenpairs of its sample's kernel matrix, of
// which those of one n are kept; 0 for other fits.
func (p *Plan) spectrumN(f *Fit) int {
	if !p.Methods[f.Method].Spectrum {
		return 0
	}
	return f.Sizes.N
}

// drawPlace draws the place of a timed fit's point among the points of its group, and
// that of its method at the point.
func (p *Plan) drawPlace(g *Group, f *Fit) [2]uint64 {
	point := fmt.Sprint(g.Point(f.Cells[0])) // by name of the variable
	draw := func(names ...string) uint64 {
		return chacha(p.Spec.Seed, slices.Concat([]string{g.Dataset, strconv.Itoa(g.Repeat), "order", g.Kernel, point}, names)...).Uint64()
	}
	return [2]uint64{draw(), draw(f.Method)}
}
