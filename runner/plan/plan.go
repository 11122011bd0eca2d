package plan

import (
	"encoding/hex"
	"fmt"
	"maps"
	"slices"

	"mercer/configs"
	"mercer/data"
	"mercer/internal/kernel"
	"mercer/internal/metrics"
	"mercer/methods"
	"mercer/results"
)

// Plan is a spec made ready to run: opened data, and every record that is due.
type Plan struct {
	*Resolved
	Datasets map[string]data.Dataset
	Absent   map[string]error                    // optional data sets that are absent, and why
	Kernels  map[string]map[string]kernel.Kernel // by data set, then kernel id
	Groups   []*Group
	Timed    bool // cells measure time or memory: they run alone
	Timing   Timing
	// SharedBytes is the estimated memory that all groups share: populations
	// that no repeat changes.
	SharedBytes int64
	memory      int64  // bytes that the run may take; 0 where that is not known
	Filter      string // condition on the records, empty for all
	// Stream has every fit stream that can, however small its sample is. It changes
	// no result.
	Stream bool
	Notes  []string
	Origin *Origin // what the plan was made from; nil where Prepare made it from a resolved spec
}

func newPlan(r *Resolved) *Plan {
	p := &Plan{Resolved: r, Datasets: map[string]data.Dataset{}, Absent: map[string]error{}, Kernels: map[string]map[string]kernel.Kernel{}}
	p.Timed = p.Measures("time") || p.Measures("memory")
	return p
}

// Records is the number of records of the plan.
func (p *Plan) Records() int {
	count := 0
	for _, g := range p.Groups {
		count += g.Records()
	}
	return count
}

// Flops estimates the flops of all fits that have cells, measuring included.
func (p *Plan) Flops() float64 {
	sum := 0.0
	for _, g := range p.Groups {
		sum += g.Flops()
	}
	return sum
}

// RunsProgram says that a fit runs a program of the user's, whose work and time are
// unknown: Fit.Flops then counts only what checking and measuring its answer takes.
func (p *Plan) RunsProgram(f *Fit) bool { return p.Methods[f.Method].Use == "exec" }

// Measures says whether the spec asks for the measure of a name.
func (p *Plan) Measures(name string) bool { return p.Spec.Measure.Has(name) }

// needs says whether a measure of the spec needs that of its data sets.
func (p *Plan) needs(what string) bool {
	return slices.ContainsFunc(p.Spec.Measure.Texts(), func(name string) bool {
		return slices.Contains(metrics.Registry[name].Needs, what)
	})
}

// NeedsMatrix says whether a measure of the spec works on the kernel matrix of the
// held-out points.
func (p *Plan) NeedsMatrix() bool {
	return slices.ContainsFunc(p.Spec.Measure.Texts(), func(name string) bool { return metrics.Registry[name].Matrix })
}

// rank is that of the group's kernel, 0 where it is not known to be finite.
func (p *Plan) rank(g *Group) int {
	if finite, ok := p.Kernels[g.Dataset][g.Kernel].(kernel.Finite); ok {
		return finite.Rank()
	}
	return 0
}

// SharesPopulation says that a data set's population is a set of points that all
// repeats share.
func (p *Plan) SharesPopulation(dataset string) bool {
	return p.Datasets[dataset].Support().Shared
}

// KernelIDs are the kernels of a data set in the spec's order.
func (r *Resolved) KernelIDs(kernels map[string]kernel.Kernel) []string {
	ids := configs.IDs(r.Spec.Kernels)
	ids = slices.DeleteFunc(ids, func(id string) bool { return kernels[id] == nil })
	if len(ids) == 0 {
		ids = slices.Sorted(maps.Keys(kernels))
	}
	return ids
}

// Eigenpairs is the largest ℓ of any cell of the group's data set: how many eigenpairs
// its population is opened with. It is the same for all groups of the data set, so
// that they share the population.
func (p *Plan) Eigenpairs(g *Group) int {
	most := 0
	for _, other := range p.Groups {
		if other.Repeat > 0 {
			break // the groups of all repeats are alike
		}
		if other.Dataset == g.Dataset {
			most = max(most, other.MaxEll)
		}
	}
	return most
}

// Group is one data set, kernel and repeat: what shares a sample, a population
// and a Gram matrix.
type Group struct {
	Dataset, Kernel string // ids
	Repeat          int
	MaxN            int // largest n of any fit that has its sample in memory
	MaxRows         int // largest n of any fit that streams
	MaxGramN        int // largest n of any fit that uses the Gram matrix
	MaxSpectrumN    int // largest n at which fits share the eigenpairs of their sample's kernel matrix; 0 for none
	MaxEll          int
	Fits            []*Fit // which other repeats share
	Memory          Memory // estimated, at its peak
	KeepsMatrix     bool   // of its own held-out points, however many; see Plan.keepMatrices

	points *configs.Points // of its cells; nil where the data are absent
	keys   []cellKey       // of its cells, by Cell.at; nil where none is due here
	shown  map[int32]bool  // the cells, by at, whose points a figure shows; nil for none
}

