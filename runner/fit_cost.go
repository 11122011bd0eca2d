package runner

import (
	"context"
	"time"

	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
	"mercer/methods"
)

// fitCost is the measured cost of a fit; zero if nothing was measured.
type fitCost struct {
	phases map[string]float64 // wall seconds
	// entries are the kernel values that the fit reads, of these those that pick landmarks,
	// and its passes over the sample, by metric.
	entries   map[string]float64
	transform float64    // wall seconds of mapping the sample after it
	image     *mat.Dense // of the sample, mapped so
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

// measureCost fits a method and measures the time, after the warm-up fits.
func measureCost(problem methods.Sample, warmup int, fit func(methods.Sample) (methods.Model, error)) (methods.Model, fitCost, error) {
	problem.Clock = newStopwatch() // a program gets the same threads in all fits
	for range warmup {
		if err := released(fit(problem)); err != nil {
			return nil, fitCost{}, err
		}
	}
	clock := newStopwatch()
	problem.Clock = clock
	begun := time.Now()
	model, err := fit(problem)
	clock.seconds["total"] = (time.Since(begun) - clock.paused).Seconds()
	return model, fitCost{phases: clock.seconds}, err
}

// measureMap maps points and measures the time of that, after warm-up maps.
func measureMap(ctx context.Context, e *methods.Embedding, x *mat.Dense, warmup int) (image *mat.Dense, seconds float64, err error) {
	for i := 0; i <= warmup && err == nil; i++ {
		begun := time.Now()
		image, err = e.Map(ctx, x)
		seconds = time.Since(begun).Seconds()
	}
	return image, seconds, err
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
