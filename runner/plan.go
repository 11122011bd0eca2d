package runner

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"mercer/configs"
	"mercer/data"
	"mercer/internal/kernel"
	"mercer/internal/metrics"
	"mercer/internal/sizes"
	"mercer/methods"
	"mercer/results"
)

// Plan is a spec made ready to run: opened data, and every record that is due.
type Plan struct {
	*Resolved
	Datasets map[string]data.Dataset
	Absent   map[string]error                    // optional data sets that cannot be had, and why
	Kernels  map[string]map[string]kernel.Kernel // by data set, then kernel id
	Groups   []*Group
	Timed    bool // cells measure time or memory: they run alone
	Timing   Timing
	// SharedBytes is the estimated memory that all groups share: populations
	// that no repeat changes.
	SharedBytes int64
	Filter      string // condition on the records, empty for all
	// Stream has every fit stream that can, however small its sample is. It changes
	// no result.
	Stream bool
	Notes  []string
	Recipe *Recipe // that makes the plan, nil where there is none

	shard  *Shard        // that the plan was made for, nil for all
	digest string        // of all that the recipe makes, or of the shard
	making time.Duration // that the recipe took
}

// Group is one data set, kernel and repeat: what shares a sample, a population
// and a Gram matrix.
type Group struct {
	Dataset, Kernel string // ids
	Repeat          int
	MaxN            int // largest n of any fit that has its sample in memory
	MaxRows         int // largest n of any fit that streams
	MaxGramN        int // largest n of any fit that uses the Gram matrix
	MaxEll          int
	Fits            []*Fit // which other repeats share
	Memory          Memory // estimated, at its peak

	points *configs.Points // of its cells; nil where the data cannot be had
	keys   []cellKey       // of its cells, by Cell.at; nil where none is due here
	shown  map[int32]bool  // the cells, by at, whose points a figure shows; nil for none
}

// cellKey is the hash of everything that determines a record.
type cellKey [digestBytes]byte

// Key is the key of a cell in the group's repeat.
func (g *Group) Key(c Cell) string { return hex.EncodeToString(g.keys[c.at][:]) }

// Point is a copy of the point of the grid of a cell.
func (g *Group) Point(c Cell) map[string]float64 {
	if g.points == nil {
		return map[string]float64{}
	}
	return g.points.At(int(c.row))
}

// Shows says that a figure shows the cell's points, which are kept beside its
// record.
func (g *Group) Shows(c Cell) bool { return g.shown[c.at] }

// Fit is one method at one n, m, d and k, and for methods that are PerEll at one ℓ,
// computed once for all its cells.
type Fit struct {
	Method string // id
	Sizes  methods.Sizes
	Cells  []Cell
	Skip   error // why the method cannot be run here
	// Streams says that the fit reads its sample in blocks, which is never all in
	// memory; see Plan.hold.
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
}

// Seconds estimates the time of the fit and its measuring on one processor that
// makes so many GFLOP/s in a large matrix product.
func (f *Fit) Seconds(gflops float64) float64 {
	return fitOverhead + f.Flops/(efficiency*gflops*1e9)
}

// RunsProgram says that a fit runs a program of the user's, whose work and time
// nobody knows before: Flops is then what checking and measuring its answer takes.
func (p *Plan) RunsProgram(f *Fit) bool { return p.Methods[f.Method].Use == "exec" }

const (
	// efficiency is what share of a processor's speed in large products a fit
	// reaches.
	efficiency = 0.4
	// fitOverhead is the time of the smallest fit, in seconds.
	fitOverhead = 2e-4
)

// Cell is one point of the grid for one method: one record in each repeat, which
// all share the cell.
type Cell struct {
	Sizes methods.Sizes

	row int32 // its point in those of its group
	at  int32 // its number among the cells of its group
}

// work is equal for cells that differ only in what their method does not use.
func (p *Plan) work(method string, c Cell) string {
	sizes := sharedSizes(p.Methods[method], c.Sizes)
	sizes.Ell = c.Sizes.Ell
	return fmt.Sprint(sizes)
}

// Timing is how timed cells are run; it enters their keys.
type Timing struct {
	Threads int // 0 means 1
	Warmup  int // fits before the one that counts
}

