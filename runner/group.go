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
	draw       data.Draw
	population data.Population
	gram       func() *mat.SymDense // of the group's largest n that needs one
}

// flushEvery is how long finished records may wait for others of their group
// before they are stored: fits of a millisecond share one write, and a kill costs
// at most this much work.
const flushEvery = 300 * time.Millisecond

// group runs the pending fits of a group one after another. stop ends it between
// fits; broken, after a write error, too.
func (r *run) group(stop, broken context.Context, g *Group) error {
	var w *work
	var failure error // of what all fits share
	var batch batch
	flushed := time.Now()
	for _, f := range g.Fits {
		cells := r.pending(f)
		if len(cells) == 0 {
			continue
		}
		if stop.Err() != nil || broken.Err() != nil {
			break
		}
		if w == nil && failure == nil && f.Skip == nil {
			w, failure = r.prepare(g)
		}
		records := r.blank(g, f, cells)
		switch {
		case f.Skip != nil:
			settle(records, results.Skipped, f.Skip)
		case failure != nil:
			settle(records, results.Failed, failure)
		default:
			w.fit(broken, f, cells, records)
		}
		batch.records, batch.flops = append(batch.records, records...), batch.flops+f.Flops
		batch.last = fmt.Sprintf("%s %s %s n=%d repeat %d", g.Dataset, g.Kernel, f.Method, f.Sizes.N, g.Repeat)
		if time.Since(flushed) < flushEvery {
			continue
		}
		if err := r.write(&batch); err != nil {
			return err
		}
		flushed = time.Now()
	}
	return r.write(&batch)
}

// batch is finished records that are not stored yet.
type batch struct {
	records []results.Record
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
	if w.population, err = draw.Population(w.kernel, p.eigenpairs(g)); err != nil {
		return nil, fmt.Errorf("population: %w", err)
	}
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

// truth is what a model of the first n points is measured against.
func (w *work) truth(n int) metrics.Truth {
	t := metrics.Truth{Population: w.population, Kernel: w.kernel, X: w.first(max(1, n))}
	if rows, _ := t.X.Dims(); w.labels != nil {
		t.Labels = w.labels[:rows]
	}
	t.HeldOut, t.HeldOutLabels = w.draw.HeldOut()
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

// fit computes one fit, measures it at every cell's ℓ and fills in the records.
func (w *work) fit(ctx context.Context, f *Fit, cells []Cell, records []results.Record) {
	if limit := w.run.options.CellTimeout; limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, limit)
		defer cancel()
	}
	model, values, phases, err := w.measured(ctx, f, cells)
	if err != nil {
		status := results.Failed
		if errors.Is(err, context.DeadlineExceeded) {
			status = results.Timeout
		}
		if ctx.Err() != nil && status == results.Timeout { // the cell's time limit, not one of the method's own
			err = fmt.Errorf("not finished within %v", w.run.options.CellTimeout)
		}
		settle(records, status, err)
		return
	}
	for i := range records {
		records[i].Status, records[i].Warnings, records[i].Phases = results.OK, model.Caveats(cells[i].Sizes.Ell), phases
		records[i].Metrics = map[string]results.Metric{}
		for name, v := range values[i] {
			records[i].Metrics[name] = results.Metric{Value: v}
		}
		for phase, seconds := range phases {
			records[i].Metrics[results.TimePrefix+phase] = results.Metric{Value: seconds, Unit: metrics.Registry["time"].Unit}
		}
	}
}

func (w *work) measured(ctx context.Context, f *Fit, cells []Cell) (model methods.Model, values []map[string]float64, phases map[string]float64, err error) {
	defer recovered(&err)
	model, phases, err = w.model(ctx, f)
	if err != nil {
		return nil, nil, nil, err
	}
	ells := make([]int, len(cells))
	for i, c := range cells {
		ells[i] = c.Sizes.Ell
	}
	values, err = metrics.Evaluate(ctx, w.truth(f.Sizes.N), model, ells, w.run.plan.Spec.Measure)
	return model, values, phases, err
}

// model fits the method, timed where the plan asks for it.
func (w *work) model(ctx context.Context, f *Fit) (methods.Model, map[string]float64, error) {
	method := w.run.plan.Methods[f.Method].Method
	problem := methods.Problem{X: w.first(max(1, f.Sizes.N)), Kernel: w.kernel, Sizes: f.Sizes, Population: w.population}
	rng := func() *rand.Rand {
		return methodStream(w.run.plan.Spec.Seed, w.group.Dataset, w.group.Repeat, f.Method)
	}
	if !w.run.plan.Timed {
		problem.Gram = func() *mat.SymDense { return w.gram().SliceSym(0, f.Sizes.N).(*mat.SymDense) }
		model, err := method.Fit(ctx, problem, rng())
		return model, nil, err
	}
	for range w.run.plan.Timing.Warmup {
		if _, err := method.Fit(ctx, problem, rng()); err != nil {
			return nil, nil, err
		}
	}
	clock := &stopwatch{seconds: map[string]float64{}}
	problem.Clock = clock
	begun := time.Now()
	model, err := method.Fit(ctx, problem, rng())
	clock.seconds["total"] = time.Since(begun).Seconds()
	return model, clock.seconds, err
}

// stopwatch adds up wall seconds by phase.
type stopwatch struct{ seconds map[string]float64 }

func (s *stopwatch) Phase(name string) func() {
	begun := time.Now()
	return func() { s.Add(name, time.Since(begun).Seconds()) }
}

func (s *stopwatch) Add(name string, seconds float64) { s.seconds[name] += seconds }

// recovered turns a panic into an error that names the place.
func recovered(err *error) {
	if v := recover(); v != nil {
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
