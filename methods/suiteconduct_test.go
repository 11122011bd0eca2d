package methods_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
	"mercer/methods"
)

// bits is all that a model says, for comparison bit by bit.
func bits(model methods.Model, x *mat.Dense) []uint64 {
	var all []float64
	switch m := model.(type) {
	case *methods.Embedding:
		all = slices.Concat(m.Offset, m.Eval(x).RawMatrix().Data)
	case *methods.Regression:
		all = slices.Concat(m.Eval(x).RawMatrix().Data, []float64{m.Lambda})
	case *methods.Clustering:
		labels, squared, err := m.Assign(context.Background(), x)
		if err != nil {
			panic(err)
		}
		all = append(squared, float64(m.Iterations))
		for _, label := range slices.Concat(m.Labels, labels) {
			all = append(all, float64(label))
		}
	default:
		f := open(model)
		all = slices.Concat(f.Values, f.Center, []float64{float64(f.Rank)})
		if f.coef != nil {
			all = slices.Concat(all, mat.DenseCopyOf(f.coef).RawMatrix().Data, f.at(x).RawMatrix().Data)
		}
	}
	for _, w := range model.Caveats(1) {
		for _, r := range w {
			all = append(all, float64(r))
		}
	}
	return words(all)
}

func words(values []float64) []uint64 {
	out := make([]uint64, len(values))
	for i, v := range values {
		out[i] = math.Float64bits(v)
	}
	return out
}

func (s Subject) bitsOf(c sample, seed uint64) ([]uint64, error) {
	model, err := s.fit(c, seed)
	if err != nil {
		return nil, err
	}
	return bits(model, c.x), nil
}

func sameStream(s Subject, c sample) error { return s.sameBits(c, s.problem(c)) }

func checkOtherStream(s Subject) error {
	differ, err := streamMatters(s)
	if err == nil && differ != s.Random && s.kind() != clusters {
		err = fmt.Errorf("fits of two streams differ: %v, want %v", differ, s.Random)
	}
	return err
}

// streamMatters says whether fits of two streams differ.
func streamMatters(s Subject) (bool, error) {
	c := s.samples()[0]
	one, err := s.bitsOf(c, 5)
	if err != nil {
		return false, err
	}
	other, err := s.bitsOf(c, 6)
	return !slices.Equal(one, other), err
}

// checkOrder fits the samples forward, backward and from four goroutines that
// start at different places.
func checkOrder(s Subject) error {
	cases := s.samples()
	want := make([][]uint64, len(cases))
	for i, c := range cases {
		var err error
		if want[i], err = s.bitsOf(c, uint64(i)); err != nil {
			return err
		}
	}
	compare := func(i int, how string) error {
		got, err := s.bitsOf(cases[i], uint64(i))
		if err == nil && !slices.Equal(got, want[i]) {
			err = fmt.Errorf("%s: %s changes the fit", cases[i].name, how)
		}
		return err
	}
	for i := range slices.Backward(cases) {
		if err := compare(i, "another order"); err != nil {
			return err
		}
	}
	failures := make([]error, 2)
	var group sync.WaitGroup
	for worker := range failures {
		group.Go(func() {
			for step := range cases {
				i := (step + worker) % len(cases)
				failures[worker] = errors.Join(failures[worker], compare(i, "concurrency"))
			}
		})
	}
	group.Wait()
	return errors.Join(failures...)
}

func inputs(s Subject, c sample) error {
	p := s.problem(c)
	gram := kernel.Gram(c.kernel, c.x)
	p.Gram = func() *mat.SymDense { return gram }
	x, k := words(c.x.RawMatrix().Data), words(gram.RawSymmetric().Data)
	name, value := c.kernel.String(), c.kernel.At(c.x.RawRowView(0), c.x.RawRowView(1))
	_, err := s.attempt(context.Background(), p, 1)
	switch {
	case err != nil:
		return err
	case !slices.Equal(x, words(c.x.RawMatrix().Data)):
		return errors.New("the fit wrote to X")
	case !slices.Equal(k, words(gram.RawSymmetric().Data)):
		return errors.New("the fit wrote to the shared Gram matrix")
	case name != c.kernel.String() || value != c.kernel.At(c.x.RawRowView(0), c.x.RawRowView(1)):
		return errors.New("the fit changed the kernel")
	}
	return nil
}

