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
	Fits            []*Fit
	Memory          Memory // estimated, at its peak
}

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
	// Flops estimates the work, measuring included; of a pass over several n, what
	// this one adds to the smaller ones.
	Flops float64

	// Memory estimates what the fit takes at its peak where its group has no other.
	Memory Memory

	fitting, measuring float64 // flops by itself
	working            float64 // bytes of it, or of measuring it, that no other shares
	lone               float64 // those of working were there no population
	gram               bool    // it uses the group's Gram matrix
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

// Cell is one repeat of one point of the grid for one method: one record.
type Cell struct {
	Key   string
	Point map[string]float64
	Sizes methods.Sizes
	Work  string // equal for cells that differ only in what the method does not use
	// Points says that a figure shows the cell's points, which are kept beside its
	// record.
	Points bool
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
	Shard    *Shard // the part to leave, nil for all
}

// Prepare opens the data of a resolved spec and lists its records. Errors in
// the spec that show only now (a grid expression, a bandwidth) are
// configs.Problems with their places.
func Prepare(ctx context.Context, r *Resolved, o PrepareOptions) (*Plan, error) {
	p := &Plan{Resolved: r, Datasets: map[string]data.Dataset{}, Absent: map[string]error{}, Kernels: map[string]map[string]kernel.Kernel{}}
	p.Timed, p.Timing = p.measures("time") || p.measures("memory"), o.Timing
	p.Filter, p.Stream = o.Filter, o.Stream
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
	for _, c := range r.Spec.Datasets {
		if p.Datasets[c.ID] != nil {
			problems.Add(p.expand(c))
		}
	}
	if err := problems.Err(); err != nil {
		return nil, err
	}
	if err := p.checkMethods(); err != nil {
		return nil, err
	}
	if err := p.filter(o.Filter); err != nil {
		return nil, err
	}
	if err := p.keepPoints(); err != nil {
		return nil, err
	}
	p.noteHeld()
	slices.SortStableFunc(p.Groups, func(a, b *Group) int { return a.Repeat - b.Repeat })
	p.setKeys(o.Shard)
	p.shareFlops()
	return p, nil
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
		Context: ctx, Dir: o.Dir, Log: o.Log, Streams: fixedStreams(p.Spec.Seed, c.ID),
	})
	if err != nil {
		return err
	}
	if err := p.checkData(c, dataset); err != nil {
		return err
	}
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
		for repeat := range p.Spec.Repeats {
			g := &Group{Dataset: c.ID, Kernel: kernelID, Repeat: repeat}
			for _, m := range p.Spec.Methods {
				hash := sha256.Sum256(fmt.Appendf(nil, "absent %q %q %q %q %d %d", c.ID, p.datasetParams(c.ID), kernelID, m.ID, p.Spec.Seed, repeat))
				cell := Cell{Key: hex.EncodeToString(hash[:16]), Point: map[string]float64{}}
				g.Fits = append(g.Fits, &Fit{Method: m.ID, Skip: reason, Cells: []Cell{cell}})
			}
			p.Groups = append(p.Groups, g)
		}
	}
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

// expand lists the groups of one data set.
func (p *Plan) expand(c configs.Component) error {
	dataset := p.Datasets[c.ID]
	constants := dataset.Constants()
	points, err := p.Spec.Grid.Points(constants)
	if err != nil {
		return err
	}
	sizes := map[string][]methods.Sizes{} // by method, at each point
	for _, m := range p.Spec.Methods {
		for _, point := range points {
			at, err := m.SizesAt(point, constants)
			if err != nil {
				return err
			}
			sizes[m.ID] = append(sizes[m.ID], methods.Sizes{N: int(at["n"]), M: int(at["m"]), D: int(at["d"]), Ell: int(at["ell"]), K: int(at["k"])})
		}
	}
	for _, kernelID := range p.kernelIDs(c.ID) {
		g := &Group{Dataset: c.ID, Kernel: kernelID}
		for _, m := range p.Spec.Methods {
			p.addFits(g, m, points, sizes[m.ID])
		}
		p.shareEll(g)
		p.estimate(g)
		for repeat := range p.Spec.Repeats {
			p.Groups = append(p.Groups, g.again(repeat))
		}
	}
	return nil
}

