package runner

import (
	"context"
	"runtime"
	"runtime/debug"
	heap "runtime/metrics"
	"time"

	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
	"mercer/methods"
)

// fitCost is the measured cost of a fit; zero if nothing was measured.
type fitCost struct {
	phases map[string]float64 // wall seconds
	memory float64            // bytes, peak growth of the heap
	// entries are the kernel values that the fit reads, of these those that pick landmarks,
	// and its passes over the sample, by metric.
	entries map[string]float64
}

// kernelEntries counts the kernel values of one fit, and the points that it reads.
func kernelEntries(problem methods.Sample, fit func(methods.Sample) (methods.Model, error)) (map[string]float64, error) {
	k, counter := kernel.Count(problem.Kernel)
	clock := entryClock{counter, map[string]float64{}}
	problem.Kernel, problem.Clock = k, clock
	n := problem.Sizes.N
	if problem.X != nil {
		n, _ = problem.X.Dims()
	}
	if gram := problem.Gram; gram != nil {
		problem.Gram = func() *mat.SymDense {
			counter.Read(n, n)
			return gram()
		}
	}
	if spectrum := problem.Spectrum; spectrum != nil {
		problem.Spectrum = func(ctx context.Context) ([]float64, *mat.Dense, error) {
			counter.Read(n, n)
			return spectrum(ctx)
		}
	}
	_, err := fit(problem)
	entries := map[string]float64{"kernel_entries": float64(counter.Values()), "kernel_passes": float64(counter.Points()) / float64(n)}
	if picking, ok := clock.entries["landmarks"]; ok {
		entries["kernel_entries_landmarks"] = picking
	}
	return entries, err
}

// entryClock adds up kernel values by phase, in place of seconds.
type entryClock struct {
	counter *kernel.Counting
	entries map[string]float64
}

func (c entryClock) Phase(name string) func() {
	before := c.counter.Values()
	return func() { c.entries[name] += float64(c.counter.Values() - before) }
}

func (c entryClock) Add(string, float64) {}

func (c entryClock) Pause() func() { return func() {} }

// measureCost fits a method and measures time and, on request, memory: it makes the
// warm-up fits, one fit for memory and one for time, so that neither measurement
// disturbs the other.
func measureCost(problem methods.Sample, warmup int, memory bool, fit func(methods.Sample) (methods.Model, error)) (methods.Model, fitCost, error) {
	problem.Clock = newStopwatch() // a program gets the same threads in all fits
	for range warmup {
		if err := released(fit(problem)); err != nil {
			return nil, fitCost{}, err
		}
	}
	var t fitCost
	if memory {
		var model methods.Model
		var err error
		t.memory, err = peakGrowth(func() (_ any, err error) { model, err = fit(problem); return model, err })
		if err = released(model, err); err != nil {
			return nil, fitCost{}, err
		}
	}
	clock := newStopwatch()
	problem.Clock = clock
	begun := time.Now()
	model, err := fit(problem)
	clock.seconds["total"] = (time.Since(begun) - clock.paused).Seconds()
	t.phases = clock.seconds
	return model, t, err
}

// released lets go of a model that is not measured.
func released(m methods.Model, err error) error {
	if err != nil {
		return err
	}
	return methods.Release(m)
}

// stopwatch adds up wall seconds by phase.
type stopwatch struct {
	seconds map[string]float64
	paused  time.Duration
}

func newStopwatch() *stopwatch { return &stopwatch{seconds: map[string]float64{}} }

func (s *stopwatch) Pause() func() {
	begun := time.Now()
	return func() { s.paused += time.Since(begun) }
}

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
