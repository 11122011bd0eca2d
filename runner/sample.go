package runner

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"mercer/data"
	"mercer/internal/kernel"
	"mercer/internal/linalg"
	"mercer/methods"
	"mercer/methods/landmark"
	"mercer/runner/plan"
)

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

// sharedPairs keeps the leading eigenpairs of the samples' kernel matrices that fits have
// asked for: of each n a small part of the matrix itself.
type sharedPairs map[pairsKey]linalg.TopResult

type pairsKey struct {
	n, count int
	centred  bool
}

// of are those of the sample of size n.
func (c *sharedPairs) of(n int) methods.Pairs {
	return func(centred bool, count int, find func() (linalg.TopResult, error)) (linalg.TopResult, error) {
		key := pairsKey{n, count, centred}
		if found, ok := (*c)[key]; ok {
			return found, nil
		}
		found, err := find()
		if err == nil {
			if *c == nil {
				*c = sharedPairs{}
			}
			(*c)[key] = found
		}
		return found, err
	}
}
