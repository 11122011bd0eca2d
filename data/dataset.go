package data

import (
	"context"
	"encoding"
	"io"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"mercer/data/files"
	"mercer/internal/kernel"
)

// Source is a source of random numbers whose state can be kept and returned to, as
// those of math/rand/v2.
type Source interface {
	rand.Source
	encoding.BinaryAppender
	encoding.BinaryUnmarshaler
}

// Streams gives the random numbers of a purpose, from their beginning: the same
// purpose, the same numbers. It is safe for concurrent use.
type Streams func(purpose string) Source

// rand is the stream of a purpose.
func (s Streams) rand(purpose string) *rand.Rand { return rand.New(s(purpose)) }

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
	// Support is what the populations of its draws are.
	Support() Support
	// Draw is one repeat's sample and its population.
	Draw(streams Streams) (Draw, error)
	// Unchanged fails where a file that points are read from as they are needed is no
	// longer what it was when the data set was opened: what was computed since may be
	// of another content than Fingerprint says.
	Unchanged() error
}

// Support is what a population lives on, and what samples are drawn from.
type Support struct {
	Closed bool // no set of points, but a distribution with operators in closed form
	// Functions is how many functions carry the operators of a closed form, up to what
	// Uncentred leaves out; 0 where it is not known.
	Functions int
	// Rank is how many eigenvalues of a closed form are above rounding, which kernel
	// matrices do not exceed; 0 where they are many, or not known.
	Rank   int
	Points int  // 0 where there is no population
	Shared bool // the same points in all repeats
	// Atoms is how many points all samples are drawn from, with replacement: they are
	// counts, see Draw.Counted. 0 where samples are points of their own.
	Atoms int
	// Independent says that samples are independent draws from the population itself,
	// not from a law that its points were drawn from too, nor without replacement.
	Independent bool
	// Resampled says that repeats divide the same points anew, or are tested on the same ones:
	// how errors scatter over repeats is less than over new data.
	Resampled bool
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
	// Rows is Sample, points to be read in blocks. It takes what the labels and an
	// index take, 8 to 24 bytes a point, and no more; and where points are drawn one
	// after another, the time of drawing them once.
	Rows(n int) (Rows, []int, error)
	// Counted are the samples as counts, where Support.Atoms is not 0; else nil. Sample
	// and Rows then write small ones out.
	Counted() *Counts
	// Population is P under kernel k with its first rank eigenpairs at hand;
	// nil where the data set declares none.
	Population(k kernel.Kernel, rank int) (Population, error)
	// HeldOut are the points that the population is uniform on (N×D) and their
	// classes (nil where there are none); nil where it is no set of points. The
	// caller must not write to them.
	HeldOut() (*mat.Dense, []int)
}

// Supervised is a Draw whose points may have responses that were measured.
type Supervised interface {
	// Responses are those of the first n points, and of the held-out points. The caller must
	// not write to them.
	Responses(n int) Responses
}

// Responses are what points have beside their coordinates, to be predicted. The zero value has
// none.
type Responses struct {
	Sample, HeldOut *mat.Dense // n×1 and N×1; nil where there are none
	// Unit is what 1 stands for in the unit of the file: the standard deviation that they were
	// divided by, else 1.
	Unit float64
}

// OneVsAll are classes as responses, as scikit-learn's RidgeClassifier codes them: n×classes
// numbers, 1 in the column of a point's class and −1 elsewhere; of two classes the column of
// the second one alone.
func OneVsAll(labels []int, classes int) *mat.Dense {
	from := 0
	if classes == 2 {
		from = 1
	}
	y := mat.NewDense(len(labels), classes-from, nil)
	y.Apply(func(i, j int, _ float64) float64 {
		if labels[i] == j+from {
			return 1
		}
		return -1
	}, y)
	return y
}

// Context is what opening a data set may need.
type Context struct {
	Context context.Context // ends downloads and reading; nil: nothing does
	Dir     string          // directory that relative paths start from
	Log     io.Writer       // progress of downloads; nil: none
	Streams Streams         // streams of the data set itself, the same for every repeat
	Memory  int64           // bytes that reading a file may take; 0: files.DefaultMemory

	kernel kernel.Kernel // that the points of a table bring with them; nil for none
}

func (c Context) context() context.Context {
	if c.Context == nil {
		return context.Background()
	}
	return c.Context
}

func (c Context) log() io.Writer {
	if c.Log == nil {
		return io.Discard
	}
	return c.Log
}

// opener opens the data set's files.
func (c Context) opener() files.Opener { return files.Opener{Context: c.context(), Memory: c.Memory} }

// Options are a data set's parameters in a spec.
type Options interface {
	// Validate checks what decoding does not, without opening anything.
	Validate() error
	// Traits are what a plan asks before anything is opened.
	Traits() Traits
	// Open makes the data set ready: reads or fetches its files.
	Open(c Context) (Dataset, error)
}

// Traits are what a plan asks of a data set with its parameters.
type Traits struct {
	Population bool // its draws have a population
	HeldOut    bool // that is a set of points, see Draw.HeldOut
	Self       bool // samples are drawn from these points, too
	Fixed      bool // every repeat has the same sample
	Counts     bool // samples are counts, see Support.Atoms
	Response   bool // points have responses of a known law, see Responding
	Responses  bool // points have responses that were measured, see Supervised
	Classes    bool // points have classes
	// Kernel is of the type of kernel that a data set brings which is read; nil for none.
	Kernel kernel.Kernel
}

// RowsOf are the rows of a matrix, which is not copied.
func RowsOf(x *mat.Dense) Rows { return files.DensePool{X: x} }

// View are the points from … to−1 where they are in memory as rows of a matrix one
// after another, not to be written to; else nil.
func View(rows Rows, from, to int) *mat.Dense {
	if v, ok := rows.(files.Viewer); ok {
		return v.View(from, to)
	}
	return nil
}

// ReadError is a file that cannot be read any more or was changed while it was in
// use. Rows panic with it.
type ReadError = files.ReadError

// Entry is a data set that specs can name.
type Entry struct {
	Doc string         // what it draws from
	New func() Options // options that hold the defaults
	// Population says that the data set brings its own kernel.
	Population bool
	// Constants are the names that expressions may use, as far as they are
	// known before the data set is opened.
	Constants []string
}