// Key is the key of a cell in the group's repeat.
func (g *Group) Key(c Cell) string { return hex.EncodeToString(g.keys[c.at][:]) }

// Point is a copy of the point of the grid of a cell.
func (g *Group) Point(c Cell) map[string]float64 {
	if g.points == nil {
		return map[string]float64{}
	}
	point := map[string]float64{}
	for name, value := range g.points.At(int(c.row)) {
		point[name] = value.Number
	}
	return point
}

// Shows says that a figure shows the cell's points, which are kept beside its
// record.
func (g *Group) Shows(c Cell) bool { return g.shown[c.at] }

// record is a cell's place in the grid as its record has it, by which selections pick.
func (g *Group) record(f *Fit, c Cell) *results.Record {
	return &results.Record{Dataset: g.Dataset, Kernel: g.Kernel, Method: f.Method, Repeat: g.Repeat, Point: g.Point(c), Sizes: c.Sizes}
}

// Records is the number of records of the group.
func (g *Group) Records() int {
	count := 0
	for _, f := range g.Fits {
		count += len(f.Cells)
	}
	return count
}

// Skipped says that every fit of the group is skipped.
func (g *Group) Skipped() bool {
	return !slices.ContainsFunc(g.Fits, func(f *Fit) bool { return f.Skip == nil })
}

// Flops estimates the flops of the group's fits that have cells, measuring included.
func (g *Group) Flops() float64 {
	sum := 0.0
	for _, f := range g.Fits {
		if len(f.Cells) > 0 {
			sum += f.Flops
		}
	}
	return sum
}

// digestBytes are those of a digest, two letters each.
const digestBytes = 16

// cellKey is the hash of everything that determines a record.
type cellKey [digestBytes]byte

// Fit is one method at one n, m, d and k, and for methods that are PerEll at one ℓ,
// computed once for all its cells.
type Fit struct {
	Method string // id
	Sizes  methods.Sizes
	Cells  []Cell
	Skip   error // why the method cannot be run here
	// Streams says that the fit reads its sample in blocks, which is never all in
	// memory; see Plan.chooseStreaming.
	Streams bool
	gram    bool // it uses the group's Gram matrix
	// Flops estimates the work, measuring included; of a pass over several n, what
	// this one adds to the smaller ones.
	Flops float64

	// Memory estimates what the fit takes at its peak where its group has no other.
	Memory Memory

	fitting, measuring float64 // flops by itself
	working            float64 // bytes of it, or of measuring it, that no other shares
	lone               float64 // those of working were there no population
	model              float64 // bytes of the model, and of its values at the population's points
}

// Seconds estimates the time of the fit and its measuring on one processor that
// makes so many GFLOP/s in a large matrix product.
func (f *Fit) Seconds(gflops float64) float64 {
	return fitOverhead + f.Flops/(efficiency*gflops*1e9)
}

const (
	// efficiency is what share of a processor's speed in large products a fit
	// reaches.
	efficiency = 0.4
	// fitOverhead is the time of the smallest fit, in seconds.
	fitOverhead = 2e-4
)

// copyFits are fits with other cells; those that were are left to other repeats.
func copyFits(fits []*Fit, cells func(*Fit) []Cell) []*Fit {
	copies, list := make([]*Fit, len(fits)), make([]Fit, len(fits))
	for i, f := range fits {
		list[i] = *f
		list[i].Cells = cells(f)
		copies[i] = &list[i]
	}
	return copies
}

// Cell is one point of the grid for one method: one record in each repeat, which
// all share the cell.
type Cell struct {
	Sizes methods.Sizes

	row int32 // its point in those of its group
	at  int32 // its number among the cells of its group
}

// Number counts the cells of a group before any filter, from 0: the cells of a data
// set have the same numbers under every kernel and in every repeat.
func (c Cell) Number() int { return int(c.at) }

// Work names the work of a cell: it is equal for cells of one method that differ only
// in sizes that the method does not use.
func (p *Plan) Work(method string, c Cell) string { return p.Resolved.Work(method, c.Sizes) }

// Work names the work of a method at sizes.
func (r *Resolved) Work(method string, at methods.Sizes) string {
	sizes := sharedSizes(r.Methods[method], at)
	sizes.Ell = at.Ell
	return fmt.Sprint(sizes)
}

// sharedSizes are the sizes that a fit depends on, but for ell, which one fit
// serves at any value unless the method says otherwise.
func sharedSizes(method ResolvedMethod, s methods.Sizes) methods.Sizes {
	shared := s.Only(method.Uses...)
	shared.Ell = 0
	if method.PerEll {
		shared.Ell = s.Ell
	}
	return shared
}