// PrepareOptions say what a plan takes in.
type PrepareOptions struct {
	Filter string    // condition on records: dataset, kernel, method, repeat, n, m, d, ell, k and grid variables
	Log    io.Writer // progress of downloads
	Dir    string    // directory of relative paths in the spec
	Timing Timing
	// Optional skips every data set that cannot be had, as if the spec called it
	// optional.
	Optional bool
	Stream   bool   // see Plan.Stream
	Memory   int64  // bytes that reading a data file may take; 0: files.DefaultMemory
	Shard    *Shard // the part to leave, nil for all
}

func newPlan(r *Resolved) *Plan {
	p := &Plan{Resolved: r, Datasets: map[string]data.Dataset{}, Absent: map[string]error{}, Kernels: map[string]map[string]kernel.Kernel{}}
	p.Timed = p.measures("time") || p.measures("memory")
	return p
}

// Prepare opens the data of a resolved spec and lists its records. Errors in
// the spec that show only now (a grid expression, a bandwidth) are
// configs.Problems with their places.
func Prepare(ctx context.Context, r *Resolved, o PrepareOptions) (*Plan, error) {
	p := newPlan(r)
	p.Timing, p.Filter, p.Stream = o.Timing, o.Filter, o.Stream
	var problems configs.Problems
	for _, c := range r.Spec.Datasets {
		if err := p.open(ctx, c, o); err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if (c.Optional || o.Optional) && data.Missing(err) {
				p.leaveOut(c, err)
				continue
			}
			problems.Add(atPlace(c, err))
		}
	}
	problems.Add(p.openMethods(o.Dir))
	if err := problems.Err(); err != nil {
		return nil, err
	}
	p.Notes = append(p.Notes, p.undefinedNotes()...)
	if err := p.expandAll(true); err != nil {
		return nil, err
	}
	for _, g := range p.Groups {
		if p.Absent[g.Dataset] == nil {
			p.estimate(g)
		}
	}
	if err := p.filter(o.Filter); err != nil {
		return nil, err
	}
	if err := p.keepPoints(); err != nil {
		return nil, err
	}
	p.noteHeld()
	p.setKeys(o.Shard)
	p.shareFlops()
	return p, nil
}

// expandAll lists the groups of all data sets in their first repeat, and checks
// them; whole says that no data set is left out.
func (p *Plan) expandAll(whole bool) error {
	var problems configs.Problems
	for _, c := range p.Spec.Datasets {
		if p.Datasets[c.ID] != nil {
			problems.Add(p.expand(c))
		}
	}
	if err := problems.Err(); err != nil {
		return err
	}
	problems.Add(p.checkMethods(whole))
	problems.Add(p.checkLines())
	return problems.Err()
}

// repeat adds the other repeats to the groups of the first.
func (p *Plan) repeat() {
	first := p.Groups
	p.Groups = slices.Grow([]*Group(nil), len(first)*p.Spec.Repeats)
	for repeat := range p.Spec.Repeats {
		for _, g := range first {
			again := *g
			again.Repeat = repeat
			p.Groups = append(p.Groups, &again)
		}
	}
}

// atPlace gives an error the place of its component, unless it has one.
func atPlace(c configs.Component, err error) error {
	if err == nil || errors.As(err, new(configs.Problem)) || errors.As(err, new(configs.Problems)) {
		return err
	}
	return configs.Errorf(c.Pos, "%s %q: %v", c.Kind, c.ID, err)
}

// open opens one data set and resolves the kernels that apply to it.
func (p *Plan) open(ctx context.Context, c configs.Component, o PrepareOptions) (err error) {
	defer failedRead(&err)
	dataset, err := p.Resolved.Datasets[c.ID].Open(data.Context{
		Context: ctx, Dir: o.Dir, Log: o.Log, Streams: fixedStreams(p.Spec.Seed, c.ID), Memory: o.Memory,
	})
	if err != nil {
		return err
	}
	if err := p.checkData(c, dataset); err != nil {
		return err
	}
	return p.take(c, dataset)
}

