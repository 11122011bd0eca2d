package plan

import (
	"cmp"
	"fmt"
	"slices"

	"mercer/data"
	"mercer/internal/cost"
	"mercer/internal/metrics"
	"mercer/methods"
)

// estimate fills in the bytes of the arrays that a group, and each of its fits without the
// others, hold at once, without garbage.
func (p *Plan) estimate(g *Group) {
	for _, f := range g.Fits {
		f.Streams = p.streams(g, f)
		if f.Skip == nil {
			g.MaxEll = max(g.MaxEll, f.Sizes.Ell)
		}
	}
	p.estimateFits(g)
	if p.keepsMatrix(g) {
		g.KeepsMatrix = true
		p.estimateFits(g)
		if WithGarbage(g.Bytes) > p.Allowed() {
			g.KeepsMatrix = false
			p.estimateFits(g)
		}
	}
	if population := p.population(g); population.shared {
		p.shared = max(p.shared, bytesOf(population.kept))
	}
}

// keepsMatrix says whether a group might keep the kernel matrix of its own held-out points,
// which is otherwise computed anew for each row that needs it. Where the memory is not known
// none does. It changes estimates, and of results the last digits.
func (p *Plan) keepsMatrix(g *Group) bool {
	population := p.population(g)
	return p.Input.Memory > 0 && p.NeedsMatrix() && !population.shared && !population.keepsMatrix
}

func (p *Plan) estimateFits(g *Group) {
	for _, f := range g.Fits {
		if f.Skip == nil {
			p.estimateFit(g, f)
		}
	}
	g.Bytes = p.measureGroup(g, g.Fits)
	for _, f := range g.Fits {
		if f.Skip == nil {
			alone := *g
			f.Bytes = p.measureGroup(&alone, []*Fit{f})
		}
	}
}

// estimateFit fills in the bytes that no other fit shares.
func (p *Plan) estimateFit(g *Group, f *Fit) {
	sizes := g.distinct(f.Method, f.Sizes)
	n, dim := float64(sizes.N), g.Dataset.constants["D"]
	fitting := f.Method.Estimator.Cost(g.Kernel, sizes, dim).Bytes
	if f.gram = f.Method.UsesGram(g.Kernel, sizes.N); f.gram && g.Dataset.Support().Atoms > 0 {
		fitting += 2 * 8 * n * n // its rows of the matrix, and these weighed
	}

	population := p.population(g)
	load := p.load(g, f, population)
	model := load.Support * load.Width
	switch {
	case f.Method.OnSample: // with the sketch's values
		model += load.N * load.Columns
	case load.Support < load.N: // the sample's points are not copied
		model += load.Support * dim
	}
	measuring := metrics.Cost(p.Spec.Measure.Texts(), load).Bytes
	f.working = max(fitting, 8*model+max(measuring, population.spectrum))
}

// load is the size of what the model of a fit is measured on, with its population.
func (p *Plan) load(g *Group, f *Fit, population populationBytes) metrics.Load {
	m, support := f.Method, g.Dataset.Support()
	s := g.distinct(m, f.Sizes)
	l := metrics.Load{
		Shape: m.Shape, N: float64(s.N), Support: float64(s.N), Width: float64(max(s.Ell, m.Iterates)),
		Span:   m.Shape == methods.ShapeSubspace || m.Space == methods.SpaceSpan,
		Points: population.points, Rank: float64(g.Rank()), Functions: float64(support.Functions), Closed: support.Closed,
	}
	if slices.Contains(m.Uses, "m") && s.M > 0 {
		l.Support = float64(s.M)
	}
	if m.Distinct != nil {
		l.Support = float64(m.Distinct(g.Kernel, s.M))
	}
	l.Columns = l.Support
	switch {
	case m.Features || m.Shape == methods.ShapeFeatures: // two each at most
		l.Columns *= 2
	case m.OnSample:
		l.Support = l.N
	}
	if m.Shape != methods.ShapeSubspace && m.Shape != methods.ShapeFeatures && s.D > 0 {
		l.Width = float64(s.D)
	}
	return l
}

