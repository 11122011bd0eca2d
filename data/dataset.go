package data

import (
	"context"
	"io"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"mercer/data/files"
	"mercer/kernel"
)

// Streams gives the random stream of a purpose, from its beginning: the same
// purpose, the same numbers.
type Streams func(purpose string) *rand.Rand

// Dataset is where samples come from. It is safe for concurrent use; what it
// holds (a file's points) is never written to.
type Dataset interface {
	// Describe is one line for reports.
	Describe() string
	// Constants are names that a spec's expressions may use: D, N, classes,
	// alpha, kappa, trace, as far as this data set knows them.
	Constants() map[string]float64
	// Fingerprint changes whenever the points that could be drawn change.
	Fingerprint() string
	// Kernel is the kernel that the population brings with it, nil where the
	// spec's kernels apply.
	Kernel() kernel.Kernel
	// Distances answers bandwidth rules, nil where there are no points to ask.
	Distances() kernel.Distances
	// Draw is one repeat's sample and its population.
	Draw(streams Streams) (Draw, error)
}

// Rows are points that are read or made as they are asked for, so that there may
// be more of them than memory holds. They do not change, and are safe for
// concurrent use.
type Rows = files.Pool

// Draw is one repeat of a data set. It is not safe for concurrent use.
type Draw interface {
	// Sample returns the first n points (n×D) and their classes (nil where
	// there are none): the sample of n is the beginning of that of any larger
	// n. The caller must not write to it.
	Sample(n int) (*mat.Dense, []int, error)
	// Rows is Sample, points to be read in blocks. It costs what the labels and an
	// index take, 8 to 16 bytes a point, where the data set does not hold its
	// points as numbers anyway.
	Rows(n int) (Rows, []int, error)
	// Population is P under kernel k with its first rank eigenpairs at hand;
	// nil where the data set declares none.
	Population(k kernel.Kernel, rank int) (Population, error)
	// HeldOut are the points that the population is uniform on (N×D) and their
	// classes (nil where there are none); nil where it is no set of points. The
	// caller must not write to them.
	HeldOut() (*mat.Dense, []int)
}

// Watched is implemented by a Dataset that may read points from files as they are
// needed.
type Watched interface {
	// Unchanged fails where such a file is no longer what it was when the data set
	// was opened: what was computed since may be of another content than
	// Fingerprint says.
	Unchanged() error
}

// Context is what opening a data set may need.
type Context struct {
	Context context.Context // cancels downloads
	Dir     string          // directory that relative paths start from
	Log     io.Writer       // progress of downloads
	Streams Streams         // streams of the data set itself, the same for every repeat
}

// Options are a data set's parameters in a spec.
type Options interface {
	// Open makes the data set ready: reads or fetches its files.
	Open(c Context) (Dataset, error)
}

// Validator is implemented by Options that can be checked further without
// opening anything.
type Validator interface {
	Validate() error
}

// lineDraw draws independent points on the real line.
type lineDraw struct {
	streams    Streams
	next       func(*rand.Rand) float64
	population Population
}

func (d lineDraw) Sample(n int) (*mat.Dense, []int, error) {
	rng := d.streams("sample")
	x := mat.NewDense(n, 1, nil)
	for i := range n {
		x.Set(i, 0, d.next(rng))
	}
	return x, nil, nil
}

func (d lineDraw) Rows(n int) (Rows, []int, error) { return held(d.Sample(n)) }

func (d lineDraw) Population(kernel.Kernel, int) (Population, error) { return d.population, nil }

func (d lineDraw) HeldOut() (*mat.Dense, []int) { return nil, nil }

// held are the rows of a sample that is in memory.
func held(x *mat.Dense, labels []int, err error) (Rows, []int, error) {
	if err != nil {
		return nil, nil, err
	}
	return files.DensePool{X: x}, labels, nil
}
