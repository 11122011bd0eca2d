package runner

import (
	"fmt"
	"runtime"
	"runtime/debug"
	heap "runtime/metrics"
	"slices"
	"time"

	"mercer/internal/metrics"
	"mercer/methods"
	"mercer/results"
)

// taken is what a fit took; the zero value where nothing was measured.
type taken struct {
	phases map[string]float64 // wall seconds
	memory float64            // bytes, peak growth of the heap
}

// costly fits a method as the plan's timing says: warm-up fits, the one that
// counts, and where memory is measured one more, so that neither measurement is
// in the other's way.
func (p *Plan) costly(problem methods.Problem, fit func(methods.Problem) (methods.Model, error)) (methods.Model, taken, error) {
	for range p.Timing.Warmup {
		if _, err := fit(problem); err != nil {
			return nil, taken{}, err
		}
	}
	var t taken
	if p.measures("memory") {
		var err error
		t.memory, err = peakGrowth(func() (any, error) { return fit(problem) })
		if err != nil {
			return nil, taken{}, err
		}
	}
	clock := &stopwatch{seconds: map[string]float64{}}
	problem.Clock = clock
	begun := time.Now()
	model, err := fit(problem)
	clock.seconds["total"] = time.Since(begun).Seconds()
	t.phases = clock.seconds
	return model, t, err
}

// addCosts adds to a cell's record the costs that the spec asks for. The flops
// are those of the cell's own sizes, whatever other cells its fit serves.
func (w *work) addCosts(r *results.Record, c Cell, model methods.Model, took taken) {
	plan := w.plan
	add := func(metric, measure string, value float64) {
		r.Metrics.Set(metric, results.Metric{Value: value, Unit: metrics.Registry[measure].Unit})
	}
	if plan.measures("time") {
		for phase, seconds := range took.phases {
			add(results.TimePrefix+phase, "time", seconds)
		}
	}
	if plan.measures("memory") {
		if took.memory < heapResolution {
			r.Warnings = slices.Concat(r.Warnings, []string{fmt.Sprintf("the fit's memory is below what can be measured, %d KiB", heapResolution>>10)})
		} else {
			add(results.Memory, "memory", took.memory)
		}
	}
	if plan.measures("flops") {
		fit := plan.Methods[r.Method].Method.Cost(nil, c.Sizes, plan.Datasets[r.Dataset].Constants()["D"])
		add("flops", "flops", fit.Flops)
	}
	if plan.measures("fit_memory") {
		if numbers, known := methods.WorkingSet(plan.Methods[r.Method].Method, model, c.Sizes); known {
			add("fit_memory", "fit_memory", 8*float64(numbers))
		}
	}
}

// unitOf is the unit of a metric that package metrics computes.
func unitOf(metric string) string { return metrics.Registry[measureOf(metric)].Unit }

// stopwatch adds up wall seconds by phase.
type stopwatch struct{ seconds map[string]float64 }

func (s *stopwatch) Phase(name string) func() {
	begun := time.Now()
	return func() { s.Add(name, time.Since(begun).Seconds()) }
}

func (s *stopwatch) Add(name string, seconds float64) { s.seconds[name] += seconds }

const (
	// heapObjects is the heap in use: live objects, and dead ones that the
	// collector has not freed yet.
	heapObjects = "/memory/classes/heap/objects:bytes"
	// sampleEvery is how often the heap is looked at.
	sampleEvery = time.Millisecond
	// garbage is the percentage by which dead objects may add to live ones before
	// the collector frees them, while memory is measured.
	garbage = 10
	// heapResolution is what the heap in use may hide, in bytes: objects of up to
	// 32 KiB are counted by spans that hold several, once these are full. Of objects
	// of one size up to 48 KiB are found missing.
	heapResolution = 64 << 10
)

// peakGrowth is by how many bytes the heap grows during f, at its peak: the most
// of what a look every millisecond and one at the end find, what f returns still
// held. Dead objects make it up to 10 % too large, and what lives for less than a
// look apart may be missed: memory is freed by the collector alone, which gives
// way to the look even on one processor. Memory outside Go's heap, such as a BLAS
// library's, is not seen.
func peakGrowth(f func() (any, error)) (bytes float64, err error) {
	defer debug.SetGCPercent(debug.SetGCPercent(garbage))
	runtime.GC()
	runtime.GC() // what earlier work has left in pools outlives one collection, and would be freed during f
	before := heapInUse()
	done, peak := make(chan struct{}), make(chan float64, 1)
	go func() {
		ticker := time.NewTicker(sampleEvery)
		defer ticker.Stop()
		most := 0.0
		for {
			select {
			case <-ticker.C:
				most = max(most, heapInUse())
			case <-done:
				peak <- most
				return
			}
		}
	}()
	var result any
	func() {
		defer close(done) // after a panic too
		result, err = f()
	}()
	most := max(<-peak, heapInUse())
	runtime.KeepAlive(result)
	return max(most-before, 0), err
}

func heapInUse() float64 {
	sample := []heap.Sample{{Name: heapObjects}}
	heap.Read(sample)
	return float64(sample[0].Value.Uint64())
}