// take makes a data set one of the plan's and resolves the kernels that apply to it.
func (p *Plan) take(c configs.Component, dataset data.Dataset) error {
	p.Datasets[c.ID] = dataset
	if own := dataset.Kernel(); own != nil {
		p.Kernels[c.ID] = map[string]kernel.Kernel{c.Use: own}
		return nil
	}
	p.Kernels[c.ID] = map[string]kernel.Kernel{}
	for _, k := range p.Spec.Kernels {
		built, err := p.Resolved.Kernels[k.ID].Build(dataset.Distances())
		if err != nil {
			return configs.Errorf(k.Pos, "kernel %q on dataset %q: %v", k.ID, c.ID, err)
		}
		p.Kernels[c.ID][k.ID] = built
	}
	return nil
}

// leaveOut plans, in place of the cells of a data set that cannot be had, one
// skipped record for each kernel, method and repeat: its grid may depend on
// constants that nobody knows.
func (p *Plan) leaveOut(c configs.Component, why error) {
	reason := fmt.Errorf("data: %w", why)
	p.Absent[c.ID] = why
	p.Notes = append(p.Notes, fmt.Sprintf("dataset %q is skipped: %v", c.ID, why))
	for _, kernelID := range configs.IDs(p.Spec.Kernels) {
		g := &Group{Dataset: c.ID, Kernel: kernelID}
		for i, m := range p.Spec.Methods {
			g.Fits = append(g.Fits, &Fit{Method: m.ID, Skip: reason, Cells: []Cell{{at: int32(i)}}})
		}
		p.Groups = append(p.Groups, g)
	}
}

// absentKey is the key of a record of a data set that cannot be had.
func (p *Plan) absentKey(g *Group, method, params string) cellKey {
	hash := sha256.Sum256(fmt.Appendf(nil, "absent %q %q %q %q %d %d", g.Dataset, params, g.Kernel, method, p.Spec.Seed, g.Repeat))
	return cellKey(hash[:digestBytes])
}

// measures says whether the spec asks for a measure.
func (p *Plan) measures(name string) bool { return slices.Contains(p.Spec.Measure, name) }

// needsMatrix says whether a measure works on the kernel matrix of the held-out
// points.
func (p *Plan) needsMatrix() bool {
	return slices.ContainsFunc(p.Spec.Measure, func(name string) bool { return metrics.Registry[name].Matrix })
}

// openMethods has methods find what they need beside the spec.
func (p *Plan) openMethods(dir string) error {
	var problems configs.Problems
	opened := *p.Resolved
	opened.Methods = maps.Clone(opened.Methods)
	for _, c := range p.Spec.Methods {
		m := opened.Methods[c.ID]
		opener, ok := m.Method.(methods.Opener)
		if !ok {
			continue
		}
		var err error
		if m.Method, m.Params, err = opener.Open(dir); err != nil {
			problems.Add(configs.Errorf(c.Pos, "method %q: %v", c.ID, err))
		}
		opened.Methods[c.ID] = m
	}
	p.Resolved = &opened
	return problems.Err()
}

// needs says whether a measure of the spec needs that of its data sets.
func (p *Plan) needs(what string) bool {
	return slices.ContainsFunc(p.Spec.Measure, func(name string) bool {
		return slices.Contains(metrics.Registry[name].Needs, what)
	})
}

// checkData refuses a data set that the spec's measures cannot be taken on.
func (p *Plan) checkData(c configs.Component, dataset data.Dataset) error {
	if sized, ok := dataset.(sizedPopulation); ok && p.needs(metrics.NeedsPopulation) {
		if err := data.CheckOperators(sized.PopulationPoints()); err != nil {
			return err
		}
	}
	if _, known := dataset.Constants()["classes"]; !known && p.needs(metrics.NeedsClasses) {
		return configs.Errorf(c.Pos, "dataset %q has no classes, and a measure of this spec needs them: name its label column or file (label:)", c.ID)
	}
	return nil
}

// kernelIDs are the kernels of a data set in the spec's order.
func (p *Plan) kernelIDs(dataset string) []string {
	ids := configs.IDs(p.Spec.Kernels)
	ids = slices.DeleteFunc(ids, func(id string) bool { return p.Kernels[dataset][id] == nil })
	if len(ids) == 0 {
		ids = slices.Sorted(maps.Keys(p.Kernels[dataset]))
	}
	return ids
}

