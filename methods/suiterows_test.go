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
// for bit: alone, and in one pass.
func checkRows(s Subject) error {
	if s.Streams == nil {
		return nil
	}
	streamed := 0
	err := onEachSample(func(s Subject, c sample) error {
		p := s.problem(c)
		if !s.Streams(p.Sizes) {
			return nil
		}
		streamed++
		p.X, p.Rows = nil, elsewhere{c.x}
		if err := s.sameBits(c, p); err != nil {
			return err
		}
		method, ok := s.Method.(methods.Streaming)
		if !ok {
			return nil
		}
		want := bits(s.kept[c.name], c.x)
		return method.FitEach(context.Background(), p, []int{p.Sizes.N}, stream(1), func(_ int, m methods.Model, err error) error {
			if err == nil && !slices.Equal(bits(m, c.x), want) {
				err = errors.New("rows read in blocks change the pass")
			}
			return err
		})
	})(s)
	if err == nil && streamed == 0 {
		err = errors.New("no sample of the suite is streamed")
	}
	return err
}