// again is the same group in another repeat. Their fits share the cells, which have
// no keys yet.
func (g *Group) again(repeat int) *Group {
	other := *g
	other.Repeat, other.Fits = repeat, make([]*Fit, len(g.Fits))
	for i, f := range g.Fits {
		copied := *f
		other.Fits[i] = &copied
	}
	return &other
}

// addFits adds a method's cells, without keys, to a group, those that share a fit
// together.
func (p *Plan) addFits(g *Group, c configs.Component, points []map[string]float64, at []methods.Sizes) {
	method := p.Methods[c.ID]
	index := map[methods.Sizes]*Fit{}
	for i, point := range points {
		sizes := at[i]
		skip := p.check(g, method, sizes)
		shared := sharedSizes(method, sizes)
		if p.Timed || skip != nil {
			shared = sizes // alone
		}
		fit := index[shared]
		if fit == nil || p.Timed || skip != nil {
			fit = &Fit{Method: c.ID, Sizes: sizes, Skip: skip}
			index[shared] = fit
			g.Fits = append(g.Fits, fit)
		}
		fit.Sizes.Ell = max(fit.Sizes.Ell, sizes.Ell)
		work := sharedSizes(method, sizes)
		work.Ell = sizes.Ell
		fit.Cells = append(fit.Cells, Cell{Point: point, Sizes: sizes, Work: fmt.Sprint(work)})
	}
}

