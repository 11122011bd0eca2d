package runner

import (
	"fmt"
	"slices"

	"mercer/data"
	"mercer/internal/cost"
	"mercer/internal/metrics"
	"mercer/methods"
	"mercer/results"
)

// Memory counts the bytes of the arrays that are held at once, by what holds them.
// Garbage is not in it: how much of that stands is the collector's matter.
type Memory struct {
	Sample     int64 `json:"sample"`     // its points, or an index of those that are read in blocks
	Gram       int64 `json:"gram"`       // the sample's kernel matrix, shared by fits
	Population int64 `json:"population"` // one that changes with the repeat, and finding the spectrum of any or measuring against it
	Fit        int64 `json:"fit"`        // the largest fit, or measuring it without a population
}

// Total is the sum.
func (m Memory) Total() int64 { return m.Sample + m.Gram + m.Population + m.Fit }

// String gives the sum and its parts.
func (m Memory) String() string {
	text := Bytes(m.Total()) + " = sample " + Bytes(m.Sample)
	for _, part := range []struct {
		name  string
		bytes int64
	}{{"Gram matrix", m.Gram}, {"fit", m.Fit}, {"population", m.Population}} {
		if part.bytes > 0 {
			text += " + " + part.name + " " + Bytes(part.bytes)
		}
	}
	return text
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

// besides is what a group may take in all, in multiples of its arrays, where others
// run beside it: a quarter more of garbage (garbagePercent), and buffers.
const besides = 1.3

// maxBytes keeps counts of absurd sizes within an int64.
const maxBytes = 1 << 58

// withGarbage is what arrays of so many bytes may take in all.
func withGarbage(bytes int64) int64 { return int64(besides * float64(bytes)) }

func bytesOf(x float64) int64 { return int64(min(x, maxBytes)) }

// sizedPopulation is a data set whose population is a set of points.
type sizedPopulation interface {
	PopulationPoints() int
	PopulationShared() bool // by all repeats
}

// estimate fills in the group's sizes, memory and work.
func (p *Plan) estimate(g *Group) {
	p.hold(g, p.Stream)
	dim := p.Datasets[g.Dataset].Constants()["D"]
	for _, f := range g.Fits {
		if f.Skip == nil {
			g.MaxEll = max(g.MaxEll, f.Sizes.Ell)
		}
	}
	for _, f := range g.Fits {
		if f.Skip == nil {
			p.estimateFit(g, f, dim)
		}
	}
	p.measureGroup(g)
	for _, f := range g.Fits {
		if f.Skip == nil {
			f.Memory = p.alone(g, f)
		}
	}
	if population := p.population(g); population.shared && g.Repeat == 0 {
		p.SharedBytes += bytesOf(population.kept.Bytes)
	}
}

// alone is the memory of a group that has no other fit.
func (p *Plan) alone(g *Group, f *Fit) Memory {
	alone := Group{Dataset: g.Dataset, Kernel: g.Kernel, Repeat: g.Repeat, MaxEll: g.MaxEll, Fits: []*Fit{f}}
	p.measureGroup(&alone)
	return alone.Memory
}

// estimateFit fills in the work of a fit and the bytes that no other shares.
func (p *Plan) estimateFit(g *Group, f *Fit, dim float64) {
	method, k := p.Methods[f.Method], p.Kernels[g.Dataset][g.Kernel]
	fit := method.Method.Cost(k, f.Sizes, dim)
	f.gram = method.UsesGram(method.Method, k, f.Sizes.N)
	load := p.load(g, f, dim)
	measuring := metrics.Cost(p.Spec.Measure, load)
	f.fitting, f.measuring = fit.Flops, measuring.Flops
	model := load.Support * load.Width
	if load.Support < load.N { // the sample's points are not copied
		model += load.Support * dim
	}
	largest := func(measuring float64) float64 {
		return max(fit.Bytes, cost.Numbers(model).Bytes+measuring)
	}
	f.working = largest(max(measuring.Bytes, p.population(g).spectrum.Bytes))
	load.Points = 0
	f.lone = largest(metrics.Cost(p.Spec.Measure, load).Bytes)
}

// load is the size of what the model of a fit is measured on.
func (p *Plan) load(g *Group, f *Fit, dim float64) metrics.Load {
	method, s := p.Methods[f.Method], f.Sizes
	_, sized := p.Datasets[g.Dataset].(sizedPopulation)
	l := metrics.Load{
		Shape: method.Shape, N: float64(s.N), Dim: dim, Support: float64(s.N), Width: float64(s.Ell),
		Points: p.population(g).points, Rank: float64(p.rank(g)), Closed: !sized,
	}
	if slices.Contains(method.Uses, "m") && s.M > 0 {
		l.Support = float64(s.M)
	}
	if method.Shape != methods.ShapeSubspace && method.Shape != methods.ShapeFeatures && s.D > 0 {
		l.Width = float64(s.D)
	}
	return l
}

// measureGroup fills in the sizes and the memory of a group from its fits.
func (p *Plan) measureGroup(g *Group) {
	g.MaxN, g.MaxRows, g.MaxGramN = 0, 0, 0
	working, lone := 0.0, 0.0
	for _, f := range g.Fits {
		if f.Skip != nil {
			continue
		}
		switch {
		case f.Streams:
			g.MaxRows = max(g.MaxRows, f.Sizes.N)
		case slices.Contains(p.Methods[f.Method].Uses, "n"):
			g.MaxN = max(g.MaxN, f.Sizes.N)
		}
		if f.gram {
			g.MaxGramN = max(g.MaxGramN, f.Sizes.N)
		}
		working, lone = max(working, f.working), max(lone, f.lone)
	}
	m := Memory{
		Sample: bytesOf(p.sampleBytes(g)),
		Gram:   bytesOf(cost.Symmetric(float64(g.MaxGramN)).Bytes),
		Fit:    bytesOf(lone),
	}
	ofPopulation := working - lone
	if population := p.population(g); !population.shared {
		ofPopulation += population.kept.Bytes
	}
	m.Population = bytesOf(ofPopulation)
	g.Memory = m
}

// populationCost is that of an empirical population.
type populationCost struct {
	points         float64
	kept, spectrum cost.Cost // and while its spectrum is found
	shared         bool      // by all repeats
}

// population is that of a group.
func (p *Plan) population(g *Group) populationCost {
	dataset := p.Datasets[g.Dataset]
	sized, ok := dataset.(sizedPopulation)
	if !ok {
		return populationCost{}
	}
	points, ell := float64(sized.PopulationPoints()), float64(g.MaxEll)
	c := populationCost{points: points, shared: sized.PopulationShared(), kept: cost.Numbers(points * dataset.Constants()["D"])}
	add := func(kept, spectrum cost.Cost) {
		c.kept, c.spectrum = c.kept.Plus(kept), c.spectrum.Then(spectrum)
	}
	if p.needs(metrics.NeedsPopulation) {
		add(data.OperatorsCost(points, ell, slices.ContainsFunc(p.Spec.Measure, func(name string) bool { return metrics.Registry[name].Uncentred })))
	}
	if p.needsMatrix() {
		add(metrics.HeldOutKernelCost(points, ell))
	}
	return c
}

// Refusal is a fit that would not fit into memory.
type Refusal struct {
	Group   *Group
	Fit     *Fit
	Allowed int64 // bytes, for groups
	Shared  int64 // bytes that groups share, which are not in it

	stream bool // --stream may help
}

// Error says what the fit needs and what to do.
func (r Refusal) Error() string {
	text := fmt.Sprintf("needs about %s, and %s are allowed", r.Fit.Memory, Bytes(r.Allowed))
	if r.Shared > 0 {
		text += fmt.Sprintf(" beside %s of populations that all share", Bytes(r.Shared))
	}
	text += "; take " + r.remedy() + ", "
	if r.stream {
		text += "give --stream, "
	}
	return text + "or raise --memory"
}

// remedy names what takes most.
func (r Refusal) remedy() string {
	m := r.Fit.Memory
	switch population := m.Population + r.Shared; max(m.Sample, m.Gram, population, m.Fit) {
	case m.Gram:
		return "a smaller n, or a method without the Gram matrix"
	case population:
		return "a smaller population"
	case m.Sample:
		return "a smaller n"
	}
	return "a smaller n, m or ell"
}

// Refused are the fits that a run would refuse that may take so many bytes, 0 for
// no limit, in the order of the plan.
func (p *Plan) Refused(memory int64) []Refusal {
	var refused []Refusal
	for _, g := range p.Groups {
		_, without := p.parts(g, p.allowed(memory))
		refused = append(refused, p.refusals(g, without, memory)...)
	}
	return refused
}

// refusals are those of some fits of a group.
func (p *Plan) refusals(g *Group, fits []*Fit, memory int64) []Refusal {
	if len(fits) == 0 {
		return nil
	}
	allowed, streamed := p.allowed(memory), p.streamed(g)
	var refused []Refusal
	for _, f := range fits {
		r := Refusal{Group: g, Fit: f, Allowed: allowed, Shared: p.SharedBytes}
		if other := streamed[f]; other.Streams && !f.Streams {
			m := f.Memory
			r.stream = m.Sample > max(m.Gram, m.Population+r.Shared, m.Fit) || p.alone(g, other).Total() <= allowed
		}
		refused = append(refused, r)
	}
	return refused
}

// allowed are the bytes that groups may take together.
func (p *Plan) allowed(memory int64) int64 {
	if memory <= 0 {
		return maxBytes
	}
	return max(1, memory-p.SharedBytes)
}

// parts divides a group so that each part fits into so many bytes with its garbage:
// into one part where that is enough. Fits that leave no room for garbage even by
// themselves are kept together as long as their arrays fit; one whose own arrays do
// not fit is left out. Parts share neither sample nor Gram matrix, and a Gram matrix
// is that of the largest n of its part: of the last bits of kernel values, which the
// shape of a matrix product may decide, some depend on what is left out.
func (p *Plan) parts(g *Group, allowed int64) (parts []*Group, refused []*Fit) {
	roomy := func(m Memory) bool { return withGarbage(m.Total()) <= allowed }
	if roomy(g.Memory) {
		return []*Group{g}, nil
	}
	for _, f := range g.Fits {
		if f.Skip == nil && f.Memory.Total() > allowed {
			if len(f.Cells) > 0 {
				refused = append(refused, f)
			}
			continue
		}
		if len(parts) > 0 {
			last := parts[len(parts)-1]
			joined := p.partOf(g, append(slices.Clone(last.Fits), f))
			together := joined.Memory.Total() <= allowed && !roomy(last.Memory) && !roomy(f.Memory)
			if together || roomy(joined.Memory) {
				parts[len(parts)-1] = joined
				continue
			}
		}
		parts = append(parts, p.partOf(g, []*Fit{f}))
	}
	return parts, refused
}

// tight says that a fit of the group may be computed, and that its arrays leave too
// little room for garbage: it may outgrow what is allowed.
func (p *Plan) tight(g *Group, allowed int64) bool {
	return slices.ContainsFunc(g.Fits, func(f *Fit) bool {
		bytes := f.Memory.Total()
		return f.Skip == nil && len(f.Cells) > 0 && bytes <= allowed && withGarbage(bytes) > allowed
	})
}

// partOf is the group with these fits alone.
func (p *Plan) partOf(g *Group, fits []*Fit) *Group {
	part := *g
	part.Fits = fits
	p.measureGroup(&part)
	return &part
}

// refuse records fits of a group that would not fit into memory.
func (r *run) refuse(g *Group, fits []*Fit) error {
	var b batch
	for _, reason := range r.plan.refusals(g, fits, r.options.Memory) {
		for _, t := range r.tasks(g, []*Fit{reason.Fit}, r.pending) {
			settle(t.records, results.OOM, reason)
			b.records, b.flops = append(b.records, t.records...), b.flops+t.flops
		}
	}
	return r.write(&b)
}