// expand lists the groups of one data set in the first repeat.
func (p *Plan) expand(c configs.Component) error {
	dataset := p.Datasets[c.ID]
	constants := dataset.Constants()
	points, err := p.Spec.Grid.Points(constants)
	if err != nil {
		return err
	}
	kernels := p.kernelIDs(c.ID)
	due := 0
	for _, g := range p.Groups {
		due += g.records()
	}
	if err := p.Spec.CheckRecords(float64(due) + float64(points.Len())*float64(len(p.Spec.Methods))*float64(len(kernels))); err != nil {
		return err
	}
	sizes, err := p.sizes(points, constants)
	if err != nil {
		return err
	}
	for _, kernelID := range kernels {
		g := &Group{Dataset: c.ID, Kernel: kernelID, points: points}
		for i, m := range p.Spec.Methods {
			p.addFits(g, m, sizes[i])
		}
		p.shareEll(g)
		p.Groups = append(p.Groups, g)
	}
	return nil
}

// sizes are those of each method at each point.
func (p *Plan) sizes(points *configs.Points, constants map[string]float64) ([][]methods.Sizes, error) {
	var problems configs.Problems
	sizes := make([][]methods.Sizes, len(p.Spec.Methods))
	for k, m := range p.Spec.Methods {
		rule, err := m.SizeRule(slices.AppendSeq(p.Spec.Grid.Names(), maps.Keys(constants)))
		sizes[k] = make([]methods.Sizes, points.Len())
		for i := 0; err == nil && i < points.Len(); i++ {
			sizes[k][i], err = rule.At(points.At(i), constants)
		}
		problems.Add(err)
	}
	return sizes, problems.Err()
}

