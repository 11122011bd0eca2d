package methods_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
	"mercer/methods"
)

// constant are samples of one point, taken many times, under kernels whose value
// there is a round number and under others: rounding must not pass for variance.
func (s Subject) constant() []sample {
	var all []sample
	for i, at := range []float64{0, 0.3, 1. / 3, 0.9} {
		x := mat.NewDense(40, 1, slices.Repeat([]float64{at}, 40))
		all = append(all, sample{fmt.Sprintf("40 times the point %.2g", at), x, s.kernelOr(kernel.NewGaussian(1)), sizes(40, 10, 1), ordinary})
		if s.Kernel == nil && i > 0 {
			polynomial := kernel.Polynomial{Degree: 3, Gamma: 0.7, Offset: at}
			all = append(all, sample{fmt.Sprintf("40 times the point %.2g, polynomial kernel", at), x, polynomial, sizes(40, 10, 1), ordinary})
		}
	}
	return all
}

// constantComponent wants a clear error from a centred estimate, whose covariance is
// 0, and the one component k(·,x) from an uncentred one. With random features
// k is ‖Φ(x)‖²; an estimate of one pass comes near it from below.
func constantComponent(s Subject, c sample, model methods.Model, err error) error {
	switch equal := err != nil && strings.Contains(err.Error(), "landmarks are all equal"); {
	case equal:
		return nil
	case s.Center != "none" && err == nil:
		f := open(model)
		return fmt.Errorf("%d components of values %.3g, want an error", len(f.Values), f.Values)
	case s.Center != "none":
		return looksTheSame(err)
	case err != nil:
		return err
	}
	f := open(model)
	want := c.kernel.At(c.x.RawRowView(0), c.x.RawRowView(0))
	if f.features != nil {
		basis := mat.NewVecDense(f.features.Dim(), f.basisAt(c.x, 0))
		want = mat.Dot(basis, basis)
	}
	if got := f.Values[0]; !(math.Abs(got-want) <= 1e-12*want || s.Streamed && got > 0 && got < want) {
		return fmt.Errorf("value %.15g, want %.15g", got, want)
	}
	return nil
}

// checkRankCut asks for more components than the sample has different points.
func checkRankCut(s Subject) error {
	x := mat.NewDense(30, 1, nil)
	for i := range 30 {
		x.Set(i, 0, []float64{0.1, 0.35, 0.8}[i%3])
	}
	c := sample{"three points, ten times each", x, s.kernelOr(kernel.NewGaussian(8)), sizes(30, 20, 6), ordinary}
	model, err := s.fit(c, 1)
	if err != nil {
		return err
	}
	f := open(model)
	if s.Streamed {
		return errors.Join(orthonormal(s, c, f), centre(s, c, f))
	}
	most := 3
	if s.Center != "none" {
		most = 2
	}
	if len(f.Values) != most {
		return fmt.Errorf("%d components of values %.3g, want %d", len(f.Values), f.Values, most)
	}
	want := fmt.Sprintf("numerical rank %d is below ell = 6", most)
	if !slices.ContainsFunc(model.Caveats(6), func(w string) bool { return strings.Contains(w, want) }) {
		return fmt.Errorf("the warnings %q do not say %q", model.Caveats(6), want)
	}
	return errors.Join(orthonormal(s, c, f), uncorrelated(s, c, f), centre(s, c, f))
}

func checkNaN(s Subject) error {
	c := s.samples()[0]
	c.x = mat.DenseCopyOf(c.x)
	c.x.Set(3, 0, math.NaN())
	model, err := s.attempt(context.Background(), s.problem(c), 1)
	if e, ok := model.(*methods.Embedding); ok && err == nil {
		return staysNaN(e, c)
	}
	if err == nil || errors.As(err, &panicked{}) {
		return fmt.Errorf("a NaN in the sample gives %v, want an error", err)
	}
	return nil
}

// recorder notes phases, and calls a function at the start of the first.
type recorder struct {
	mu      sync.Mutex
	started []string
	open    int
	first   func()
}

