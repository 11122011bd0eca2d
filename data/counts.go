package data

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/counts"
)

// Counts are samples of n independent draws from fixed points, the atoms, of which only
// matters how often each occurs: what is computed from them costs the same at any n,
// up to 2⁵³.
type Counts struct {
	Atoms  *mat.Dense // K×D; not to be written to
	Labels []int      // classes of the atoms; nil where there are none
	// Masses are the probabilities of the points that HeldOut gives; nil where all
	// are alike.
	Masses []float64

	sequence nested
}

// First says how often each atom occurs among the first n points: the points of the
// sample of n are among those of any larger n.
func (c *Counts) First(n int) ([]float64, error) { return c.sequence.first(n) }

// largestSample is the largest n of counts: up to it all whole numbers are float64.
const largestSample = 1 << 53

// nested draws samples of counts, each the beginning of every larger one, as if from
// one endless sequence of points. It is cut into the runs [0,1), [1,10), [10,100) …,
// whose counts are multinomial, and where n lies in a run this is halved, roughly,
// until n is at an end: the half's counts are those of a random subset of the run's
// points. Each run and each half has a stream of its own, named by its ends, so that a
// sample depends on n alone, whatever other n are drawn.
//
// A sample costs K binomials for each power of ten up to n, and about 2K for each
// halving: none for powers of ten, at most 4 for each further digit of n.
type nested struct {
	streams Streams
	masses  []float64 // of K atoms, in any unit
}

// first are the counts of the first n points.
func (s nested) first(n int) ([]float64, error) {
	if n < 0 || n > largestSample {
		return nil, fmt.Errorf("n = %d points asked for: the counts of a sample are exact up to 2^53", n)
	}
	sum := make([]float64, len(s.masses))
	for from, to := 0, 1; from < n; from, to = to, 10*to {
		run := make([]float64, len(s.masses))
		counts.Multinomial(run, float64(to-from), s.masses, s.stream(from, to))
		s.add(sum, run, from, to, n)
	}
	return sum, nil
}

// add adds the counts of those of a run's points that are among the first n.
func (s nested) add(sum, run []float64, from, to, n int) {
	for n < to && n > from {
		middle := halfway(from, to)
		lower := counts.Subset(run, float64(middle-from), s.stream(from, middle))
		if n <= middle {
			run, to = lower, middle
			continue
		}
		floats.Add(sum, lower)
		floats.Sub(run, lower)
		from = middle
	}
	if n >= to {
		floats.Add(sum, run)
	}
}

// halfway is the roundest number near the middle.
func halfway(from, to int) int {
	unit := 1
	for 10*unit < to-from {
		unit *= 10
	}
	return from + (to-from)/unit/2*unit
}

func (s nested) stream(from, to int) *rand.Rand {
	return s.streams.rand(fmt.Sprintf("counts %d to %d", from, to))
}

// mostExpanded is how many points of a sample of counts are written out at most.
const mostExpanded = 10_000_000

// expanded is a sample of counts as points, those of an atom one after another, and
// their classes.
func expanded(atoms *mat.Dense, labels []int, times []float64) (*mat.Dense, []int, error) {
	n := floats.Sum(times)
	if n > mostExpanded {
		return nil, nil, fmt.Errorf("n = %.0f points of a sample of counts: at most %d are written out", n, mostExpanded)
	}
	_, d := atoms.Dims()
	if n < 1 {
		return nil, nil, errors.New("no points asked for")
	}
	x, row := mat.NewDense(int(n), d, nil), 0
	var classes []int
	for j, c := range times {
		for range int(c) {
			x.SetRow(row, atoms.RawRowView(j))
			if labels != nil {
				classes = append(classes, labels[j])
			}
			row++
		}
	}
	return x, classes, nil
}

// countedDraw is a Draw whose samples are counts.
type countedDraw struct{ *Counts }

// Counted are the counts.
func (d countedDraw) Counted() *Counts { return d.Counts }

// Sample writes the points out, in the order of the atoms.
func (d countedDraw) Sample(n int) (*mat.Dense, []int, error) {
	times, err := d.First(n)
	if err != nil {
		return nil, nil, err
	}
	return expanded(d.Atoms, d.Labels, times)
}

// Rows are those of Sample.
func (d countedDraw) Rows(n int) (Rows, []int, error) {
	x, labels, err := d.Sample(n)
	if err != nil {
		return nil, nil, err
	}
	return RowsOf(x), labels, nil
}
