package runner

import (
	"context"
	"fmt"
	"maps"
	"runtime"
	"slices"

	"mercer/internal/lists"
	"mercer/internal/metrics"
	"mercer/methods"
	"mercer/results"
	"mercer/runner/plan"
)

// score measures a model at every cell's ℓ and fills in the records. lifted is what was
// computed of it beside other models; nil where nothing was.
func (w *groupState) score(ctx context.Context, t *task, model methods.Model, c fitCost, lifted *metrics.Lifted) {
	if w.measuring > 0 {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(w.measuring))
	}
	values, notes, err := w.evaluate(ctx, t, model, lifted)
	if err == nil {
		t.points, err = w.points(ctx, t, model)
	}
	if err != nil {
		w.fail(ctx, t, err)
		return
	}
	for i := range t.records {
		r := &t.records[i]
		r.Status, r.Phases, r.Rounded = results.OK, c.phases, notes[i].Rounded
		r.Warnings = slices.Concat(model.Caveats(t.cells[i].Sizes.Ell), notes[i].Warnings)
		for _, metric := range slices.Sorted(maps.Keys(notes[i].Undefined)) {
			r.Warnings = append(r.Warnings, results.NotDefined(metric, notes[i].Undefined[metric]))
		}
		measured := map[string]results.Metric{}
		for name, v := range values[i] {
			measure, _ := metrics.Of(name)
			measured[name] = results.Metric{Value: v, Unit: measure.Unit}
		}
		r.Metrics = results.NewMetrics(measured)
		w.addCosts(r, t.cells[i], model, c)
		_, heldOut := w.draw.HeldOut()
		r.Warnings = slices.Concat(r.Warnings, metrics.Absent(w.plan.Taken(r.Dataset, r.Method), values[i], heldOut != nil))
		if err := r.Validate(); err != nil { // else the whole batch would be refused
			r.Metrics, r.Phases, r.Rounded = results.Metrics{}, nil, nil
			setStatus(t.records[i:i+1], results.Failed, err)
		}
	}
}

func (w *groupState) evaluate(ctx context.Context, t *task, model methods.Model, lifted *metrics.Lifted) (values []map[string]float64, notes []metrics.Notes, err error) {
	defer recovered(&err)
	ells := lists.Map(t.cells, func(c plan.Cell) int { return c.Sizes.Ell })
	reference := w.reference(t.fit)
	reference.Lifted = lifted
	return metrics.Evaluate(ctx, reference, model, ells, w.plan.Taken(w.group.Dataset, t.fit.Method))
}

// addCosts adds to a cell's record the costs that the spec asks for. The flops
// are those of the cell's own sizes, whatever other cells its fit serves.
func (w *groupState) addCosts(r *results.Record, c plan.Cell, model methods.Model, took fitCost) {
	p := w.plan
	add := func(metric, measure string, value float64) {
		r.Metrics.Set(metric, results.Metric{Value: value, Unit: metrics.Registry[measure].Unit})
	}
	if p.Measures("time") {
		for phase, seconds := range took.phases {
			add(results.TimePrefix+phase, "time", seconds)
		}
	}
	if p.Measures("memory") {
		if took.memory < heapResolution {
			r.Warnings = slices.Concat(r.Warnings, []string{fmt.Sprintf("the fit's memory is below what can be measured, %d KiB", heapResolution>>10)})
		} else {
			add(results.Memory, "memory", took.memory)
		}
	}
	for metric, count := range took.entries {
		add(metric, "kernel_entries", count)
	}
	if p.Measures("flops") {
		add("flops", "flops", p.Cost(r.Dataset, r.Method, nil, c.Sizes).Flops)
	}
	if p.Measures("fit_memory") {
		if numbers, known := p.WorkingSet(r.Dataset, r.Method, model, c.Sizes); known {
			add("fit_memory", "fit_memory", 8*float64(numbers))
		}
	}
}
