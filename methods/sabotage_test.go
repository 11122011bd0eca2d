package methods_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
	"mercer/methods"
	"mercer/methods/landmark"
)

// The checks that catch most mistakes.
const (
	isOrthonormal   = "components are orthonormal"
	areUncorrelated = "values are the variances of uncorrelated components"
	hasCentre       = "center is the mean of the components over the sample"
)

// spoilt is a method whose models, or whose problems before, are made wrong.
type spoilt struct {
	methods.Method
	before func(*methods.Sample)
	after  func(methods.Sample, methods.Model)
}

func (s spoilt) Fit(ctx context.Context, p methods.Sample, rng *rand.Rand) (methods.Model, error) {
	if s.before != nil {
		s.before(&p)
	}
	model, err := s.Method.Fit(ctx, p, rng)
	if err == nil && s.after != nil {
		s.after(p, model)
	}
	return model, err
}

// scaledFeatures has the variance of its features multiplied by factor².
type scaledFeatures struct {
	kernel.FeatureMap
	factor float64
}

func (f scaledFeatures) Transform(dst, x *mat.Dense) {
	f.FeatureMap.Transform(dst, x)
	dst.Scale(f.factor, dst)
}

// TestSuiteFindsMistakes makes methods wrong on purpose: the suite must fail
// them, in the checks that are named.
func TestSuiteFindsMistakes(t *testing.T) {
	all := variants(t)
	laplace := kernel.Laplace{Sigma: 1} // its K_mm has a root exact to rounding
	calls := 0.0
	for _, tt := range []struct {
		mistake string
		variant string
		kernel  kernel.Kernel // nil for the variant's own
		spoil   func(methods.Method) methods.Method
		fails   []string
	}{
		{"K_mm^(-1) in place of K_mm^(-1/2)", "nystrom first u", laplace,
			func(m methods.Method) methods.Method { return nystromByRoot{Method: m, center: "u", power: -1} },
			[]string{isOrthonormal}},
		{"the sample is not centred", "nystrom first u", laplace,
			func(m methods.Method) methods.Method { return nystromByRoot{Method: m, center: "none", power: -0.5} },
			[]string{areUncorrelated, hasCentre}},
		{"features are not centred", "rff fourier u", nil,
			func(methods.Method) methods.Method {
				return method(t, &methods.RFFOptions{Features: "fourier", Center: "none"})
			},
			[]string{areUncorrelated, hasCentre}},
		{"n in place of n-1", "ekpca u", nil,
			func(methods.Method) methods.Method { return method(t, &methods.EKPCAOptions{Center: "v"}) },
			[]string{areUncorrelated}},
		{"n in place of n-1", "nystrom uniform u", nil,
			func(methods.Method) methods.Method {
				return method(t, &methods.NystromOptions{Landmarks: landmark.By("uniform"), Center: "v"})
			},
			[]string{areUncorrelated}},
		{"feature variance doubled", "rff fourier u", nil,
			func(m methods.Method) methods.Method {
				return spoilt{m, nil, func(_ methods.Sample, model methods.Model) {
					f := model.(*methods.FeatureSubspace)
					f.Map = scaledFeatures{f.Map, math.Sqrt2}
					for i := range f.Values {
						f.Values[i] *= 2
						f.Center[i] *= math.Sqrt2
					}
				}}
			},
			[]string{"features average to the kernel"}},
		{"coefficients not divided by the root of the eigenvalue", "ekpca v", nil,
			func(m methods.Method) methods.Method {
				return spoilt{m, nil, func(_ methods.Sample, model methods.Model) {
					s := model.(*methods.Subspace)
					s.Coef.Apply(func(_, j int, v float64) float64 { return v * math.Sqrt(s.Values[j]) }, s.Coef)
				}}
			},
			[]string{isOrthonormal, areUncorrelated, hasCentre}},
		{"the centre left out", "ekpca u", nil,
			func(m methods.Method) methods.Method {
				return spoilt{m, nil, func(_ methods.Sample, model methods.Model) { clear(model.(*methods.Subspace).Center) }}
			},
			[]string{hasCentre}},
		{"the sample is written to", "ekpca v", nil,
			func(m methods.Method) methods.Method {
				return spoilt{m, func(p *methods.Sample) { p.X.Set(0, 0, p.X.At(0, 0)+1e-9) }, nil}
			},
			[]string{"inputs are left as they are"}},
		{"memory of earlier fits", "ekpca none", nil,
			func(m methods.Method) methods.Method {
				return spoilt{m, nil, func(_ methods.Sample, model methods.Model) { calls++; model.(*methods.Subspace).Center[0] = calls }}
			},
			[]string{"same stream, same bits", hasCentre}},
		{"every size is taken", "nystrom uniform none", nil,
			func(m methods.Method) methods.Method { return unchecked{m} },
			[]string{"sizes that cannot be met are refused with a reason"}},
		{"models of a pass share memory", "rf-oja fourier u theorem-d3", nil,
			func(m methods.Method) methods.Method { return sharedMemory{m.(methods.Streaming)} },
			[]string{"one pass gives the fit at every n"}},
		{"one n that cannot be fitted ends a pass", "rf-oja fourier u theorem-d3", nil,
			func(m methods.Method) methods.Method { return brittle{m.(methods.Streaming)} },
			[]string{"one pass gives the fit at every n"}},
		{"an error does not end a pass", "rf-rmsg mercer u", nil,
			func(m methods.Method) methods.Method { return deaf{m.(methods.Streaming)} },
			[]string{"one pass gives the fit at every n"}},
		{"the order of components is turned", "rf-oja fourier u theorem-d3", nil,
			func(m methods.Method) methods.Method {
				return spoilt{m, nil, func(_ methods.Sample, model methods.Model) {
					q := model.(*methods.FeatureSubspace).Coef
					_, ell := q.Dims()
					old := mat.DenseCopyOf(q)
					for j := range ell {
						q.SetCol(j, mat.Col(nil, ell-1-j, old))
					}
				}}
			},
			[]string{"the first components of a fit are the smaller fit", hasCentre}},
	} {
		t.Run(tt.mistake+" in "+tt.variant, func(t *testing.T) {
			v := all[tt.variant]
			s := v.build(t)
			s.Method = tt.spoil(s.Method)
			if tt.kernel != nil {
				s.Kernel = tt.kernel
			}
			honest := v.build(t)
			honest.Kernel = s.Kernel
			if failures := failuresOf(honest, tt.fails...); len(failures) > 0 {
				t.Errorf("the method without the mistake fails: %v", failures)
			}
			failures := failuresOf(s, tt.fails...)
			for _, name := range tt.fails {
				if failures[name] == nil {
					t.Errorf("%q passes", name)
				}
			}
		})
	}
}