func (r *recorder) Phase(name string) func() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.first != nil && len(r.started) == 0 {
		r.first()
	}
	r.started = append(r.started, name)
	r.open++
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.open--
	}
}

func (r *recorder) Add(name string, _ float64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.started = append(r.started, name)
}

func (r *recorder) Pause() func() { return func() {} }

var phases = []string{"landmarks", "gram", "factor", "sketch", "embed", "solve", "lloyd", "exec"}

func checkPhases(s Subject) error {
	c := s.samples()[0]
	clock := &recorder{}
	p := s.problem(c)
	p.Clock = clock
	if _, err := s.attempt(context.Background(), p, 1); err != nil {
		return err
	}
	for _, name := range clock.started {
		if !slices.Contains(phases, name) {
			return fmt.Errorf("phase %q is none of %s", name, strings.Join(phases, ", "))
		}
	}
	last := map[kind]string{components: "solve", clusters: "lloyd"}[s.kind()]
	switch {
	case clock.open != 0:
		return fmt.Errorf("%d of the phases %q never end", clock.open, clock.started)
	case s.Population == nil && last != "" && !slices.Contains(clock.started, last):
		return fmt.Errorf("no phase %s among %q", last, clock.started)
	}
	return nil
}

// checkCancelled ends the context before the fit, and at its first phase.
func checkCancelled(s Subject) error {
	c := s.samples()[1]
	early, cancel := context.WithCancel(context.Background())
	cancel()
	p := s.problem(c)
	unused := &recorder{}
	p.Clock = unused
	if _, err := s.attempt(early, p, 1); !errors.Is(err, context.Canceled) {
		return fmt.Errorf("cancelled before the fit: error %v, want %v", err, context.Canceled)
	}
	if len(unused.started) > 0 {
		return fmt.Errorf("cancelled before the fit, which still does %q", unused.started)
	}
	if s.Population != nil {
		return nil
	}
	within, cancel := context.WithCancel(context.Background())
	defer cancel()
	p.Clock = &recorder{first: cancel}
	if _, err := s.attempt(within, p, 1); !errors.Is(err, context.Canceled) {
		return fmt.Errorf("cancelled at the first phase: error %v, want %v", err, context.Canceled)
	}
	return nil
}

// checkFeatures averages ⟨Φ(x),Φ(y)⟩ over 200 streams: within 6 standard errors
// of k(x,y), estimated from the streams. For 15 pairs of points the false-alarm
// rate is below 1e-6 (200 bounded means of 30 features each are normal enough),
// and seeds are fixed. A factor 2 in the variance is off by k, some hundred
// standard errors.
func checkFeatures(s Subject) error {
	if s.Shape != methods.ShapeFeatures {
		return nil
	}
	const streams = 200
	c := s.samples()[0]
	c.sizes = sizes(60, 30, 1)
	pairs := map[[2]int][]float64{}
	for seed := range uint64(streams) {
		model, err := s.fit(c, 1000+seed)
		if err != nil {
			return err
		}
		f := open(model)
		for i := range 5 {
			at := mat.NewVecDense(f.features.Dim(), f.basisAt(c.x, i))
			for j := range i + 1 {
				to := mat.NewVecDense(f.features.Dim(), f.basisAt(c.x, j))
				pairs[[2]int{i, j}] = append(pairs[[2]int{i, j}], mat.Dot(at, to))
			}
		}
	}
	for pair, products := range pairs {
		want := c.kernel.At(c.x.RawRowView(pair[0]), c.x.RawRowView(pair[1]))
		mean, square := 0.0, 0.0
		for _, v := range products {
			mean += v / streams
		}
		for _, v := range products {
			square += (v - mean) * (v - mean) / (streams - 1)
		}
		if bound := 6*math.Sqrt(square/streams) + 1e-12; !(math.Abs(mean-want) <= bound) {
			return fmt.Errorf("⟨Φ(x_%d),Φ(x_%d)⟩ averages to %.4g, k is %.4g, bound %.2g", pair[0], pair[1], mean, want, bound)
		}
	}
	return nil
}
