package methodtest

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
func sameColumns(part, full fitted, c sample) error {
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

// checkStreaming holds a pass over several n to the fits at each of them, bit for
// bit: all in one pass, some of them, and one; models do not change afterwards,
// and an error of found ends the pass.
func checkStreaming(s Subject) error {
	method, ok := s.Method.(methods.Streaming)
	if !ok {
		return nil
	}
	for _, c := range s.samples() {
		n, d := c.x.Dims()
		few := c.x.Slice(0, min(n, 5), 0, d).(*mat.Dense)
		every := slices.DeleteFunc([]int{(n + 1) / 2, (n+1)/2 + 1, n * 3 / 4, n - 1, n}, func(n int) bool { return n < 2 })
		slices.Sort(every)
		every = slices.Compact(every)
		want := map[int][]uint64{}
		for _, at := range every {
			p := s.problem(c)
			p.X, p.Sizes.N = c.x.Slice(0, at, 0, d).(*mat.Dense), at
			model, err := method.Fit(context.Background(), p, stream(1))
			if err != nil {
				return fmt.Errorf("%s: fit at %d: %w", c.name, at, err)
			}
			want[at] = bits(model, few)
		}
		for _, sizes := range [][]int{every, every[len(every)/2:], every[:1]} {
			if err := s.pass(method, c, sizes, few, want); err != nil {
				return fmt.Errorf("%s: a pass over %d: %w", c.name, sizes, err)
			}
		}
	}
	return stops(s, method)
}

// pass compares the models of a pass, and their values at a few points, with the
// bits of the fits, after its end.
func (s Subject) pass(method methods.Streaming, c sample, sizes []int, few *mat.Dense, want map[int][]uint64) error {
	_, d := c.x.Dims()
	p := s.problem(c)
	p.Sizes.N = sizes[len(sizes)-1]
	p.X = c.x.Slice(0, p.Sizes.N, 0, d).(*mat.Dense)
	var at []int
	var models []methods.Model
	err := method.FitEach(context.Background(), p, slices.Clone(sizes), stream(1), func(n int, m methods.Model) error {
		at, models = append(at, n), append(models, m)
		return nil
	})
	if err != nil {
		return err
	}
	if !slices.Equal(at, sizes) {
		return fmt.Errorf("models of n = %d", at)
	}
	for i, model := range models {
		if !slices.Equal(bits(model, few), want[at[i]]) {
			return fmt.Errorf("the model of n = %d is not the fit at that n", at[i])
		}
	}
	return nil
}

// stops wants an error of found to end the pass and to be returned.
func stops(s Subject, method methods.Streaming) error {
	c := s.samples()[0]
	enough, calls := errors.New("enough"), 0
	err := method.FitEach(context.Background(), s.problem(c), []int{20, 40, 60}, stream(1), func(int, methods.Model) error {
		calls++
		return enough
	})
	if !errors.Is(err, enough) || calls != 1 {
		return fmt.Errorf("an error of found gives %v after %d calls", err, calls)
	}
	return nil
}
