package methods_test

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"mercer/methods"
)

// elsewhere are the rows of a matrix that may not be looked at in place, and more
// behind them than the sample has.
type elsewhere struct{ x *mat.Dense }

func (e elsewhere) Len() int { n, _ := e.x.Dims(); return n + 3 }
func (e elsewhere) Dim() int { _, d := e.x.Dims(); return d }

func (e elsewhere) Rows(idx []int, dst *mat.Dense) {
	if rows, d := dst.Dims(); rows != len(idx) || d != e.Dim() {
		panic(fmt.Sprintf("%d rows into a %d×%d matrix", len(idx), rows, d))
	}
	for i, j := range idx {
		dst.SetRow(i, e.x.RawRowView(j))
	}
}

// checkRows holds fits to rows that are read in blocks to those to a matrix, bit
// for bit: alone, and in one pass. A method that does not stream refuses rows, or
// has no use for points.
func checkRows(s Subject) error {
	streamed := 0
	for _, c := range s.samples() {
		p := s.problem(c)
		p.X, p.Rows = nil, elsewhere{c.x}
		if s.Streams == nil || !s.Streams(p.Sizes) {
			continue
		}
		streamed++
		want, err := s.bitsOf(c, 5)
		if err != nil {
			return err
		}
		model, err := s.attempt(context.Background(), p, 5)
		if err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		if !slices.Equal(bits(model, c.x), want) {
			return fmt.Errorf("%s: rows read in blocks change the fit", c.name)
		}
		method, ok := s.Method.(methods.Streaming)
		if !ok {
			continue
		}
		err = method.FitEach(context.Background(), p, []int{p.Sizes.N}, stream(5), func(_ int, m methods.Model, err error) error {
			if err == nil && !slices.Equal(bits(m, c.x), want) {
				err = fmt.Errorf("%s: rows read in blocks change the pass", c.name)
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	if s.Streams != nil && streamed == 0 {
		return errors.New("no sample of the suite is streamed")
	}
	return nil
}
