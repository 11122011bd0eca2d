package runner

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime"
	"slices"

	"gonum.org/v1/gonum/mat"

	"mercer/internal/lists"
	"mercer/internal/metrics"
	"mercer/methods"
	"mercer/results"
	"mercer/runner/plan"
)

// reference is what the model of a fit is measured against.
func (w *groupState) reference(f *plan.Fit) metrics.Truth {
	rows := func() *rand.Rand { return rand.New(w.computation.streams(w.group, w.repeat)("rows that are measured")) }
	t := metrics.Truth{Population: w.population, Kernel: w.group.Kernel, Response: w.response, HeldOutKernel: w.kernelMatrix, Rows: rows}
	if f.Streams {
		if t.Labels = w.rowLabels; t.Labels != nil {
			t.Labels = t.Labels[:min(max(1, f.Sizes.N), len(t.Labels))]
		}
	} else {
		s := w.sample(f)
		t.X, t.Labels, t.Counts = s.x, s.labels, s.counts
		if own := len(w.plan.Spec.Measure.Own) > 0; own && (w.response != nil || w.responses.Sample != nil) {
			t.SampleResponses = w.responsesOf(s)
		}
		if w.norms[f.Sizes.N] == nil {
			w.norms[f.Sizes.N] = metrics.SampleNorms{}
		}
		t.SampleNorms = w.norms[f.Sizes.N]
	}
	t.HeldOut, t.HeldOutLabels = w.draws.HeldOut()
	t.Responses, t.Unit = w.responses.HeldOut, w.responses.Unit
	if counted := w.draws.Counted(); counted != nil {
		t.Masses = counted.Masses
	}
	return t
}

// measure scores a model and lets go of what it holds.
func (w *groupState) measure(ctx context.Context, t *task, model methods.Model, took fitCost) {
	w.score(ctx, t, model, took)
	if err := methods.Release(model); err != nil {
		w.fail(ctx, t, err)
	}
}

// score measures a model at the ℓ of every cell and fills in the rows.
func (w *groupState) score(ctx context.Context, t *task, model methods.Model, c fitCost) {
	if w.measuring > 0 {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(w.measuring))
	}
	values, notes, err := w.evaluate(ctx, t, model, c.image)
	if err == nil {
		t.points, err = w.points(ctx, t, model)
	}
	if err != nil {
		w.fail(ctx, t, err)
		return
	}
	for i := range t.rows {
		r := &t.rows[i]
		r.Status, r.Rounded = results.OK, notes[i].Rounded
		r.Warnings = slices.Concat(model.Caveats(t.cells[i].Sizes.Ell), notes[i].Warnings)
		for _, metric := range slices.Sorted(maps.Keys(notes[i].Undefined)) {
			r.Warnings = append(r.Warnings, results.NotDefined(metric, notes[i].Undefined[metric]))
		}
		r.Metrics, r.Series = values[i], notes[i].Series
		w.addCosts(r, t.fit, t.cells[i], model, c)
		_, heldOut := w.draws.HeldOut()
		r.Warnings = slices.Concat(r.Warnings, metrics.Absent(w.group.Taken(w.plan.Resolved, t.fit), values[i], heldOut != nil))
		if err := r.Validate(); err != nil { // else the whole batch would be refused
			(&task{rows: t.rows[i : i+1]}).set(results.Failed, err)
		}
	}
}

// evaluate measures a model, of which the image of the sample may be known already.
func (w *groupState) evaluate(ctx context.Context, t *task, model methods.Model, image *mat.Dense) (values []map[string]float64, notes []metrics.Notes, err error) {
	defer recovered(&err)
	ells := lists.Map(t.cells, func(c *plan.Cell) int { return c.Sizes.Ell })
	truth := w.reference(t.fit)
	truth.Image = image
	if values, notes, err = metrics.Evaluate(ctx, truth, model, ells, w.group.Taken(w.plan.Resolved, t.fit)); err != nil {
		return nil, nil, err
	}
	for _, c := range w.plan.Spec.Measure.Own {
		for i, cell := range t.cells {
			own, caveats, err := w.plan.Own[c.ID].Evaluate(ctx, truth, model, cell.Sizes.Only(t.fit.Method.Uses...))
			if err != nil {
				return nil, nil, fmt.Errorf("%s: %w", c, err)
			}
			maps.Copy(values[i], own)
			notes[i].Warnings = append(notes[i].Warnings, caveats...)
		}
	}
	return values, notes, nil
}

// addCosts adds to a cell's row the costs that the spec asks for. The flops are those of the
// cell's own sizes, whatever other cells its fit serves.
func (w *groupState) addCosts(r *results.Row, f *plan.Fit, c *plan.Cell, model methods.Model, took fitCost) {
	p := w.plan
	if p.Measures("time") {
		for phase, seconds := range took.phases {
			r.Metrics.Set(results.TimePrefix+phase, seconds)
		}
	}
	if took.transform > 0 {
		r.Metrics.Set("time_transform", took.transform)
	}
	for metric, count := range took.entries {
		r.Metrics.Set(metric, count)
	}
	if p.Measures("flops") {
		r.Metrics.Set("flops", w.group.Cost(f, c.Sizes).Flops)
	}
	if p.Measures("fit_memory") {
		if numbers, known := w.group.WorkingSet(f, model, c.Sizes); known {
			r.Metrics.Set("fit_memory", 8*float64(numbers))
		}
	}
}