// measureGroup fills in the sizes of a group as it is with these fits alone, and gives the
// bytes that it holds at once.
func (p *Plan) measureGroup(g *Group, fits []*Fit) int64 {
	g.MaxN, g.MaxRows, g.MaxGramN, g.MaxSpectrumN = 0, 0, 0, 0
	sharers := map[int]int{} // of eigenpairs, by n
	working := 0.0
	for _, f := range fits {
		if f.Skip != nil {
			continue
		}
		switch {
		case f.Streams:
			g.MaxRows = max(g.MaxRows, f.Sizes.N)
		case slices.Contains(f.Method.Uses, "n"):
			g.MaxN = max(g.MaxN, g.rows(f))
		}
		if f.gram {
			g.MaxGramN = max(g.MaxGramN, g.rows(f))
		}
		if n := spectrumN(f); n > 0 && !p.Timed {
			if sharers[n]++; sharers[n] > 1 {
				g.MaxSpectrumN = max(g.MaxSpectrumN, g.rows(f))
			}
		}
		working = max(working, f.working)
	}
	population := p.population(g)
	if !population.shared {
		working += population.kept
	}
	spectrum := float64(g.MaxSpectrumN)
	return bytesOf(g.sampleBytes() + cost.Symmetric(float64(g.MaxGramN)).Bytes + 8*spectrum*(spectrum+1) + working)
}

// sampleBytes is the memory of a group's samples: points, labels and indices.
func (g *Group) sampleBytes() float64 {
	dim := g.Dataset.constants["D"]
	bytes := 8 * float64(g.MaxN) * dim
	if g.MaxRows > 0 {
		bytes += 24*float64(g.MaxRows) + 8*blockRows*dim
	}
	return bytes
}

// rows is how many points of a fit's sample are in memory: all atoms, where it is one of
// counts.
func (g *Group) rows(f *Fit) int { return cmp.Or(g.Dataset.Support().Atoms, f.Sizes.N) }

// populationBytes is what an empirical population takes.
type populationBytes struct {
	points         float64 // how many
	kept, spectrum float64 // bytes, and those while its spectrum is found
	shared         bool    // by all repeats
	keepsMatrix    bool    // that of the points, with measures that work on it
}

// population is that of a group.
func (p *Plan) population(g *Group) populationBytes {
	support := g.Dataset.Support()
	if support.Closed {
		return populationBytes{}
	}
	points, ell, dim := float64(support.Points), float64(g.MaxEll), g.Dataset.constants["D"]
	b := populationBytes{points: points, shared: support.Shared, kept: 8 * points * dim}
	if p.needs(metrics.NeedsPopulation) {
		kept, spectrum := data.OperatorsCost(points, dim, ell, slices.ContainsFunc(p.Spec.Measure.Texts(), func(name string) bool { return metrics.Registry[name].Uncentred }))
		b.kept, b.spectrum = b.kept+kept.Bytes, spectrum.Bytes
	}
	if p.NeedsMatrix() {
		kept, spectrum := metrics.HeldOutKernelCost(points, dim, ell, g.KeepsMatrix)
		b.kept, b.spectrum, b.keepsMatrix = b.kept+kept.Bytes, max(b.spectrum, spectrum.Bytes), kept.Bytes > 0
	}
	return b
}

// WithGarbage is what arrays of so many bytes may take together with their garbage (a
// quarter more, see the runner's collector) and buffers.
func WithGarbage(bytes int64) int64 { return int64(1.3 * float64(bytes)) }

// Allowed is how many bytes the groups of a run may take together: its memory, but for
// populations that all share.
func (p *Plan) Allowed() int64 {
	if p.Input.Memory <= 0 {
		return maxBytes
	}
	return max(1, p.Input.Memory-p.shared)
}

// Refusal is why a fit is not computed: its arrays alone take more than the run's memory.
// nil where they do not.
func (p *Plan) Refusal(f *Fit) error {
	if f.Skip != nil || f.Bytes <= p.Allowed() {
		return nil
	}
	return fmt.Errorf("needs about %s, and %s are allowed; take a smaller n, m, ell or population, or raise --memory", Bytes(f.Bytes), Bytes(p.Allowed()))
}

// Bytes is a number of bytes to three digits, in KiB, MiB or GiB.
func Bytes(bytes int64) string {
	switch size := float64(bytes); {
	case size >= 999.5*(1<<20):
		return fmt.Sprintf("%.3g GiB", size/(1<<30))
	case size >= 999.5*(1<<10):
		return fmt.Sprintf("%.3g MiB", size/(1<<20))
	default:
		return fmt.Sprintf("%.3g KiB", size/(1<<10))
	}
}

// Cost is that of a fit at sizes, under any kernel.
func (g *Group) Cost(f *Fit, s methods.Sizes) cost.Cost {
	return f.Method.Estimator.Cost(nil, g.distinct(f.Method, s), g.Dataset.constants["D"])
}

// WorkingSet is how many numbers a fit holds at sizes; false where that is not known.
func (g *Group) WorkingSet(f *Fit, model methods.Model, s methods.Sizes) (numbers int, known bool) {
	return f.Method.WorkingSet(model, g.distinct(f.Method, s))
}
