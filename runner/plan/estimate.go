package plan

import (
	"cmp"
	"slices"

	"mercer/data"
	"mercer/internal/cost"
	"mercer/internal/metrics"
	"mercer/methods"
)

// estimate fills in the group's sizes, memory and work.
func (p *Plan) estimate(g *Group) {
	p.chooseStreaming(g, p.Stream)
	for _, f := range g.Fits {
		if f.Skip == nil {
			g.MaxEll = max(g.MaxEll, f.Sizes.Ell)
		}
	}
	p.estimateFits(g)
	if population := p.population(g); population.shared && g.Repeat == 0 {
		p.SharedBytes += bytesOf(population.kept.Bytes)
	}
}

// estimateFits fills in the work and the memory of a group and of its fits.
func (p *Plan) estimateFits(g *Group) {
	dim, passes := p.Datasets[g.Dataset].Constants()["D"], p.passes(g)
	for _, f := range g.Fits {
		if f.Skip == nil {
			p.estimateFit(g, f, dim, passes)
		}
	}
	p.measureGroup(g)
	for _, f := range g.Fits {
		if f.Skip == nil {
			f.Memory = p.alone(g, f)
		}
	}
}

// alone is the memory of a group that has no other fit.
func (p *Plan) alone(g *Group, f *Fit) Memory {
	alone := Group{Dataset: g.Dataset, Kernel: g.Kernel, Repeat: g.Repeat, MaxEll: g.MaxEll, Fits: []*Fit{f}, KeepsMatrix: g.KeepsMatrix}
	p.measureGroup(&alone)
	return alone.Memory
}

// estimateFit fills in the work of a fit and the bytes that no other shares.
func (p *Plan) estimateFit(g *Group, f *Fit, dim, passes float64) {
	method, k := p.Methods[f.Method], p.Kernels[g.Dataset][g.Kernel]
	fit := p.Cost(g.Dataset, f.Method, k, f.Sizes)
	if rank := p.Datasets[g.Dataset].Support().Rank; method.Landmarks && rank > 0 && f.Sizes.M > rank { // the others are pivots of nothing
		fewer := f.Sizes
		fewer.M = rank
		fit.Flops = p.Cost(g.Dataset, f.Method, k, fewer).Flops + cost.Gram(float64(f.Sizes.M), dim).Flops
	}
	rows := p.distinct(g.Dataset, method, f.Sizes).N
	if f.gram = method.UsesGram(k, rows); f.gram && p.Datasets[g.Dataset].Support().Atoms > 0 {
		fit = fit.Plus(cost.Numbers(2 * float64(rows) * float64(rows))) // its rows of the matrix, and these weighed
	}
	load := p.load(g, f, dim, passes)
	measuring := metrics.Cost(p.Spec.Measure.Texts(), load)
	f.fitting, f.measuring = fit.Flops, measuring.Flops+p.shareOfPopulation(g)
	model := load.Support * load.Width
	switch {
	case method.OnSample: // with the sketch's values
		model += load.N * load.Columns
	case load.Support < load.N: // the sample's points are not copied
		model += load.Support * dim
	}
	f.model = cost.Numbers(model + load.Points*load.Width).Bytes // with its values at the points
	largest := func(measuring float64) float64 {
		return max(fit.Bytes, cost.Numbers(model).Bytes+measuring)
	}
	f.working = largest(max(measuring.Bytes, p.population(g).spectrum.Bytes))
	load.Points = 0
	f.lone = largest(metrics.Cost(p.Spec.Measure.Texts(), load).Bytes)
}

// shareOfPopulation is what a fit of the group adds to the work of the population's
// operators, and of the kernel matrix of the held-out points and its spectrum, were all fits
// to share it alike.
func (p *Plan) shareOfPopulation(g *Group) float64 {
	population, sharers := p.population(g), len(g.Fits)
	if population.shared {
		sharers *= p.Spec.Repeats.Value
	}
	return population.once / float64(sharers)
}

// load is the size of what the model of a fit is measured on.
func (p *Plan) load(g *Group, f *Fit, dim, passes float64) metrics.Load {
	method := p.Methods[f.Method]
	s := p.distinct(g.Dataset, method, f.Sizes)
	l := metrics.Load{
		Shape: method.Shape, N: float64(s.N), Dim: dim, Support: float64(s.N), Width: float64(s.Ell),
		Span:   method.Shape == methods.ShapeSubspace || method.Space == methods.SpaceSpan,
		Points: p.population(g).points, Rank: float64(p.rank(g)), Terms: float64(cmp.Or(p.rank(g), p.Datasets[g.Dataset].Support().Rank)),
		Functions: float64(p.Datasets[g.Dataset].Support().Functions), Closed: p.Datasets[g.Dataset].Support().Closed,
		Passes: passes,
	}
	if slices.Contains(method.Uses, "m") && s.M > 0 {
		l.Support = float64(s.M)
	}
	if features, ok := method.Method.(methods.Collecting); ok {
		l.Support = float64(features.Distinct(p.Kernels[g.Dataset][g.Kernel], s.M))
	}
	l.Columns = l.Support
	switch {
	case method.Features || method.Shape == methods.ShapeFeatures: // two each at most
		l.Columns *= 2
	case method.OnSample:
		l.Support = l.N
	}
	if method.Shape != methods.ShapeSubspace && method.Shape != methods.ShapeFeatures && s.D > 0 {
		l.Width = float64(s.D)
	}
	return l
}