// The reference itself passes the identities, so that what fails above is the
// mistake.
func TestSuitePassesTheReference(t *testing.T) {
	s := variants(t)["nystrom first u"].build(t)
	s.Kernel = kernel.Laplace{Sigma: 1}
	s.Method = nystromByRoot{Method: s.Method, center: "u", power: -0.5}
	for name, err := range failuresOf(s, isOrthonormal, areUncorrelated, hasCentre) {
		t.Errorf("%s: %v", name, err)
	}
}

// sharedMemory writes each model of a pass over the one before.
type sharedMemory struct{ methods.Streaming }

func (s sharedMemory) FitEach(ctx context.Context, p methods.Sample, sizes []int, rng *rand.Rand, found func(int, methods.Model, error) error) error {
	var before *mat.Dense
	return s.Streaming.FitEach(ctx, p, sizes, rng, func(n int, m methods.Model, err error) error {
		if err != nil {
			return found(n, m, err)
		}
		q := m.(*methods.FeatureSubspace).Coef
		if before != nil {
			before.Copy(q)
		}
		before = q
		return found(n, m, err)
	})
}

// deaf does not hear errors.
type deaf struct{ methods.Streaming }

func (d deaf) FitEach(ctx context.Context, p methods.Sample, sizes []int, rng *rand.Rand, found func(int, methods.Model, error) error) error {
	return d.Streaming.FitEach(ctx, p, sizes, rng, func(n int, m methods.Model, err error) error {
		_ = found(n, m, err)
		return nil
	})
}

// brittle ends a pass at the first n that cannot be fitted.
type brittle struct{ methods.Streaming }

func (b brittle) FitEach(ctx context.Context, p methods.Sample, sizes []int, rng *rand.Rand, found func(int, methods.Model, error) error) error {
	return b.Streaming.FitEach(ctx, p, sizes, rng, func(n int, m methods.Model, err error) error {
		if err != nil {
			return err
		}
		return found(n, m, nil)
	})
}

type unchecked struct{ methods.Method }

func (unchecked) Check(kernel.Kernel, methods.Sizes) error { return nil }

func method(t *testing.T, options methods.Options) methods.Method {
	t.Helper()
	m, err := options.Method()
	if err != nil {
		t.Fatal(err)
	}
	return m
}
