package methods_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
	"mercer/methods"
)

// sample is a point set with a kernel and sizes.
type sample struct {
	name   string
	x      *mat.Dense
	kernel kernel.Kernel
	sizes  methods.Sizes
	// tolerance of identities, relative to ‖φ̂‖ = 1 or to λ̂_1: rounding ε = 2e-16
	// of kernel values comes back multiplied by κ/λ̂_ℓ, about 1e4 at most where
	// nothing else is said.
	tolerance float64
}

const ordinary = 1e-10

func stream(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15)) }

// uniform draws n points of [0,1]^dim.
func uniform(seed uint64, n, dim int) *mat.Dense {
	rng, x := stream(seed), mat.NewDense(n, dim, nil)
	x.Apply(func(int, int, float64) float64 { return rng.Float64() }, x)
	return x
}

// twice repeats each point of x.
func twice(x *mat.Dense) *mat.Dense {
	n, d := x.Dims()
	doubled := mat.NewDense(2*n, d, nil)
	for i := range 2 * n {
		doubled.SetRow(i, x.RawRowView(i/2))
	}
	return doubled
}

// samples are the point sets of a subject. Those of more than one dimension and
// those that vary the bandwidth are left out for a method bound to a kernel.
func (s Subject) samples() []sample {
	gaussian := s.kernelOr(kernel.NewGaussian(12.5)) // σ = 0.2
	all := []sample{
		{"points of the unit interval", uniform(1, 60, 1), gaussian, sizes(60, 20, 4), ordinary},
		{"more rows than a block, more columns than a dense solve", uniform(2, 530, 1), gaussian, sizes(530, 205, 3), ordinary},
		{"two points", uniform(3, 2, 1), gaussian, sizes(2, 2, 1), ordinary},
		{"each point twice", twice(uniform(4, 30, 1)), gaussian, sizes(60, 45, 4), ordinary},
		{"two landmarks or features", uniform(5, 40, 1), gaussian, sizes(40, 2, 1), ordinary},
	}
	if s.Cubic {
		all = slices.Delete(all, 1, 2)
	}
	if s.Kernel != nil {
		return all
	}
	return append(all,
		sample{"64 dimensions", uniform(11, 60, 64), kernel.NewGaussian(1. / 10), sizes(60, 20, 4), ordinary},
		sample{"three dimensions", uniform(6, 80, 3), kernel.NewGaussian(2), sizes(80, 30, 6), ordinary},
		sample{"784 dimensions", uniform(7, 50, 784), kernel.NewGaussian(1. / 130), sizes(50, 25, 6), ordinary},
		sample{"a kernel with a kink", uniform(8, 60, 2), s.kinked(), sizes(60, 20, 5), ordinary},
		// K is the identity: all points are orthogonal.
		sample{"tiny bandwidth", uniform(9, 30, 3), kernel.NewGaussian(1e9), sizes(30, 12, 4), ordinary},
		// K is 1 but for 1e-6: κ/λ̂_2 is 1e7.
		sample{"huge bandwidth", uniform(10, 40, 2), kernel.NewGaussian(1e-6), sizes(40, 20, 2), 1e-6},
	)
}

// kinked is a kernel without a derivative at 0.
func (s Subject) kinked() kernel.Kernel {
	if s.Isotropic {
		return kernel.Matern{Half: 1, Sigma: 1}
	}
	return kernel.Laplace{Sigma: 1}
}

// sizes are those of a sample, with up to three dimensions and two clusters for
// methods that use them.
func sizes(n, m, ell int) methods.Sizes {
	return methods.Sizes{N: n, M: m, D: max(1, min(3, m-1)), Ell: ell, K: 2}
}

func (s Subject) problem(c sample) methods.Sample {
	if s.D > 0 {
		c.sizes.D = s.D
	}
	return methods.Sample{X: c.x, Kernel: c.kernel, Sizes: c.sizes, Population: s.Population, Responses: column(responses(c.x))}
}

