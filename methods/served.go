package methods

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
	"mercer/methods/exec"
)

// served is a process that answers for the estimate of its last fit until it is released:
// the functions of an embedding (map) or of a regression (predict), or a partition (assign).
type served struct {
	process *exec.Program // nil once released
	call    string        // map, predict or assign
	width   int           // how many coordinates, 0 before they are known; of assign, clusters; of predict, responses
}

// callFile is the file of a call's points in the scratch directory.
const callFile = "points.npy"

// ask calls the program on the rows of x (n×D), to be answered by the array of a key.
func (s *served) ask(ctx context.Context, key string, x *mat.Dense) (exec.Answer, error) {
	if err := ctx.Err(); err != nil {
		return exec.Answer{}, err
	}
	if s.process == nil {
		panic("methods: a model asks a program that it has released")
	}
	if err := s.process.Scratch.Write(callFile, x); err != nil {
		return exec.Answer{}, err
	}
	n, dim := x.Dims()
	got, err := s.process.Ask(ctx, exec.Request{Call: s.call, X: callFile, N: n, Dim: dim}, []string{key}, nil)
	if err != nil {
		return got, fmt.Errorf("%s of %d points: %w", s.call, n, err)
	}
	return got, nil
}

// values are the functions at the rows of x: where the program puts these, or what it
// predicts there.
func (s *served) values(ctx context.Context, x *mat.Dense) (*mat.Dense, error) {
	n, _ := x.Dims()
	if s.call == "predict" { // q numbers a point, one after another
		got, err := s.ask(ctx, "values", x)
		if err != nil {
			return nil, err
		}
		values, err := got.Vector("values", n*s.width)
		if err != nil {
			return nil, err
		}
		return mat.NewDense(n, s.width, values), nil
	}
	got, err := s.ask(ctx, "image", x)
	if err != nil {
		return nil, err
	}
	return got.Array("image", n, s.width)
}

// valuesOf is Eval, with the error of a program.
func valuesOf(ctx context.Context, f kernel.Functions, x *mat.Dense) (*mat.Dense, error) {
	if s, ok := f.(*served); ok {
		return s.values(ctx, x)
	}
	return f.Eval(x), nil
}

// Len is the number of coordinates.
func (s *served) Len() int { return s.width }

// Eval panics with the error where the program fails: [Embedding.Map] and
// [Regression.Predict] return it.
func (s *served) Eval(x *mat.Dense) *mat.Dense {
	z, err := s.values(context.Background(), x)
	if err != nil {
		panic(err)
	}
	return z
}

// Assign has the program assign points to its clusters. It gives no distances.
func (s *served) Assign(ctx context.Context, x *mat.Dense) ([]int, []float64, error) {
	got, err := s.ask(ctx, "labels", x)
	if err != nil {
		return nil, nil, err
	}
	n, _ := x.Dims()
	labels, err := got.Integers("labels", n, s.width)
	return labels, nil, err
}

// Distances says that there are none.
func (*served) Distances() string { return "" }

// servedBy is the program that a model keeps, nil for none.
func servedBy(m Model) *served {
	var part any
	switch m := m.(type) {
	case *Embedding:
		part = m.Functions
	case *Regression:
		part = m.Functions
	case *Clustering:
		if part = m.Partition; m.Embedding != nil {
			part = m.Embedding.Functions
		}
	}
	s, _ := part.(*served)
	return s
}

// Release gives back what a model holds beside memory: the process of a program that maps or
// assigns points or predicts at them, which may then serve other fits. The model must not be evaluated
// afterwards. It may be called twice.
func Release(m Model) error {
	s := servedBy(m)
	if s == nil || s.process == nil {
		return nil
	}
	process := s.process
	s.process = nil
	return process.Put()
}
