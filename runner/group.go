package runner

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"gonum.org/v1/gonum/mat"

	"mercer/configs"
	"mercer/data"
	"mercer/internal/kernel"
	"mercer/internal/linalg"
	"mercer/internal/metrics"
	"mercer/internal/process"
	"mercer/methods"
	"mercer/results"
)

// computation computes the fits of a plan, and stores nothing. It may be used by
// several goroutines at once.
type computation struct {
	plan  *Plan
	limit time.Duration // for a cell; 0 for none

	mu      sync.Mutex
	heldOut map[heldOutKey]*metrics.HeldOutKernel
	cells   map[cellName]cellText
}

// cellName is a cell, whatever its kernel and repeat.
type cellName struct {
	method string
	points *configs.Points
	row    int32
}

// cellText is what the records of a cell share in memory.
type cellText struct {
	point map[string]float64
	work  string
}

func (c *computation) cellText(g *Group, method string, cell Cell) cellText {
	name := cellName{method, g.points, cell.row}
	c.mu.Lock()
	defer c.mu.Unlock()
	text, ok := c.cells[name]
	if !ok {
		text = cellText{g.Point(cell), c.plan.work(method, cell)}
		c.cells[name] = text
	}
	return text
}

func newComputation(p *Plan, limit time.Duration) *computation {
	return &computation{plan: p, limit: limit, heldOut: map[heldOutKey]*metrics.HeldOutKernel{}, cells: map[cellName]cellText{}}
}

// work is what the fits of one group share.
type work struct {
	*computation
	group        *Group
	kernel       kernel.Kernel
	x            *mat.Dense // the group's largest sample
	labels       []int      // its classes, nil for none
	rows         data.Rows  // the largest sample that a method streams, nil for none
	rowLabels    []int
	draw         data.Draw
	population   data.Population
	gram         func() *mat.SymDense   // of the group's largest n that needs one
	kernelMatrix *metrics.HeldOutKernel // of the held-out points
}

// here is where the passes of one group are computed in this process.
type here struct {
	*computation
	group   *Group
	work    *work
	failure error // of what all fits share
}

// begin makes ready what all fits of the group share.
func (h *here) begin() {
	if h.work == nil && h.failure == nil {
		h.work, h.failure = h.prepare(h.group)
	}
}

func (h *here) pass(stop, broken context.Context, _ int, tasks []*task, done func(*task) error) error {
	h.begin()
	if h.failure == nil && len(tasks) > 1 {
		return h.work.stream(stop, broken, tasks, done)
	}
	for _, t := range tasks {
		if h.failure != nil {
			settle(t.records, results.Failed, h.failure)
		} else {
			h.work.fit(broken, t)
		}
		if err := done(t); err != nil {
			return err
		}
	}
	return nil
}

func (h *here) leave() {}

// prepare draws the sample and opens the population of a group.
func (c *computation) prepare(g *Group) (w *work, err error) {
	defer recovered(&err)
	p := c.plan
	w = &work{computation: c, group: g, kernel: p.Kernels[g.Dataset][g.Kernel]}
	draw, err := p.Datasets[g.Dataset].Draw(streamsOf(p.Spec.Seed, g.Dataset, g.Repeat))
	if err != nil {
		return nil, err
	}
	w.draw = draw
	if w.x, w.labels, err = draw.Sample(max(1, g.MaxN)); err != nil {
		return nil, err
	}
	if g.MaxRows > 0 {
		if w.rows, w.rowLabels, err = draw.Rows(g.MaxRows); err != nil {
			return nil, err
		}
	}
	if w.population, err = draw.Population(w.kernel, p.eigenpairs(g)); err != nil {
		return nil, fmt.Errorf("population: %w", err)
	}
	w.kernelMatrix = c.heldOutKernel(w)
	w.gram = sync.OnceValue(func() *mat.SymDense { return kernel.Gram(w.kernel, w.first(g.MaxGramN)) })
	return w, nil
}