// responses are a function of the points: equal points have equal ones.
func responses(x *mat.Dense) []float64 {
	n, _ := x.Dims()
	y := make([]float64, n)
	for i := range y {
		y[i] = math.Sin(7*x.At(i, 0)) + 2*floats.Sum(x.RawRowView(i))
	}
	return y
}

// check is the method's own of a sample.
func (s Subject) check(c sample) error {
	return s.Method.Check(c.kernel, s.problem(c).Sizes)
}

// fit runs the method on a sample that it must be able to do.
func (s Subject) fit(c sample, seed uint64) (methods.Model, error) {
	if err := s.check(c); err != nil {
		return nil, fmt.Errorf("%s: refused: %w", c.name, err)
	}
	model, err := s.attempt(context.Background(), s.problem(c), seed)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.name, err)
	}
	return model, nil
}

// model is the fit of seed 1, made once for all checks that only look at it.
func (s Subject) model(c sample) (methods.Model, error) {
	if model, made := s.kept[c.name]; made {
		return model, nil
	}
	model, err := s.fit(c, 1)
	if err == nil {
		s.kept[c.name] = model
	}
	return model, err
}

// attempt turns a panic of the fit into an error that says so.
func (s Subject) attempt(ctx context.Context, p methods.Sample, seed uint64) (model methods.Model, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = panicked{v}
		}
	}()
	return s.Method.Fit(ctx, p, stream(seed))
}

type panicked struct{ value any }

func (p panicked) Error() string { return fmt.Sprintf("panic: %v", p.value) }

// onEachSample holds the method to a promise on every sample.
func onEachSample(promise func(Subject, sample) error) func(Subject) error {
	return func(s Subject) error {
		var broken []error
		for _, c := range s.samples() {
			if err := promise(s, c); err != nil {
				broken = append(broken, fmt.Errorf("%s: %w", c.name, err))
			}
		}
		return errors.Join(broken...)
	}
}

// onEachModel fits every sample and holds the model to an identity.
func onEachModel[M methods.Model](identity func(Subject, sample, M) error) func(Subject) error {
	return onEachSample(func(s Subject, c sample) error {
		model, err := s.model(c)
		if err != nil {
			return err
		}
		m, ok := model.(M)
		if !ok {
			return fmt.Errorf("a model of type %T", model)
		}
		return identity(s, c, m)
	})
}

// onEachCase is the same for components.
func onEachCase(identity func(Subject, sample, takenApart) error) func(Subject) error {
	return onEachModel(func(s Subject, c sample, model methods.Model) error { return identity(s, c, open(model)) })
}

// onConstant holds what becomes of constant data to a promise, where the method takes the kernel.
func onConstant(promise func(s Subject, c sample, model methods.Model, err error) error) func(Subject) error {
	return func(s Subject) error {
		var broken []error
		for _, c := range s.constant() {
			if s.check(c) != nil {
				continue // no such kernel for this method
			}
			model, err := s.attempt(context.Background(), s.problem(c), 1)
			if errors.As(err, &panicked{}) {
				return fmt.Errorf("%s: %w", c.name, err)
			}
			if err := promise(s, c, model, err); err != nil {
				broken = append(broken, fmt.Errorf("%s: %w", c.name, err))
			}
		}
		return errors.Join(broken...)
	}
}

// looksTheSame passes an error that says that nothing is left of constant data.
func looksTheSame(err error) error {
	if strings.Contains(err.Error(), "all points look the same") {
		return nil
	}
	return fmt.Errorf("the error does not say that the points are all the same: %w", err)
}

// sameBits fits what must give the model of a sample, bit for bit.
func (s Subject) sameBits(c sample, p methods.Sample) error {
	own, err := s.model(c)
	if err != nil {
		return err
	}
	model, err := s.attempt(context.Background(), p, 1)
	if err == nil && !slices.Equal(bits(model, c.x), bits(own, c.x)) {
		err = errors.New("the models of two fits differ")
	}
	return err
}
