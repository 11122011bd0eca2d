package runner

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"

	"gonum.org/v1/gonum/mat"

	"mercer/data"
	"mercer/internal/kernel"
	"mercer/internal/lists"
	"mercer/internal/metrics"
	"mercer/methods"
	"mercer/results"
	"mercer/runner/plan"
)

// groupState is what the fits of one group share.
type groupState struct {
	*computation
	group        *plan.Group
	kernel       kernel.Kernel
	x            *mat.Dense // the group's largest sample, or the atoms of samples of counts
	labels       []int      // its classes, nil for none
	counted      map[int]sample
	rows         data.Rows // the largest sample that a method streams, nil for none
	rowLabels    []int
	draw         data.Draw
	population   data.Population
	response     *data.Response       // nil where points have none
	gram         func() *mat.SymDense // of the group's largest n that needs one
	spectrum     sharedSpectrum
	pairs        sharedPairs
	kernelMatrix *metrics.HeldOutKernel // of the held-out points
	norms        sync.Map               // by n, *metrics.SampleNorms of the samples
}

// first is the sample of size n; methods that use no sample may ask for more
// than there is.
func (w *groupState) first(n int) *mat.Dense {
	rows, d := w.x.Dims()
	return w.x.Slice(0, min(n, rows), 0, d).(*mat.Dense)
}

// reference is what the model of a fit is measured against.
func (w *groupState) reference(f *plan.Fit) metrics.Truth {
	streams := plan.RepeatStreams(w.plan.Spec.Seed, w.group.Dataset, w.group.Repeat)
	rows := func() *rand.Rand { return rand.New(streams("rows that are measured")) }
	t := metrics.Truth{Population: w.population, Kernel: w.kernel, Response: w.response, Rows: rows}
	if f.Streams {
		if t.Labels = w.rowLabels; t.Labels != nil {
			t.Labels = t.Labels[:min(max(1, f.Sizes.N), len(t.Labels))]
		}
	} else {
		s := w.sample(f)
		t.X, t.Labels, t.Counts = s.x, s.labels, s.counts
		norms, _ := w.norms.LoadOrStore(f.Sizes.N, new(metrics.SampleNorms))
		t.SampleNorms = norms.(*metrics.SampleNorms)
	}
	t.HeldOut, t.HeldOutLabels = w.draw.HeldOut()
	if counted := w.draw.Counted(); counted != nil {
		t.Masses = counted.Masses
	}
	t.HeldOutKernel = w.kernelMatrix
	return t
}

// fail fills in the records of a task that an error ended.
func (w *groupState) fail(ctx context.Context, t *task, err error) {
	status := results.Failed
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) && errors.Is(context.Cause(ctx), context.DeadlineExceeded) {
		status = results.Timeout
		if ctx.Err() != nil { // the cell's time limit, not one of the method's own
			err = fmt.Errorf("not finished within %v", w.limit)
		}
	}
	setStatus(t.records, status, err)
}

// problem is what a fit works on.
func (w *groupState) problem(f *plan.Fit) methods.Problem {
	p := methods.Problem{Kernel: w.kernel, Sizes: f.Sizes, Population: w.population}
	if f.Streams {
		p.Rows = w.rows
		return p
	}
	s := w.sample(f)
	p.X, p.Counts = s.x, s.counts
	if w.response != nil && w.plan.Methods[f.Method].Shape == methods.ShapeRegression {
		p.Responses = w.response.Draw(s.x, s.counts, plan.RepeatStreams(w.plan.Spec.Seed, w.group.Dataset, w.group.Repeat))
	}
	if !w.plan.Timed && w.group.MaxGramN > 0 {
		p.Gram = func() *mat.SymDense { return s.gramOf(w.gram()) }
		p.Pairs = w.pairs.of(f.Sizes.N)
	}
	if rows, _ := s.x.Dims(); rows <= w.group.MaxSpectrumN && w.plan.Methods[f.Method].Spectrum {
		p.Spectrum = w.spectrum.of(w.kernel, s, f.Sizes.N)
	}
	return p
}

// rng is the stream of a fit's method, from its beginning.
func (w *groupState) rng(f *plan.Fit) *rand.Rand {
	return plan.MethodStream(w.plan.Spec.Seed, w.group.Dataset, w.group.Repeat, f.Method)
}

// model fits the method, and measures what that costs where the plan asks for it.
func (w *groupState) model(ctx context.Context, f *plan.Fit) (model methods.Model, c fitCost, err error) {
	defer recovered(&err)
	method := w.plan.Methods[f.Method].Method
	fit := func(p methods.Problem) (methods.Model, error) { return method.Fit(ctx, p, w.rng(f)) }
	var entries map[string]float64
	if _, program := method.(methods.Opener); w.plan.Measures("kernel_entries") && !program {
		if entries, err = kernelEntries(w.problem(f), fit); err != nil {
			return nil, fitCost{}, err
		}
	}
	if w.plan.Timed {
		model, c, err = measureCost(w.problem(f), w.plan.Timing.Warmup, w.plan.Measures("memory"), fit)
	} else {
		model, err = fit(w.problem(f))
	}
	c.entries = entries
	return model, c, err
}

// eachModel is the pass of a streaming method over the sizes of tasks.
func (w *groupState) eachModel(ctx context.Context, tasks []*task, found func(n int, m methods.Model, err error) error) (err error) {
	defer recovered(&err)
	sizes := lists.Map(tasks, func(t *task) int { return t.fit.Sizes.N })
	f := tasks[len(tasks)-1].fit
	method := w.plan.Methods[f.Method].Method.(methods.Streaming)
	return method.FitEach(ctx, w.problem(f), sizes, w.rng(f), found)
}