// addFits adds a method's cells to a group, those that share a fit together. All
// fits stand in one list, and so do all cells: a plan may have millions.
func (p *Plan) addFits(g *Group, c configs.Component, at []methods.Sizes) {
	method := p.Methods[c.ID]
	index := map[methods.Sizes]int{}
	var fits []Fit
	var counts []int             // of each fit's cells
	of := make([]int32, len(at)) // the fit of each point
	for i, sizes := range at {
		skip := p.check(g, method, sizes)
		shared := sharedSizes(method, sizes)
		if p.Timed || skip != nil {
			shared = sizes // alone
		}
		number, found := index[shared]
		if !found || p.Timed || skip != nil {
			number = len(fits)
			fits, counts = append(fits, Fit{Method: c.ID, Sizes: sizes, Skip: skip}), append(counts, 0)
			index[shared] = number
		}
		fits[number].Sizes.Ell = max(fits[number].Sizes.Ell, sizes.Ell)
		of[i] = int32(number)
		counts[number]++
	}
	fits = slices.Clip(slices.Clone(fits))
	cells, first := make([]Cell, len(at)), g.records()
	for number, count := range counts {
		fits[number].Cells, cells = cells[:0:count], cells[count:]
	}
	for i, sizes := range at {
		f := &fits[of[i]]
		f.Cells = append(f.Cells, Cell{Sizes: sizes, row: int32(i), at: int32(first + i)})
	}
	g.Fits = slices.Grow(g.Fits, len(fits))
	for i := range fits {
		g.Fits = append(g.Fits, &fits[i])
	}
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

func (p *Plan) check(g *Group, method ResolvedMethod, s methods.Sizes) error {
	if s.N < 1 && slices.Contains(method.Uses, "n") {
		return errors.New("the grid gives no n")
	}
	if s.Ell < 1 && slices.Contains(method.Uses, "ell") {
		return errors.New("the grid gives no ell")
	}
	if limit, ok := p.Datasets[g.Dataset].Constants()["N"]; ok && float64(s.N) > limit {
		return fmt.Errorf("n = %d points of a data set of %v", s.N, limit)
	}
	k := p.Kernels[g.Dataset][g.Kernel]
	if err := method.Method.Check(k, s); err != nil {
		return err
	}
	if m, ok := method.Method.(methods.DimChecker); ok {
		if dim, known := p.Datasets[g.Dataset].Constants()["D"]; known {
			return m.CheckDim(k, int(dim))
		}
	}
	return nil
}

// measuring is the version of what determines a record beside its method: data,
// kernels, populations and measures. Raise it whenever their results change by more
// than the order of rounding: results of two versions, as of two back ends, stand
// side by side where they agree to 1e-9.
const measuring = "2"

// timing is what of a timed cell's surroundings determines its record.
func (p *Plan) timing() *Timing {
	if !p.Timed {
		return nil
	}
	return &p.Timing
}

// setKeys gives the cells of all repeats their keys. Of a plan of which a shard is
// wanted it leaves the cells of that alone: keys are most of the work of making a
// plan.
func (p *Plan) setKeys(only *Shard) {
	if only == nil {
		only = &Shard{To: p.Records()}
	}
	measures := slices.Clone(p.Spec.Measure)
	slices.Sort(measures)
	empty := map[*Fit][]*Fit{} // the fits of a group without their cells, by its first fit
	at := 0
	for _, g := range p.Groups {
		due := g.records()
		from, to := max(only.From-at, 0), min(only.To-at, due)
		at += due
		switch {
		case len(g.Fits) == 0:
			continue
		case from >= to:
			if empty[g.Fits[0]] == nil {
				empty[g.Fits[0]] = copyFits(g.Fits, func(*Fit) []Cell { return nil })
			}
			g.Fits = empty[g.Fits[0]]
			continue
		case from > 0 || to < due:
			p.cut(g, from, to)
		}
		p.setGroupKeys(g, measures)
	}
}

// cut leaves of a group the records from … to−1, in the order of its passes.
func (p *Plan) cut(g *Group, from, to int) {
	cells := map[*Fit][]Cell{}
	at := 0
	for _, f := range slices.Concat(p.passes(g)...) {
		first, last := max(from-at, 0), min(to-at, len(f.Cells))
		at += len(f.Cells)
		if first < last {
			cells[f] = f.Cells[first:last]
		}
	}
	g.Fits = copyFits(g.Fits, func(f *Fit) []Cell { return cells[f] })
}

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

func (p *Plan) setGroupKeys(g *Group, measures []string) {
	last := int32(-1)
	for _, f := range g.Fits {
		for _, c := range f.Cells {
			last = max(last, c.at)
		}
	}
	g.keys = make([]cellKey, last+1)
	params := p.datasetParams(g.Dataset)
	for _, f := range g.Fits {
		for _, c := range f.Cells {
			if p.Absent[g.Dataset] != nil {
				g.keys[c.at] = p.absentKey(g, f.Method, params)
			} else {
				g.keys[c.at] = p.key(g, f.Method, params, measures, c)
			}
		}
	}
}

// records are how many of the group are due.
func (g *Group) records() int {
	count := 0
	for _, f := range g.Fits {
		count += len(f.Cells)
	}
	return count
}

// key hashes everything that determines a record.
func (p *Plan) key(g *Group, id, params string, measures []string, c Cell) cellKey {
	method := p.Methods[id]
	text, err := json.Marshal(struct {
		Schema, Dataset, Fingerprint, Options, Kernel, KernelID, Method, Use, Version, Params string
		Seed                                                                                  uint64
		Repeat                                                                                int
		Point                                                                                 map[string]float64
		Sizes                                                                                 keySizes
		Measures                                                                              []string
		Measuring                                                                             string
		Timing                                                                                *Timing `json:",omitempty"`
	}{
		Schema: fmt.Sprint(results.SchemaVersion), Dataset: g.Dataset,
		Fingerprint: p.Datasets[g.Dataset].Fingerprint(), Options: params,
		Kernel: p.Kernels[g.Dataset][g.Kernel].String(), KernelID: g.Kernel,
		Method: id, Use: method.Use, Version: method.Version, Params: method.Params,
		Seed: p.Spec.Seed, Repeat: g.Repeat, Point: g.Point(c), Sizes: keySizes(c.Sizes), Measures: measures, Measuring: measuring, Timing: p.timing(),
	})
	if err != nil {
		panic(fmt.Sprintf("runner: key of a record: %v", err)) // numbers of a point are finite
	}
	hash := sha256.Sum256(text)
	return cellKey(hash[:digestBytes])
}

// keySizes are sizes in the form that keys have: theirs of records would give others.
type keySizes struct{ N, M, D, Ell, K int }

func (p *Plan) datasetParams(id string) string {
	for _, c := range p.Spec.Datasets {
		if c.ID == id {
			return c.Params.Canonical()
		}
	}
	return ""
}

// checkMethods refuses a method that no cell can run, where the plan has all data
// sets, and notes skipped cells. The groups are those of the first repeat.
func (p *Plan) checkMethods(whole bool) error {
	var problems configs.Problems
	for _, c := range p.Spec.Methods {
		run, skipped := 0, 0
		var reason error
		for _, g := range p.Groups {
			for _, f := range g.Fits {
				switch {
				case f.Method != c.ID || p.Absent[g.Dataset] != nil:
				case f.Skip == nil:
					run += len(f.Cells) * p.Spec.Repeats
				default:
					skipped += len(f.Cells) * p.Spec.Repeats
					if reason == nil {
						reason = f.Skip
					}
				}
			}
		}
		switch {
		case run == 0 && skipped > 0 && whole:
			problems.Add(configs.Errorf(c.Pos, "method %q can be run at no point of the grid: %v", c.ID, reason))
		case skipped > 0:
			p.Notes = append(p.Notes, fmt.Sprintf("method %q is skipped in %d of its %d records: %v", c.ID, skipped, run+skipped, reason))
		}
	}
	return problems.Err()
}

// filter leaves only the cells that a condition picks, and makes the repeats of
// the groups. Sizes shared by a fit stay those of the whole plan, so that results
// do not depend on the filter.
func (p *Plan) filter(text string) error {
	if text == "" {
		p.repeat()
		return nil
	}
	env := map[string]any{"dataset": "", "kernel": "", "method": "", "repeat": 0.0}
	for _, name := range sizes.Names {
		env[name] = 0.0
	}
	for _, name := range p.Spec.Grid.Names() {
		env[name] = 0.0
	}
	condition, err := configs.CompileFilter(text, env)
	if err != nil {
		return err
	}
	alike := !slices.Contains(condition.Names(), "repeat") // all repeats
	if !alike {
		p.repeat()
	}
	for _, g := range p.Groups {
		var wrong error
		g.Fits = copyFits(g.Fits, func(f *Fit) []Cell {
			var cells []Cell
			for _, c := range f.Cells {
				ok, err := condition.Match(filterRow(g, f, c, env))
				if wrong == nil {
					wrong = err
				}
				if ok {
					cells = append(cells, c)
				}
			}
			return slices.Clip(cells)
		})
		if wrong != nil {
			return wrong
		}
	}
	if p.Records() == 0 {
		return configs.Errorf(configs.Pos{}, "filter %q picks no record of this spec", text)
	}
	if alike {
		p.repeat()
	}
	return nil
}

func filterRow(g *Group, f *Fit, c Cell, env map[string]any) map[string]any {
	row := maps.Clone(env)
	for name, v := range g.Point(c) {
		row[name] = v
	}
	row["dataset"], row["kernel"], row["method"] = g.Dataset, g.Kernel, f.Method
	row["repeat"] = float64(g.Repeat)
	for i, size := range c.Sizes.All() {
		row[sizes.Names[i]] = float64(size)
	}
	return row
}

// Records is the number of records due.
func (p *Plan) Records() int {
	count := 0
	for _, g := range p.Groups {
		count += g.records()
	}
	return count
}

// Flops is the estimated work of all fits.
func (p *Plan) Flops() float64 {
	sum := 0.0
	for _, g := range p.Groups {
		for _, f := range g.Fits {
			if len(f.Cells) > 0 {
				sum += f.Flops
			}
		}
	}
	return sum
}

// rank is that of the group's kernel, 0 where it is not known to be finite.
func (p *Plan) rank(g *Group) int {
	if finite, ok := p.Kernels[g.Dataset][g.Kernel].(kernel.Finite); ok {
		return finite.Rank()
	}
	return 0
}
