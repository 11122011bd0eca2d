package methods_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"mercer/methods"
)

// sameColumns wants the components of part to be the leading ones of full one by
// one, signs included. Steps of a pass multiply rounding; a thousandfold is allowed.
func sameColumns(part, full takenApart, c sample) error {
	tolerance := 1e3 * c.tolerance
	for i, v := range part.Values {
		if !(math.Abs(v-full.Values[i]) <= tolerance*slices.Max(full.Values)) {
			return fmt.Errorf("value %d is %.15g, and %.15g", i+1, v, full.Values[i])
		}
	}
	rows, columns := part.coef.Dims()
	var off mat.Dense
	off.Sub(part.coef, full.coef.Slice(0, rows, 0, columns))
	if worst := mat.Norm(&off, 2); !(worst <= tolerance) {
		return fmt.Errorf("the %d components differ by %.2g, tolerance %.1g", columns, worst, tolerance)
	}
	return nil
}

// outcome is what a fit gives: the bits of its model, or an error.
type outcome struct {
	bits []uint64
	err  string
}

// checkStreaming holds a pass over several n to the fits at each of them, bit for
// bit: all in one pass, some of them, and one; models do not change afterwards, an
// n that cannot be takenApart leaves the others as they are, and an error of found
// ends the pass.
func checkStreaming(s Subject) error {
	method, ok := s.Method.(methods.Streaming)
	if !ok {
		return nil
	}
	all := s.samples()
	for _, c := range append(all, equalStart(all[0])) {
		n, d := c.x.Dims()
		few := c.x.Slice(0, min(n, 5), 0, d).(*mat.Dense)
		every := slices.DeleteFunc([]int{min(n, equalPoints), (n + 1) / 2, (n+1)/2 + 1, n * 3 / 4, n - 1, n}, func(n int) bool { return n < 2 })
		slices.Sort(every)
		every = slices.Compact(every)
		want := map[int]outcome{}
		for _, at := range every {
			p := s.problem(c)
			p.X, p.Sizes.N = c.x.Slice(0, at, 0, d).(*mat.Dense), at
			want[at] = outcomeOf(few)(method.Fit(context.Background(), p, stream(1)))
		}
		if last := want[n]; last.err != "" {
			return fmt.Errorf("%s: fit at %d: %s", c.name, n, last.err)
		}
		for _, sizes := range [][]int{every, every[len(every)/2:], every[:1]} {
			if err := s.pass(method, c, sizes, few, want); err != nil {
				return fmt.Errorf("%s: a pass over %d: %w", c.name, sizes, err)
			}
		}
	}
	return stops(s, method)
}

// equalPoints is how many points equalStart makes equal.
const equalPoints = 4

// equalStart is a sample whose first points are all the same: a centred method
// finds no variance in them.
func equalStart(c sample) sample {
	c.name, c.x = "first points equal", mat.DenseCopyOf(c.x)
	for i := 1; i < equalPoints; i++ {
		c.x.SetRow(i, c.x.RawRowView(0))
	}
	return c
}

// outcomeOf describes fits by their values at a few points.
func outcomeOf(few *mat.Dense) func(methods.Model, error) outcome {
	return func(m methods.Model, err error) outcome {
		if err != nil {
			return outcome{err: err.Error()}
		}
		return outcome{bits: bits(m, few)}
	}
}

// pass compares what a pass gives with the outcomes of the fits, after its end.
func (s Subject) pass(method methods.Streaming, c sample, sizes []int, few *mat.Dense, want map[int]outcome) error {
	_, d := c.x.Dims()
	p := s.problem(c)
	p.Sizes.N = sizes[len(sizes)-1]
	p.X = c.x.Slice(0, p.Sizes.N, 0, d).(*mat.Dense)
	var at []int
	var models []methods.Model
	var failures []error
	err := method.FitEach(context.Background(), p, slices.Clone(sizes), stream(1), func(n int, m methods.Model, err error) error {
		at, models, failures = append(at, n), append(models, m), append(failures, err)
		return nil
	})
	if err != nil {
		return err
	}
	if !slices.Equal(at, sizes) {
		return fmt.Errorf("models of n = %d", at)
	}
	for i := range models {
		got := outcomeOf(few)(models[i], failures[i])
		if w := want[at[i]]; got.err != w.err {
			return fmt.Errorf("at n = %d the error %q, and %q of the fit", at[i], got.err, w.err)
		} else if !slices.Equal(got.bits, w.bits) {
			return fmt.Errorf("the model of n = %d is not the fit at that n", at[i])
		}
	}
	return nil
}

// stops wants an error of found to end the pass and to be returned.
func stops(s Subject, method methods.Streaming) error {
	c := s.samples()[0]
	enough, calls := errors.New("enough"), 0
	err := method.FitEach(context.Background(), s.problem(c), []int{20, 40, 60}, stream(1), func(int, methods.Model, error) error {
		calls++
		return enough
	})
	if !errors.Is(err, enough) || calls != 1 {
		return fmt.Errorf("an error of found gives %v after %d calls", err, calls)
	}
	return nil
}
