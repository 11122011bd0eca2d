package data

import (
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
)

// sequence are the first n points that a stream gives one after another, made
// again whenever they are asked for. Of the stream's state it keeps what it was
// before every stepPoints-th point, so that any of them can be reached.
type sequence struct {
	n, dim  int
	streams Streams
	purpose string
	draw    func(rng *rand.Rand, x []float64) int
	states  []byte // one after another, of the same length
	length  int
}

// stepPoints divides the blocks that methods read: these then begin at a state.
const stepPoints = 256

// newSequence draws all points of the stream of a purpose once, for their labels and
// the states: 8 bytes a point and about 50 every stepPoints. draw must depend on
// its stream alone.
func newSequence(n, dim int, streams Streams, purpose string, draw func(rng *rand.Rand, x []float64) int) (*sequence, []int) {
	s := &sequence{n: n, dim: dim, streams: streams, purpose: purpose, draw: draw}
	labels := make([]int, n)
	source := streams(purpose)
	rng := rand.New(source)
	x := make([]float64, dim)
	for i := range labels {
		if i%stepPoints == 0 {
			s.keep(source)
		}
		clear(x)
		labels[i] = draw(rng, x)
	}
	return s, labels
}

// keep keeps a state.
func (s *sequence) keep(source Source) {
	before := len(s.states)
	var err error
	if s.states, err = source.AppendBinary(s.states); err != nil {
		panic(fmt.Sprintf("data: state of a stream: %v", err))
	}
	if before == 0 {
		s.length = len(s.states)
	}
	if len(s.states)-before != s.length {
		panic("data: states of a stream differ in length")
	}
}

// Len is n.
func (s *sequence) Len() int { return s.n }

// Dim is the dimension.
func (s *sequence) Dim() int { return s.dim }

// Rows draws the points asked for, and those of their steps before them.
func (s *sequence) Rows(idx []int, dst *mat.Dense) {
	if dst.IsEmpty() {
		dst.ReuseAs(len(idx), s.dim)
	}
	source := s.streams(s.purpose)
	rng := rand.New(source)
	skipped := make([]float64, s.dim)
	at := -1 // the point that the stream gives next
	for row, i := range idx {
		if i < 0 || i >= s.n {
			panic(fmt.Sprintf("data: point %d of %d", i, s.n))
		}
		if step := i / stepPoints; at < 0 || i < at || step > at/stepPoints {
			if err := source.UnmarshalBinary(s.states[step*s.length:][:s.length]); err != nil {
				panic(fmt.Sprintf("data: state of a stream: %v", err))
			}
			at = step * stepPoints
		}
		for ; at < i; at++ {
			s.draw(rng, skipped)
		}
		x := dst.RawRowView(row)[:s.dim]
		clear(x)
		s.draw(rng, x)
		at++
	}
}