// measureGroup fills in the sizes and the memory of a group from its fits.
func (p *Plan) measureGroup(g *Group) {
	g.MaxN, g.MaxRows, g.MaxGramN, g.MaxSpectrumN = 0, 0, 0, 0
	sharers := map[int]int{} // of eigenpairs, by n
	working, lone, models := 0.0, 0.0, 0.0
	for _, f := range g.Fits {
		if f.Skip != nil {
			continue
		}
		models += f.model
		switch {
		case f.Streams:
			g.MaxRows = max(g.MaxRows, f.Sizes.N)
		case slices.Contains(p.Methods[f.Method].Uses, "n"):
			g.MaxN = max(g.MaxN, p.rows(g, f))
		}
		if f.gram {
			g.MaxGramN = max(g.MaxGramN, p.rows(g, f))
		}
		if n := p.spectrumN(f); n > 0 && !p.Timed {
			if sharers[n]++; sharers[n] > 1 {
				g.MaxSpectrumN = max(g.MaxSpectrumN, p.rows(g, f))
			}
		}
		working, lone = max(working, f.working), max(lone, f.lone)
	}
	if p.NeedsMatrix() && !p.population(g).keepsMatrix { // all are fitted before they are measured
		lone += models
	}
	spectrum := float64(g.MaxSpectrumN)
	m := Memory{
		Sample:   bytesOf(p.sampleBytes(g)),
		Gram:     bytesOf(cost.Symmetric(float64(g.MaxGramN)).Bytes),
		Spectrum: bytesOf(cost.Numbers(spectrum * (spectrum + 1)).Bytes),
		Fit:      bytesOf(lone),
	}
	ofPopulation := working - lone
	if population := p.population(g); !population.shared {
		ofPopulation += population.kept.Bytes
	}
	m.Population = bytesOf(ofPopulation)
	g.Memory = m
}

// passes is the share of each fit of random features in the pass over the kernel matrix of
// the held-out points that all those of a group have in common; 0 where there is none.
func (p *Plan) passes(g *Group) float64 {
	sharers := 0
	for _, f := range g.Fits {
		if f.Skip == nil && p.Methods[f.Method].Shape == methods.ShapeFeatures {
			sharers++
		}
	}
	if sharers == 0 || p.population(g).keepsMatrix {
		return 0
	}
	return 1 / float64(sharers)
}

// rows is how many points of a fit's sample are in memory: all atoms, where it is one
// of counts.
func (p *Plan) rows(g *Group, f *Fit) int {
	return cmp.Or(p.Datasets[g.Dataset].Support().Atoms, f.Sizes.N)
}

// populationCost is that of an empirical population.
type populationCost struct {
	points         float64
	kept, spectrum cost.Cost // and while its spectrum is found
	shared         bool      // by all repeats
	keepsMatrix    bool      // that of the points, with measures that work on it
	once           float64   // flops of the operators, of this matrix and of its spectrum
}

// population is that of a group.
func (p *Plan) population(g *Group) populationCost {
	dataset := p.Datasets[g.Dataset]
	support := dataset.Support()
	if support.Closed {
		return populationCost{}
	}
	points, ell := float64(support.Points), float64(g.MaxEll)
	dim := dataset.Constants()["D"]
	c := populationCost{points: points, shared: support.Shared, kept: cost.Numbers(points * dim)}
	add := func(kept, spectrum cost.Cost) {
		c.kept, c.spectrum, c.once = c.kept.Plus(kept), c.spectrum.Then(spectrum), c.once+kept.Flops+spectrum.Flops
	}
	if p.needs(metrics.NeedsPopulation) {
		add(data.OperatorsCost(points, dim, ell, slices.ContainsFunc(p.Spec.Measure.Texts(), func(name string) bool { return metrics.Registry[name].Uncentred })))
	}
	if p.NeedsMatrix() {
		kept, spectrum := metrics.HeldOutKernelCost(points, dim, ell, g.KeepsMatrix)
		add(kept, spectrum)
		c.keepsMatrix = kept.Bytes > 0
	}
	return c
}

// Part is the group with these fits alone; its sizes and memory are estimated anew.
func (p *Plan) Part(g *Group, fits []*Fit) *Group {
	part := *g
	part.Fits = fits
	p.measureGroup(&part)
	return &part
}