// sharedGram gives the method a slice of the Gram matrix of a larger
// sample, as nested samples share it.
func sharedGram(s Subject, c sample) error {
	n, d := c.x.Dims()
	larger := mat.NewDense(n+7, d, nil)
	larger.Stack(c.x, uniform(77, 7, d))
	gram := kernel.Gram(c.kernel, larger)
	p := s.problem(c)
	p.Gram = func() *mat.SymDense { return gram.SliceSym(0, n).(*mat.SymDense) }
	own, err := s.model(c)
	if err != nil {
		return err
	}
	shared, err := s.attempt(context.Background(), p, 1)
	if err != nil {
		return err
	}
	return sameModel(own, shared, c)
}

// counting fits with a kernel that counts its values, as measures of cost do.
func counting(s Subject, c sample) error {
	p := s.problem(c)
	p.Kernel, _ = kernel.Count(c.kernel)
	return s.sameBits(c, p)
}

// sameModel says where two models differ by more than rounding.
func sameModel(one, other methods.Model, c sample) error {
	switch m := one.(type) {
	case *methods.Regression:
		return near("values", other.(*methods.Regression).Eval(c.x), m.Eval(c.x), 1e-9)
	case *methods.Embedding:
		return sameImages(m, other.(*methods.Embedding), c)
	case *methods.Clustering:
		if !slices.Equal(m.Labels, other.(*methods.Clustering).Labels) {
			return errors.New("the labels differ")
		}
		return nil
	}
	return sameLeading(open(one), open(other), c)
}

// nested compares a fit at ℓ with those at every smaller ℓ.
func nested(s Subject, c sample) error {
	if s.PerEll {
		return nil
	}
	full, err := s.model(c)
	if err != nil {
		return err
	}
	same := sameLeading
	if s.Streamed {
		same = sameColumns
	}
	for ell := 1; ell < c.sizes.Ell; ell++ {
		smaller := c
		smaller.sizes.Ell = ell
		part, err := s.fit(smaller, 1)
		if err != nil {
			return err
		}
		if err := same(open(part), open(full), c); err != nil {
			return fmt.Errorf("fits at %d and %d: %w", ell, c.sizes.Ell, err)
		}
	}
	return nil
}

// sameLeading says where the components of part are not the leading ones of
// full: eigenvalues to the tolerance times λ̂_1, and the spans, compared by the
// projector kernel Σ_i f_i(x) f_i(y) over the sample (which no sign nor
// rotation changes), to the tolerance over the relative gap behind the last
// component of part. Where there is no such gap the span is not determined.
func sameLeading(part, full takenApart, c sample) error {
	count := len(part.Values)
	if count > len(full.Values) {
		return fmt.Errorf("%d components, but %d in the larger fit", count, len(full.Values))
	}
	for i, v := range part.Values {
		if !(math.Abs(v-full.Values[i]) <= c.tolerance*full.Values[0]) {
			return fmt.Errorf("value %d is %.15g, and %.15g", i+1, v, full.Values[i])
		}
	}
	if part.coef == nil {
		return nil
	}
	gap := full.Values[count-1]
	if count < len(full.Values) {
		gap -= full.Values[count]
	}
	if gap /= full.Values[0]; gap < 1e-3 {
		return nil
	}
	_, l := full.coef.Dims()
	leading := full
	rows, _ := full.coef.Dims()
	leading.coef = full.coef.Slice(0, rows, 0, min(l, count)).(*mat.Dense)
	a, b := part.at(c.x), leading.at(c.x)
	var one, other mat.Dense
	one.Mul(a, a.T())
	other.Mul(b, b.T())
	scale := mat.Norm(&one, 2)
	one.Sub(&one, &other)
	if off := mat.Norm(&one, 2) / scale; !(off <= c.tolerance/gap) {
		return fmt.Errorf("the spans of %d components differ by %.2g, tolerance %.1g", count, off, c.tolerance/gap)
	}
	return nil
}