// sharedSizes are the sizes that a fit depends on, but for ell, which one fit
// serves at any value unless the method says otherwise.
func sharedSizes(method ResolvedMethod, s methods.Sizes) methods.Sizes {
	shared := methods.Sizes{}
	for _, use := range method.Uses {
		switch use {
		case "n":
			shared.N = s.N
		case "m":
			shared.M = s.M
		case "d":
			shared.D = s.D
		case "k":
			shared.K = s.K
		}
	}
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
		return m.CheckDim(k, int(p.Datasets[g.Dataset].Constants()["D"]))
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

// setKeys gives the cells their keys. Of a plan of which a shard is wanted it leaves
// the cells of that alone: keys are most of the work of making a plan, and of its
// memory.
func (p *Plan) setKeys(only *Shard) {
	if only == nil {
		only = &Shard{To: p.Records()}
	}
	measures := slices.Clone(p.Spec.Measure)
	slices.Sort(measures)
	at := 0
	for _, g := range p.Groups {
		records := g.records()
		if at+records <= only.From || at >= only.To {
			at += records
			for _, f := range g.Fits {
				f.Cells = nil
			}
			continue
		}
		params := p.datasetParams(g.Dataset)
		for _, f := range slices.Concat(p.passes(g)...) {
			from, to := max(only.From-at, 0), min(only.To-at, len(f.Cells))
			at += len(f.Cells)
			if from >= to {
				f.Cells = nil
				continue
			}
			f.Cells = slices.Clone(f.Cells[from:to]) // which other repeats share
			for i := range f.Cells {
				if c := &f.Cells[i]; c.Key == "" {
					c.Key = p.key(g, f.Method, params, measures, *c)
				}
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
func (p *Plan) key(g *Group, id, params string, measures []string, c Cell) string {
	method := p.Methods[id]
	text, err := json.Marshal(struct {
		Schema, Dataset, Fingerprint, Options, Kernel, KernelID, Method, Use, Version, Params string
		Seed                                                                                  uint64
		Repeat                                                                                int
		Point                                                                                 map[string]float64
		Sizes                                                                                 methods.Sizes
		Measures                                                                              []string
		Measuring                                                                             string
		Timing                                                                                *Timing `json:",omitempty"`
	}{
		Schema: fmt.Sprint(results.SchemaVersion), Dataset: g.Dataset,
		Fingerprint: p.Datasets[g.Dataset].Fingerprint(), Options: params,
		Kernel: p.Kernels[g.Dataset][g.Kernel].String(), KernelID: g.Kernel,
		Method: id, Use: method.Use, Version: method.Version, Params: method.Params,
		Seed: p.Spec.Seed, Repeat: g.Repeat, Point: c.Point, Sizes: c.Sizes, Measures: measures, Measuring: measuring, Timing: p.timing(),
	})
	if err != nil {
		panic(fmt.Sprintf("runner: key of a record: %v", err)) // numbers of a point are finite
	}
	hash := sha256.Sum256(text)
	return hex.EncodeToString(hash[:16])
}

func (p *Plan) datasetParams(id string) string {
	for _, c := range p.Spec.Datasets {
		if c.ID == id {
			return c.Params.Canonical()
		}
	}
	return ""
}

// checkMethods refuses a method that no cell can run, and notes skipped cells.
func (p *Plan) checkMethods() error {
	var problems configs.Problems
	for _, c := range p.Spec.Methods {
		run, skipped := 0, 0
		var reason error
		for _, g := range p.Groups {
			for _, f := range g.Fits {
				switch {
				case f.Method != c.ID || p.Absent[g.Dataset] != nil:
				case f.Skip == nil:
					run += len(f.Cells)
				default:
					skipped += len(f.Cells)
					if reason == nil {
						reason = f.Skip
					}
				}
			}
		}
		switch {
		case run == 0 && skipped > 0:
			problems.Add(configs.Errorf(c.Pos, "method %q can be run at no point of the grid: %v", c.ID, reason))
		case skipped > 0:
			p.Notes = append(p.Notes, fmt.Sprintf("method %q is skipped in %d of its %d records: %v", c.ID, skipped, run+skipped, reason))
		}
	}
	return problems.Err()
}

// filter leaves only the cells that a condition picks. Sizes shared by a fit
// stay those of the whole plan, so that results do not depend on the filter.
func (p *Plan) filter(text string) error {
	if text == "" {
		return nil
	}
	env := map[string]any{"dataset": "", "kernel": "", "method": "", "repeat": 0.0, "n": 0.0, "m": 0.0, "d": 0.0, "ell": 0.0, "k": 0.0}
	for _, name := range p.Spec.Grid.Names() {
		env[name] = 0.0
	}
	condition, err := configs.CompileFilter(text, env)
	if err != nil {
		return err
	}
	kept := 0
	for _, g := range p.Groups {
		for _, f := range g.Fits {
			var cells []Cell
			for _, c := range f.Cells {
				ok, err := condition.Match(filterRow(g, f, c, env))
				if err != nil {
					return err
				}
				if ok {
					cells = append(cells, c)
				}
			}
			f.Cells = cells
			kept += len(cells)
		}
	}
	if kept == 0 {
		return configs.Errorf(configs.Pos{}, "filter %q picks no record of this spec", text)
	}
	return nil
}

func filterRow(g *Group, f *Fit, c Cell, env map[string]any) map[string]any {
	row := maps.Clone(env)
	for name, v := range c.Point {
		row[name] = v
	}
	row["dataset"], row["kernel"], row["method"] = g.Dataset, g.Kernel, f.Method
	row["repeat"], row["n"], row["m"] = float64(g.Repeat), float64(c.Sizes.N), float64(c.Sizes.M)
	row["d"], row["ell"], row["k"] = float64(c.Sizes.D), float64(c.Sizes.Ell), float64(c.Sizes.K)
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

// measureFlops estimates what measuring a fit costs: evaluating its functions
// on the population, or the iterated kernels of a closed form.
func (p *Plan) measureFlops(g *Group, method ResolvedMethod, s methods.Sizes, dim float64) float64 {
	support := float64(s.N)
	if slices.Contains(method.Uses, "m") {
		support = float64(s.M)
	}
	if sized, ok := p.Datasets[g.Dataset].(sizedPopulation); ok {
		points := float64(sized.PopulationPoints())
		work := 2 * points * support * (dim + float64(s.Ell))
		if p.needs(metrics.NeedsPopulation) {
			work += 2 * points * points * float64(s.Ell)
		}
		if p.needsMatrix() && method.Shape == methods.ShapeFeatures {
			work += points * points * (dim + float64(s.Ell))
		}
		return work
	}
	if rank := p.rank(g); rank > 0 {
		return support * float64(rank) * (50 + 4*float64(s.Ell))
	}
	return support * support * (50 + 4*float64(s.Ell))
}
