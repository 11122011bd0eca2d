package runner

import (
	"context"
	"fmt"
	"sync"

	"gonum.org/v1/gonum/mat"

	"mercer/data"
	"mercer/internal/kernel"
	"mercer/internal/linalg"
	"mercer/internal/metrics"
	"mercer/methods/landmark"
	"mercer/runner/plan"
)

// groupState is what the fits of one group share in a repeat.
type groupState struct {
	*computation
	group        *plan.Group
	repeat       int
	x            *mat.Dense // the group's largest sample, or the atoms of samples of counts
	labels       []int      // its classes, nil for none
	counted      map[int]sample
	rows         data.Rows // the largest sample that a method streams, nil for none
	rowLabels    []int
	draws        data.Draw
	population   data.Population
	response     *data.Response       // nil where points have none of a known law
	responses    data.Responses       // of the rows of x, as they were measured
	gram         func() *mat.SymDense // of the group's largest n that needs one
	spectrum     sharedSpectrum
	kernelMatrix *metrics.HeldOutKernel      // of the held-out points
	norms        map[int]metrics.SampleNorms // of the samples, by n
}

// draw draws the sample and opens the population of a group in a repeat.
func (c *computation) draw(g *plan.Group, repeat int) (w *groupState, err error) {
	defer recovered(&err)
	w = &groupState{computation: c, group: g, repeat: repeat, norms: map[int]metrics.SampleNorms{}}
	if w.draws, err = data.DrawOf(g.Dataset.Dataset, repeat, c.streams(g, repeat)); err != nil {
		return nil, err
	}
	if responding, ok := g.Dataset.Dataset.(data.Responding); ok {
		w.response = responding.Response()
	}
	if counts := w.draws.Counted(); counts != nil {
		w.x, w.labels = counts.Atoms, counts.Labels
		err = w.count(counts)
	} else {
		w.x, w.labels, err = w.draws.Sample(max(1, g.MaxN))
	}
	if err == nil && g.MaxRows > 0 {
		w.rows, w.rowLabels, err = w.draws.Rows(g.MaxRows)
	}
	if err != nil {
		return nil, err
	}
	if supervised, ok := w.draws.(data.Supervised); ok {
		n, _ := w.x.Dims()
		w.responses = supervised.Responses(n)
	}
	if w.population, err = w.draws.Population(g.Kernel, c.plan.Eigenpairs(g)+1); err != nil {
		return nil, fmt.Errorf("population: %w", err)
	}
	w.kernelMatrix = c.heldOutKernel(w)
	w.gram = sync.OnceValue(func() *mat.SymDense { return kernel.Gram(g.Kernel, w.first(g.MaxGramN)) })
	return w, nil
}

// streams are the random streams of a group in a repeat.
func (c *computation) streams(g *plan.Group, repeat int) data.Streams {
	return plan.RepeatStreams(c.plan.Spec.Seed, g.Dataset.ID, repeat)
}

// heldOutKernel is the kernel matrix of a group's held-out points, the same one for all
// repeats where they are the same points; nil where there are none.
func (c *computation) heldOutKernel(w *groupState) *metrics.HeldOutKernel {
	if !c.plan.NeedsMatrix() {
		return nil
	}
	points, _ := w.draws.HeldOut()
	if points == nil {
		return nil
	}
	var masses []float64
	if counts := w.draws.Counted(); counts != nil {
		masses = counts.Masses
	}
	made := func() *metrics.HeldOutKernel {
		return metrics.NewHeldOutKernel(points, masses, w.group.Kernel, c.plan.Eigenpairs(w.group), w.group.KeepsMatrix)
	}
	if !w.group.Dataset.Support().Shared {
		return made()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.heldOut[w.group.Population] == nil {
		c.heldOut[w.group.Population] = made()
	}
	return c.heldOut[w.group.Population]
}

// first is the sample of size n; methods that use no sample may ask for more than there is.
func (w *groupState) first(n int) *mat.Dense {
	rows, d := w.x.Dims()
	return w.x.Slice(0, min(n, rows), 0, d).(*mat.Dense)
}

// sample is what a fit is given: points, or of a sample of counts those atoms that
// occur in it.
type sample struct {
	x      *mat.Dense
	labels []int     // nil for none
	counts []float64 // nil for one each
	rows   []int     // which atoms these are; nil for the first points, or all atoms
}

// sample is that of a fit which has it in memory.
func (w *groupState) sample(f *plan.Fit) sample {
	n := max(1, f.Sizes.N)
	if w.counted != nil {
		return w.counted[n]
	}
	s := sample{x: w.first(n), labels: w.labels}
	if s.labels != nil {
		s.labels = s.labels[:min(n, len(s.labels))]
	}
	return s
}

// count draws the samples of all fits of the group.
func (w *groupState) count(counts *data.Counts) error {
	w.counted = map[int]sample{}
	for _, f := range w.group.Fits {
		n := max(1, f.Sizes.N)
		if _, drawn := w.counted[n]; drawn || f.Skip != nil {
			continue
		}
		all, err := counts.First(n)
		if err != nil {
			return err
		}
		w.counted[n] = occurring(counts, all)
	}
	return nil
}

// occurring are the atoms that occur in a sample.
func occurring(counts *data.Counts, all []float64) sample {
	var s sample
	for j, count := range all {
		if count == 0 {
			continue
		}
		s.rows, s.counts = append(s.rows, j), append(s.counts, count)
		if counts.Labels != nil {
			s.labels = append(s.labels, counts.Labels[j])
		}
	}
	if s.x = counts.Atoms; len(s.rows) < len(all) {
		s.x = linalg.SelectRows(counts.Atoms, s.rows)
	} else {
		s.rows = nil
	}
	return s
}

// gramOf is the sample's part of a kernel matrix of all points, not to be written to.
func (s sample) gramOf(gram *mat.SymDense) *mat.SymDense {
	if s.rows == nil {
		n, _ := s.x.Dims()
		return gram.SliceSym(0, n).(*mat.SymDense)
	}
	own := mat.NewSymDense(len(s.rows), nil)
	for i, row := range s.rows {
		for j := i; j < len(s.rows); j++ {
			own.SetSym(i, j, gram.At(row, s.rows[j]))
		}
	}
	return own
}

// sharedSpectrum keeps the eigenpairs of one sample's kernel matrix, the last that was
// decomposed: fits of one n follow each other.
type sharedSpectrum struct {
	n       int // 0 for none
	values  []float64
	vectors *mat.Dense
}

// of finds those of the sample of size n, when they are first asked for.
func (c *sharedSpectrum) of(k kernel.Kernel, s sample, n int) landmark.Spectrum {
	return func(ctx context.Context) ([]float64, *mat.Dense, error) {
		if c.n != n {
			*c = sharedSpectrum{} // its memory is free while others are found
			values, vectors, err := landmark.Decompose(ctx, k, s.x, s.counts)
			if err != nil {
				return nil, nil, err
			}
			*c = sharedSpectrum{n, values, vectors}
		}
		return c.values, c.vectors, nil
	}
}
