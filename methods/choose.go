package methods

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"mercer/internal/cost"
	"mercer/internal/kernel"
	"mercer/internal/linalg"
	"mercer/methods/landmark"
)

// ChooseOptions pick the ridge and the bandwidth of a regression within its sample: those of the
// least mean squared error at points that the fit does not see, as scikit-learn's GridSearchCV
// does.
type ChooseOptions struct {
	Ridge          []float64 `yaml:"ridge" required:"true" above:"0" minlen:"1" doc:"values of ridge to choose from, in place of that key of the method"`
	BandwidthTimes []float64 `yaml:"bandwidth_times" above:"0" minlen:"1" doc:"multiples t of the kernel's bandwidth to choose from: k(x/t,y/t) of a stationary kernel k; default 1 alone"`
	By             string    `yaml:"by" enum:"cv-5,held-out" doc:"cv-5 (default): the mean of the errors at five parts of the sample, in its order, each of a fit to the other four; held-out: the error at the last part alone, a fifth of the cost"`
}

// choiceParts is how many parts a sample is divided into.
const choiceParts = 5

// Choice is what was chosen.
type Choice struct{ Ridge, BandwidthTimes float64 }

// method is that of a ridge, or one that chooses among several.
func (o RidgeOptions) method(of func(RidgeOptions) Method) (Method, error) {
	if o.Choose == nil {
		return of(o), o.check()
	}
	c := choosing{of: of, widths: o.Choose.BandwidthTimes}
	if c.widths == nil {
		c.widths = []float64{1}
	}
	if o.Choose.By == "held-out" {
		c.first = choiceParts - 1
	}
	if o.Ridge != 0 {
		return nil, errors.New("ridge: choose has its values; leave out one of the two")
	}
	for _, o.Ridge = range o.Choose.Ridge {
		c.ridges = append(c.ridges, o)
	}
	return c, o.check()
}

// noCounts is why a sample may not be counts.
func (o RidgeOptions) noCounts() string {
	if o.Choose == nil {
		return ""
	}
	return "choose divides points into parts"
}

// chooses refuses landmarks of a file where parts of the sample are fitted.
func (o RidgeOptions) chooses(landmarks landmark.Options) error {
	if o.Choose != nil && landmarks.File != nil {
		return errors.New("landmarks: a file names rows of the whole sample, and choose fits parts of it: take a rule")
	}
	return nil
}

// choosing fits a sample without one of its parts, at each ridge and bandwidth.
type choosing struct {
	of     func(RidgeOptions) Method
	ridges []RidgeOptions
	widths []float64
	first  int // of the parts that errors are measured on
}

func (c choosing) Check(k kernel.Kernel, s Sizes) error {
	switch {
	case !kernel.Stationary(k) && (len(c.widths) > 1 || c.widths[0] != 1):
		return fmt.Errorf("choose: bandwidth_times needs a stationary kernel, and %s is none: leave it out", k)
	case s.N < 2*choiceParts:
		return fmt.Errorf("choose: n = %d points are too few for %d parts: take n of %d or more", s.N, choiceParts, 2*choiceParts)
	}
	s.N -= (s.N + choiceParts - 1) / choiceParts
	if err := c.of(c.ridges[0]).Check(k, s); err != nil {
		return fmt.Errorf("choose: %w; n is here the four fifths of the sample that choose fits", err)
	}
	return nil
}

// Cost counts all fits.
func (c choosing) Cost(k kernel.Kernel, s Sizes, dim float64) cost.Cost {
	last := c.of(c.ridges[0]).Cost(k, s, dim)
	part := cost.Numbers(2 * float64(s.N) * dim)
	s.N -= s.N / choiceParts
	part = part.Plus(c.of(c.ridges[0]).Cost(k, s, dim))
	part.Flops *= float64(len(c.ridges) * len(c.widths) * (choiceParts - c.first))
	return part.Then(last)
}

// Fit has all fits draw the same random numbers.
func (c choosing) Fit(ctx context.Context, p Sample, rng *rand.Rand) (Model, error) {
	if err := p.checkResponses(); err != nil {
		return nil, err
	}
	seeds := [2]uint64{rng.Uint64(), rng.Uint64()}
	fit := func(p Sample, ridge RidgeOptions) (*Regression, error) {
		model, err := c.of(ridge).Fit(ctx, p, rand.New(rand.NewPCG(seeds[0], seeds[1])))
		if err != nil {
			return nil, fmt.Errorf("ridge %v: %w", ridge.Ridge, err)
		}
		return model.(*Regression), nil
	}
	chosen, times, least := c.ridges[0], c.widths[0], math.Inf(1)
	for _, width := range c.widths {
		errors := make([]float64, len(c.ridges))
		for part := c.first; part < choiceParts; part++ {
			train, test := p.stretched(width).without(part)
			for i, ridge := range c.ridges {
				model, err := fit(train, ridge)
				if err != nil {
					return nil, err
				}
				off := model.Eval(test.X)
				off.Sub(off, test.Responses)
				errors[i] += math.Pow(mat.Norm(off, 2), 2) / float64(test.n())
			}
		}
		for i, square := range errors {
			if square < least {
				chosen, times, least = c.ridges[i], width, square
			}
		}
	}
	model, err := fit(p.stretched(times), chosen)
	if err != nil {
		return nil, err
	}
	model.Chosen = &Choice{chosen.Ridge, times}
	if times != 1 {
		model.Functions = stretched{model.Functions, times}
	}
	return model, nil
}

// without is the sample less one of its parts, and that part: those of scikit-learn's KFold.
func (p Sample) without(part int) (train, test Sample) {
	start := func(part int) int { return part*(p.n()/choiceParts) + min(part, p.n()%choiceParts) }
	rows := make([]int, p.n())
	for i := range rows {
		rows[i] = i
	}
	of := func(rows []int) Sample {
		s := p
		s.Gram, s.Spectrum, s.Sizes.N = nil, nil, len(rows)
		s.X, s.Responses = linalg.SelectRows(p.X, rows), linalg.SelectRows(p.Responses, rows)
		return s
	}
	return of(slices.Concat(rows[:start(part)], rows[start(part+1):])), of(rows[start(part):start(part+1)])
}

// stretched is the sample under k(x/times, y/times).
func (p Sample) stretched(times float64) Sample {
	if times != 1 {
		p.X, p.Gram, p.Spectrum = scaled(p.X, times), nil, nil
	}
	return p
}

func scaled(x *mat.Dense, times float64) *mat.Dense {
	z := new(mat.Dense)
	z.Scale(1/times, x)
	return z
}

// stretched are functions of x/times.
type stretched struct {
	kernel.Functions
	times float64
}

func (s stretched) Eval(x *mat.Dense) *mat.Dense { return s.Functions.Eval(scaled(x, s.times)) }
