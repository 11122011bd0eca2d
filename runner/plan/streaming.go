package plan

import (
	"fmt"
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

// chooseStreaming says which fits of a group stream, and for which the sample is in memory:
//
//  1. A method of clustering that was asked to stream does.
//  2. A fit needs its sample in memory where its method does, or a measure of the
//     spec that works on the sample's points.
//  3. All others stream where their sample takes more than maxInMemory, or wherever
//     they can where all are to; but not where the sample is in memory for others.
func (p *Plan) chooseStreaming(g *Group, all bool) {
	dim := g.Dataset.constants["D"]
	g.MaxN, g.MaxRows = 0, 0
	var either []*Fit
	for _, f := range g.Fits {
		method := f.Method
		switch f.Streams = false; {
		case f.Skip != nil || !slices.Contains(method.Uses, "n"):
		case g.Dataset.Support().Atoms > 0: // all are in memory
			g.MaxN = g.rows(f)
		case method.Streams == nil || !method.Streams(f.Sizes) || p.needsSample(g, f) != "":
			g.MaxN = max(g.MaxN, f.Sizes.N)
		case method.Shape == methods.ShapeStreamed:
			f.Streams, g.MaxRows = true, max(g.MaxRows, f.Sizes.N)
		case !all && 8*float64(f.Sizes.N)*dim <= maxInMemory:
			g.MaxN = max(g.MaxN, f.Sizes.N)
		default:
			either = append(either, f)
		}
	}
	for _, f := range either {
		if f.Sizes.N > g.MaxN {
			f.Streams, g.MaxRows = true, max(g.MaxRows, f.Sizes.N)
		}
	}
}

// needsSample is the first measure of the spec for which the sample of a fit has to be
// in memory; empty for none.
func (p *Plan) needsSample(g *Group, f *Fit) string {
	for _, name := range p.Spec.Measure.Texts() {
		if metrics.Registry[name].NeedsSample(f.Method.Shape) && metrics.Undefined(name, f.Method.Traits, offer(g.Dataset.options)) == nil {
			return name
		}
	}
	return ""
}

// noteInMemory notes methods that do not stream a large sample, and why.
func (p *Plan) noteInMemory() {
	noted := map[string]bool{}
	for _, g := range p.Groups {
		if p.Absent[g.Dataset.ID] != nil || g.Dataset.Support().Atoms > 0 {
			continue
		}
		for _, f := range g.Fits {
			method := f.Method
			bytes := 8 * float64(f.Sizes.N) * g.Dataset.constants["D"]
			if f.Skip != nil || f.Streams || noted[method.ID] || bytes <= maxInMemory || method.Streams == nil || !method.Streams(f.Sizes) {
				continue
			}
			why := "other fits of the data set and kernel have it in memory anyway"
			if measure := p.needsSample(g, f); measure != "" {
				why = fmt.Sprintf("measure %q works on its points; without it the method would stream", measure)
			}
			noted[method.ID] = true
			p.note("method %q has its sample of n = %d in memory, %s: %s", method.ID, f.Sizes.N, Bytes(int64(bytes)), why)
		}
	}
}
