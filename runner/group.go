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

	"mercer/data"
	"mercer/kernel"
	"mercer/linalg"
	"mercer/methods"
	"mercer/metrics"
	"mercer/results"
)

// work is what the fits of one group share.
type work struct {
	run        *run
	group      *Group
	kernel     kernel.Kernel
	x          *mat.Dense // the group's largest sample
	labels     []int      // its classes, nil for none
	rows       data.Rows  // the largest sample that a fit streams, nil for none
	rowLabels  []int
	draw       data.Draw
	population data.Population
	gram       func() *mat.SymDense // of the group's largest n that needs one
	heldOut    *metrics.HeldOutKernel
}

// flushEvery is how long finished records may wait for others of their group
// before they are stored: fits of a millisecond share one write, and a kill costs
// at most this much work.
const flushEvery = 300 * time.Millisecond

// group runs the pending fits of a group, one pass after another. stop ends it
// between fits; broken, after a write error, too.
func (r *run) group(stop, broken context.Context, g *Group) error {
	var w *work
	var failure error // of what all fits share
	var batch batch
	flushed := time.Now()
	done := func(t *task) error {
		batch.records, batch.flops = append(batch.records, t.records...), batch.flops+t.flops
		batch.points = append(batch.points, t.points...)
		batch.last = fmt.Sprintf("%s %s %s n=%d repeat %d", g.Dataset, g.Kernel, t.fit.Method, t.fit.Sizes.N, g.Repeat)
		if time.Since(flushed) < flushEvery {
			return nil
		}
		flushed = time.Now()
		return r.write(&batch)
	}
	for _, pass := range r.plan.passes(g) {
		tasks := r.tasks(g, pass)
		if len(tasks) == 0 {
			continue
		}
		if stop.Err() != nil || broken.Err() != nil {
			break
		}
		if w == nil && failure == nil && pass[0].Skip == nil {
			w, failure = r.prepare(g)
		}
		if err := r.pass(stop, broken, w, tasks, failure, done); err != nil {
			return err
		}
	}
	return r.write(&batch)
}

// pass does the tasks of one pass, or settles them where they are skipped or what
// all fits share has failed.
func (r *run) pass(stop, broken context.Context, w *work, tasks []*task, failure error, done func(*task) error) error {
	status := results.Failed
	if skip := tasks[0].fit.Skip; skip != nil {
		status, failure = results.Skipped, skip
	}
	if failure == nil && len(tasks) > 1 {
		return w.stream(stop, broken, tasks, done)
	}
	for _, t := range tasks {
		if failure != nil {
			settle(t.records, status, failure)
		} else {
			w.fit(broken, t)
		}
		if err := done(t); err != nil {
			return err
		}
	}
	return nil
}

// batch is finished records that are not stored yet.
type batch struct {
	records []results.Record
	points  []kept
	flops   float64
	last    string // what was finished last
}

// prepare draws the sample and opens the population of a group.
func (r *run) prepare(g *Group) (w *work, err error) {
	defer recovered(&err)
	p := r.plan
	w = &work{run: r, group: g, kernel: p.Kernels[g.Dataset][g.Kernel]}
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
	w.heldOut = r.heldOutKernel(w)
	w.gram = sync.OnceValue(func() *mat.SymDense { return kernel.Gram(w.kernel, w.first(g.MaxGramN)) })
	return w, nil
}

// eigenpairs is how many of the population's eigenpairs any cell of the data set
// needs; the same for every group, so that they share the population.
func (p *Plan) eigenpairs(g *Group) int {
	most := 0
	for _, other := range p.Groups {
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
	t.HeldOutKernel = w.heldOut
	return t
}

// blank are the records of cells with all but their outcome.
func (r *run) blank(g *Group, f *Fit, cells []Cell) []results.Record {
	records := make([]results.Record, len(cells))
	for i, c := range cells {
		records[i] = results.Record{
			Schema: results.SchemaVersion, Key: c.Key, Experiment: r.plan.Spec.Name,
			Dataset: g.Dataset, Kernel: g.Kernel, Method: f.Method,
			N: c.Sizes.N, M: c.Sizes.M, D: c.Sizes.D, Ell: c.Sizes.Ell, K: c.Sizes.K, Point: c.Point, Work: c.Work,
			Repeat: g.Repeat, Seed: r.plan.Spec.Seed,
			Version: r.plan.Methods[f.Method].Version, BLAS: linalg.Backend(),
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
	if limit := w.run.options.CellTimeout; limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, limit)
		defer cancel()
	}
	model, cost, err := w.model(ctx, t.fit)
	if err != nil {
		w.fail(ctx, t, err)
		return
	}
	w.score(ctx, t, model, cost)
}

// fail fills in the records of a task that an error ended.
func (w *work) fail(ctx context.Context, t *task, err error) {
	status := results.Failed
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) && errors.Is(context.Cause(ctx), context.DeadlineExceeded) {
		status = results.Timeout
		if ctx.Err() != nil { // the cell's time limit, not one of the method's own
			err = fmt.Errorf("not finished within %v", w.run.options.CellTimeout)
		}
	}
	settle(t.records, status, err)
}

// score measures a model at every cell's ℓ and fills in the records.
func (w *work) score(ctx context.Context, t *task, model methods.Model, c cost) {
	values, err := w.evaluate(ctx, t, model)
	if err == nil {
		t.points, err = w.points(ctx, t, model)
	}
	if err == nil {
		err = w.unchanged()
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
	}
}

// unchanged fails where a file that points are read from has been changed.
func (w *work) unchanged() error {
	if d, ok := w.run.plan.Datasets[w.group.Dataset].(data.Watched); ok {
		return d.Unchanged()
	}
	return nil
}

func (w *work) evaluate(ctx context.Context, t *task, model methods.Model) (values []map[string]float64, err error) {
	defer recovered(&err)
	ells := make([]int, len(t.cells))
	for i, c := range t.cells {
		ells[i] = c.Sizes.Ell
	}
	return metrics.Evaluate(ctx, w.truth(t.fit), model, ells, w.run.plan.Spec.Measure)
}

// problem is what a fit works on.
func (w *work) problem(f *Fit) methods.Problem {
	p := methods.Problem{Kernel: w.kernel, Sizes: f.Sizes, Population: w.population}
	if f.Streams {
		p.Rows = w.rows
		return p
	}
	p.X = w.first(max(1, f.Sizes.N))
	if !w.run.plan.Timed {
		p.Gram = func() *mat.SymDense { return w.gram().SliceSym(0, f.Sizes.N).(*mat.SymDense) }
	}
	return p
}

// rng is the stream of a fit's method, from its beginning.
func (w *work) rng(f *Fit) *rand.Rand {
	return methodStream(w.run.plan.Spec.Seed, w.group.Dataset, w.group.Repeat, f.Method)
}

// model fits the method, and measures what that costs where the plan asks for it.
func (w *work) model(ctx context.Context, f *Fit) (model methods.Model, c cost, err error) {
	defer recovered(&err)
	method := w.run.plan.Methods[f.Method].Method
	fit := func(p methods.Problem) (methods.Model, error) { return method.Fit(ctx, p, w.rng(f)) }
	if w.run.plan.Timed {
		return w.run.plan.costly(w.problem(f), fit)
	}
	model, err = fit(w.problem(f))
	return model, cost{}, err
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