// eigenpairs is how many of the population's eigenpairs any cell of the data set
// needs; the same for every group, so that they share the population.
func (p *Plan) eigenpairs(g *Group) int {
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

// first is the sample of size n; methods that use no sample may ask for more
// than there is.
func (w *work) first(n int) *mat.Dense {
	rows, d := w.x.Dims()
	return w.x.Slice(0, min(n, rows), 0, d).(*mat.Dense)
}

// truth is what the model of a fit is measured against.
func (w *work) truth(f *Fit) metrics.Truth {
	n := max(1, f.Sizes.N)
	t := metrics.Truth{Population: w.population, Kernel: w.kernel}
	if f.Streams {
		t.Labels = w.rowLabels
	} else {
		t.X, t.Labels = w.first(n), w.labels
	}
	if t.Labels != nil {
		t.Labels = t.Labels[:min(n, len(t.Labels))]
	}
	t.HeldOut, t.HeldOutLabels = w.draw.HeldOut()
	t.HeldOutKernel = w.kernelMatrix
	return t
}

// blank are the records of cells with all but their outcome.
func (c *computation) blank(g *Group, f *Fit, cells []Cell) []results.Record {
	records := make([]results.Record, len(cells))
	for i, cell := range cells {
		text := c.cellText(g, f.Method, cell)
		records[i] = results.Record{
			Schema: results.SchemaVersion, Key: g.Key(cell), Experiment: c.plan.Spec.Name,
			Dataset: g.Dataset, Kernel: g.Kernel, Method: f.Method,
			Sizes: cell.Sizes, Point: text.point, Work: text.work,
			Repeat: g.Repeat, Seed: c.plan.Spec.Seed,
			Version: c.plan.Methods[f.Method].Version, BLAS: linalg.Backend(),
		}
	}
	return records
}

func settle(records []results.Record, status results.Status, reason error) {
	for i := range records {
		records[i].Status, records[i].Reason = status, reason.Error()
	}
}

// fit computes the fit of a task by itself, measures it and fills in the records.
func (w *work) fit(ctx context.Context, t *task) {
	ctx, _, cancel := process.WithLimit(ctx, w.limit, context.DeadlineExceeded)
	defer cancel()
	model, took, err := w.model(ctx, t.fit)
	if err != nil {
		w.fail(ctx, t, err)
		return
	}
	w.score(ctx, t, model, took)
}

// fail fills in the records of a task that an error ended.
func (w *work) fail(ctx context.Context, t *task, err error) {
	status := results.Failed
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) && errors.Is(context.Cause(ctx), context.DeadlineExceeded) {
		status = results.Timeout
		if ctx.Err() != nil { // the cell's time limit, not one of the method's own
			err = fmt.Errorf("not finished within %v", w.limit)
		}
	}
	settle(t.records, status, err)
}

// score measures a model at every cell's ℓ and fills in the records.
func (w *work) score(ctx context.Context, t *task, model methods.Model, c taken) {
	values, err := w.evaluate(ctx, t, model)
	if err == nil {
		t.points, err = w.points(ctx, t, model)
	}
	if err != nil {
		w.fail(ctx, t, err)
		return
	}
	for i := range t.records {
		r := &t.records[i]
		r.Status, r.Warnings, r.Phases = results.OK, model.Caveats(t.cells[i].Sizes.Ell), c.phases
		measured := map[string]results.Metric{}
		for name, v := range values[i] {
			measured[name] = results.Metric{Value: v, Unit: unitOf(name)}
		}
		r.Metrics = results.NewMetrics(measured)
		w.addCosts(r, t.cells[i], model, c)
		if err := r.Validate(); err != nil { // else the whole batch would be refused
			r.Metrics, r.Phases = results.Metrics{}, nil
			settle(t.records[i:i+1], results.Failed, err)
		}
	}
}

func (w *work) evaluate(ctx context.Context, t *task, model methods.Model) (values []map[string]float64, err error) {
	defer recovered(&err)
	ells := make([]int, len(t.cells))
	for i, c := range t.cells {
		ells[i] = c.Sizes.Ell
	}
	return metrics.Evaluate(ctx, w.truth(t.fit), model, ells, w.plan.Spec.Measure)
}

// problem is what a fit works on.
func (w *work) problem(f *Fit) methods.Problem {
	p := methods.Problem{Kernel: w.kernel, Sizes: f.Sizes, Population: w.population}
	if f.Streams {
		p.Rows = w.rows
		return p
	}
	p.X = w.first(max(1, f.Sizes.N))
	if !w.plan.Timed {
		p.Gram = func() *mat.SymDense { return w.gram().SliceSym(0, f.Sizes.N).(*mat.SymDense) }
	}
	return p
}

// rng is the stream of a fit's method, from its beginning.
func (w *work) rng(f *Fit) *rand.Rand {
	return methodStream(w.plan.Spec.Seed, w.group.Dataset, w.group.Repeat, f.Method)
}

// model fits the method, and measures what that costs where the plan asks for it.
func (w *work) model(ctx context.Context, f *Fit) (model methods.Model, c taken, err error) {
	defer recovered(&err)
	method := w.plan.Methods[f.Method].Method
	fit := func(p methods.Problem) (methods.Model, error) { return method.Fit(ctx, p, w.rng(f)) }
	if w.plan.Timed {
		return w.plan.costly(w.problem(f), fit)
	}
	model, err = fit(w.problem(f))
	return model, taken{}, err
}

// failedRead turns a panic about a file that points are read from into that error.
func failedRead(err *error) {
	if v := recover(); v != nil {
		failure, ok := v.(*data.ReadError)
		if !ok {
			panic(v)
		}
		*err = failure
	}
}

// recovered turns a panic into an error that names the place; but one about a
// file that points are read from is that error.
func recovered(err *error) {
	if v := recover(); v != nil {
		if failure, ok := v.(*data.ReadError); ok {
			*err = failure
			return
		}
		*err = fmt.Errorf("panic: %v (%s)", v, panicPlace(string(debug.Stack())))
	}
}

// panicPlace is the file and line of the first frame of a stack below the panic
// that is in this module.
func panicPlace(stack string) string {
	_, below, _ := strings.Cut(stack, "panic(")
	own := false
	for line := range strings.SplitSeq(below, "\n") {
		if own && !strings.Contains(line, "oncefunc.go") {
			place, _, _ := strings.Cut(path.Base(line), " ")
			return place
		}
		own = strings.HasPrefix(line, "mercer/")
	}
	return "place unknown"
}
