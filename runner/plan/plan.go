package plan

import (
	"encoding/hex"
	"slices"

	"mercer/configs"
	"mercer/data"
	"mercer/internal/kernel"
	"mercer/internal/metrics"
	"mercer/methods"
	"mercer/methods/exec"
	"mercer/results"
)

// Plan is a spec made ready to run: opened data, and every row that is due.
type Plan struct {
	*Resolved
	Input Input
	// Programs are those of the user's that the spec names, whose processes stay until they
	// are closed.
	Programs exec.Commands
	Groups   []*Group // what shares a sample, a population and a Gram matrix, in each repeat
	Absent   map[string]error
	Timed    bool // cells measure time or memory: they run alone
	Notes    []string

	shared int64                             // bytes of populations that all repeats share
	filter *configs.Filter                   // nil: all rows
	values map[string]map[results.Value]bool // that cells have, of each column in the filter
}

// Dataset is a data set of the spec with one set of its parameters, opened. A data set
// whose parameters name grid variables has one for each different set.
type Dataset struct {
	data.Dataset
	ID     string
	Params string      // resolved, canonical
	Fixed  results.Key // the variables that its parameters use, and their values here

	options   data.Options
	constants map[string]float64 // those of data.Dataset, and median and rms where the spec asks for them
	common    map[string]float64 // grid variables that have one number at all of its points
}

// Method is a method of the spec with one set of its parameters.
type Method struct {
	methods.Entry
	methods.Traits
	Estimator methods.Method
	ID, Use   string
	Options   methods.Options
	Params    string   // resolved, canonical
	Names     []string // grid variables that the parameters use
}

// describe fills in what the registry and the parameters say of the method.
func (m *Method) describe(entry methods.Entry) {
	m.Entry, m.Traits = entry, m.Options.Traits()
	m.Version += m.Program
}

// Group is a data set under a kernel: in each repeat, its fits share a sample, a population
// and a Gram matrix.
type Group struct {
	Dataset    *Dataset
	KernelID   string
	Kernel     kernel.Kernel
	Population string // names data and kernel in rows
	Fits       []*Fit
	MaxN       int // largest n of any fit that has its sample in memory
	MaxRows    int // largest n of any fit that streams
	MaxGramN   int // largest n of any fit that uses the Gram matrix
	MaxEll     int
	// MaxSpectrumN is the largest n at which fits share the eigenpairs of their sample's
	// kernel matrix; 0 for none.
	MaxSpectrumN int
	Bytes        int64 // of the arrays held at once, estimated
	KeepsMatrix  bool  // of its own held-out points, however many; see keepMatrices

	kernelNames []string // grid variables that the kernel's parameters use
	fits        map[fitID]*Fit
	known       map[results.Key]bool // its cells
}

// Fit is one method at one n, m, d and k (and ℓ, for methods that are PerEll), computed
// once in a repeat for all its cells.
type Fit struct {
	Method *Method
	Sizes  methods.Sizes
	Cells  []*Cell
	Skip   error // why the method cannot be run here
	// Streams says that the fit reads its sample in blocks, which is never all in
	// memory; see streams.
	Streams bool
	Bytes   int64 // estimated, where its group has no other fit

	gram    bool    // it uses the group's Gram matrix
	working float64 // bytes that no other fit shares
}

// Cell is one row of the table in each repeat.
type Cell struct {
	At    results.Key // the columns that the row has
	Sizes methods.Sizes
	Due   int // repeats that are wanted

	shown bool
	hash  [hashBytes]byte // of all that determines its numbers but the repeat
}

// Shows says that a figure shows the cell's points in a repeat, the first: they are kept
// beside its row.
func (c *Cell) Shows(repeat int) bool { return c.shown && repeat == 0 }

// Row is a row of the cell, without its outcome.
func (p *Plan) Row(g *Group, f *Fit, c *Cell, repeat int) results.Row {
	return results.Row{
		Schema: results.SchemaVersion, ID: c.ID(repeat), At: c.At, Repeat: repeat,
		Population: g.Population, Version: f.Method.Version,
	}
}

// Repeats is the most repeats of any cell.
func (p *Plan) Repeats() int {
	most := 0
	for c := range p.Cells {
		most = max(most, c.Due)
	}
	return most
}

// Cells yields every cell.
func (p *Plan) Cells(yield func(*Cell) bool) {
	for _, g := range p.Groups {
		for _, f := range g.Fits {
			for _, c := range f.Cells {
				if !yield(c) {
					return
				}
			}
		}
	}
}

// IDs are those of all rows that are due, repeat by repeat.
func (p *Plan) IDs() []string {
	var ids []string
	for repeat := range p.Repeats() {
		for _, g := range p.Groups {
			for _, u := range p.Units(g, repeat) {
				for _, cells := range u.Cells {
					for _, c := range cells {
						ids = append(ids, c.ID(repeat))
					}
				}
			}
		}
	}
	return ids
}

// ID is that of a cell's row in a repeat.
func (c *Cell) ID(repeat int) string {
	id := rowHash(c.hash, repeat)
	return hex.EncodeToString(id[:])
}

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

// Rank is that of the group's kernel, 0 where it is not known to be finite.
func (g *Group) Rank() int {
	if finite, ok := g.Kernel.(kernel.Finite); ok {
		return finite.Rank()
	}
	return 0
}

// Eigenpairs is the largest ℓ of any cell of the group's data set: how many eigenpairs
// its population is opened with. It is the same for all groups of the data set, so
// that they share the population.
func (p *Plan) Eigenpairs(g *Group) int {
	most := 0
	for _, other := range p.Groups {
		if other.Dataset == g.Dataset {
			most = max(most, other.MaxEll)
		}
	}
	return most
}

// Skipped says that every fit of the group is skipped.
func (g *Group) Skipped() bool {
	return !slices.ContainsFunc(g.Fits, func(f *Fit) bool { return f.Skip == nil })
}
