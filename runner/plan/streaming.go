package plan

import (
	"slices"

	"mercer/internal/metrics"
	"mercer/methods"
)

// maxInMemory is what a sample in memory may take where its fits could stream: fits
// share it, and to read it again for each of them would take more time than this
// much memory is worth.
const maxInMemory = 512 << 20

// blockRows is how many rows a fit that streams holds at once.
const blockRows = 1024

// streams says whether a fit reads its sample in blocks:
//
//  1. It does not where all of the sample is there anyway (atoms), where its method needs
//     it in memory, or where a measure of the spec works on the sample's points.
//  2. A method of clustering that was asked to stream does.
//  3. All others do where their sample takes more than maxInMemory, or wherever they can
//     where all are to.
func (p *Plan) streams(g *Group, f *Fit) bool {
	m := f.Method
	if f.Skip != nil || !slices.Contains(m.Uses, "n") || g.Dataset.Support().Atoms > 0 || m.Streams == nil || !m.Streams(f.Sizes) || p.needsSample(g, f) {
		return false
	}
	return m.Shape == methods.ShapeStreamed || p.Input.Stream || 8*float64(f.Sizes.N)*g.Dataset.constants["D"] > maxInMemory
}

// needsSample says whether the sample of a fit has to be in memory for a measure.
func (p *Plan) needsSample(g *Group, f *Fit) bool {
	return slices.ContainsFunc(g.Taken(p.Resolved, f), func(name string) bool { return metrics.Registry[name].NeedsSample(f.Method.Shape) })
}
