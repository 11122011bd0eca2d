package runner

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"mercer/data"
	"mercer/internal/linalg"
	"mercer/internal/lists"
	"mercer/methods"
	"mercer/runner/plan"
)

// problem is what a fit works on.
func (w *groupState) problem(f *plan.Fit) methods.Sample {
	p := methods.Sample{Kernel: w.group.Kernel, Sizes: f.Sizes, Population: w.population}
	if f.Streams {
		p.Rows = w.rows
		return p
	}
	s := w.sample(f)
	p.X, p.Counts = s.x, s.counts
	if f.Method.Shape == methods.ShapeRegression {
		p.Responses = w.responsesOf(s)
	}
	if !w.plan.Timed && w.group.MaxGramN > 0 {
		p.Gram = func() *mat.SymDense { return s.gramOf(w.gram()) }
	}
	if rows, _ := s.x.Dims(); rows <= w.group.MaxSpectrumN && f.Method.Spectrum {
		p.Spectrum = w.spectrum.of(w.group.Kernel, s, f.Sizes.N)
	}
	return p
}

// responsesOf are what a regression predicts: responses of a known law, those that were
// measured, or else the classes; nil where there is none of them.
func (w *groupState) responsesOf(s sample) *mat.Dense {
	n, _ := s.x.Dims()
	measured, classes := w.responses.Sample, int(w.group.Dataset.Constants()["classes"])
	switch {
	case w.response != nil:
		return mat.NewDense(n, 1, w.response.Draw(s.x, s.counts, w.streams(w.group, w.repeat)))
	case measured != nil && s.rows != nil:
		return linalg.SelectRows(measured, s.rows)
	case measured != nil:
		return measured.Slice(0, n, 0, 1).(*mat.Dense)
	case s.labels != nil && classes > 1:
		return data.OneVsAll(s.labels, classes)
	}
	return nil
}

// rng is the stream of a fit's method, from its beginning.
func (w *groupState) rng(f *plan.Fit) *rand.Rand {
	return plan.MethodStream(w.plan.Spec.Seed, w.group.Dataset.ID, w.repeat, f.Method.ID)
}

// model fits the method, and measures what that costs where the plan asks for it.
func (w *groupState) model(ctx context.Context, f *plan.Fit) (model methods.Model, c fitCost, err error) {
	defer recovered(&err)
	fit := func(p methods.Sample) (methods.Model, error) { return f.Method.Estimator.Fit(ctx, p, w.rng(f)) }
	var entries map[string]float64
	if w.plan.Measures("kernel_entries") && !f.RunsProgram() {
		if entries, err = kernelEntries(w.problem(f), fit); err != nil {
			return nil, fitCost{}, err
		}
	}
	if w.plan.Timed {
		model, c, err = measureCost(w.problem(f), w.plan.Input.Timing.Warmup, fit)
	} else {
		model, err = fit(w.problem(f))
	}
	c.entries = entries
	if err == nil && slices.Contains(w.group.Taken(w.plan.Resolved, f), "transform") {
		if c.image, c.transform, err = measureMap(ctx, model.(*methods.Embedding), w.sample(f).x, w.plan.Input.Timing.Warmup); err != nil {
			err = errors.Join(err, methods.Release(model))
		}
	}
	return model, c, err
}

// eachModel is the pass of a streaming method over the sizes of tasks.
func (w *groupState) eachModel(ctx context.Context, tasks []*task, found func(n int, m methods.Model, err error) error) (err error) {
	defer recovered(&err)
	sizes := lists.Map(tasks, func(t *task) int { return t.fit.Sizes.N })
	f := tasks[len(tasks)-1].fit
	return f.Method.Estimator.(methods.Streaming).FitEach(ctx, w.problem(f), sizes, w.rng(f), found)
}
