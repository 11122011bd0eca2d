package data

import (
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
)

// lineDataset is a population on the real line whose operators are in closed form.
type lineDataset struct {
	about
	next       func(*rand.Rand) float64
	population Population
	response   *Response
}

// Response is what regression estimates; nil for none.
func (d *lineDataset) Response() *Response { return d.response }

// Draw draws points, one number each.
func (d *lineDataset) Draw(streams Streams) (Draw, error) {
	return lineDraw{streams, d.next, d.population}, nil
}

// lineDraw draws independent points on the real line.
type lineDraw struct {
	streams    Streams
	next       func(*rand.Rand) float64
	population Population
}

func (d lineDraw) Sample(n int) (*mat.Dense, []int, error) {
	rng := d.streams.rand(sampled)
	x := mat.NewDense(n, 1, nil)
	for i := range n {
		x.Set(i, 0, d.next(rng))
	}
	return x, nil, nil
}

func (d lineDraw) Rows(n int) (Rows, []int, error) {
	rows, _ := newSequence(n, 1, d.streams, sampled, func(rng *rand.Rand, x []float64) int {
		x[0] = d.next(rng)
		return 0
	})
	return rows, nil, nil
}

func (d lineDraw) Population(kernel.Kernel, int) (Population, error) { return d.population, nil }

func (lineDraw) Counted() *Counts { return nil }

func (d lineDraw) HeldOut() (*mat.Dense, []int) { return nil, nil }
