package methods

import (
	"context"
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
	"mercer/methods/exec"
)

// served is a program that answers for the estimate of its last fit until it is released:
// the functions of an embedding (map) or of a regression (predict), or a partition (assign).
type served struct {
	programs *exec.Programs
	program  *exec.Program // nil once released
	call     string        // map, predict or assign
	width    int           // how many coordinates, 0 before they are known; of assign, clusters
}

// callFile is the file of a call's points in the scratch directory.
const callFile = "points.npy"

// ask calls the program on the rows of x (n×D). The answer has the key alone, and what
// its array names is in the scratch directory until the next call.
func (s *served) ask(ctx context.Context, key string, x *mat.Dense) (exec.Answer, error) {
	if err := ctx.Err(); err != nil {
		return exec.Answer{}, err
	}
	if s.program == nil {
		panic("methods: a model asks a program that it has released")
	}
	if err := s.program.Scratch.WriteMatrix(callFile, x); err != nil {
		return exec.Answer{}, err
	}
	n, dim := x.Dims()
	result, err := s.program.Ask(ctx, exec.Call{Call: s.call, X: callFile, N: n, Dim: dim})
	if err == nil {
		err = result.Answer.Only("call: "+s.call, key)
	}
	if err != nil {
		return exec.Answer{}, fmt.Errorf("%s of %d points: %w", s.call, n, err)
	}
	return result.Answer, nil
}

// vector reads so many numbers, one for each of what of names.
func (s *served) vector(name string, a *exec.Array, count int, of string) ([]float64, error) {
	if a == nil {
		return nil, fmt.Errorf("answer: %s is missing: one number for each of %d %s", name, count, of)
	}
	values, err := s.program.Scratch.ReadVector(name, a)
	if err == nil && len(values) != count {
		err = fmt.Errorf("%s: %d numbers for %d %s", name, len(values), count, of)
	}
	return values, err
}

// labels reads the clusters of points.
func (s *served) labels(a *exec.Array, points, clusters int) ([]int, error) {
	if a == nil {
		return nil, errors.New("answer: labels is missing: one a point")
	}
	labels, err := s.program.Scratch.ReadIntegers("labels", a, clusters)
	if err == nil && len(labels) != points {
		err = fmt.Errorf("labels: %d numbers for %d points", len(labels), points)
	}
	return labels, err
}

// values are the functions at the rows of x: where the program puts these, or what it
// predicts there.
func (s *served) values(ctx context.Context, x *mat.Dense) (*mat.Dense, error) {
	n, _ := x.Dims()
	if s.call == "predict" {
		answer, err := s.ask(ctx, "values", x)
		if err != nil {
			return nil, err
		}
		values, err := s.vector("values", answer.Values, n, "points")
		if err != nil {
			return nil, err
		}
		return mat.NewDense(n, 1, values), nil
	}
	answer, err := s.ask(ctx, "image", x)
	if err != nil {
		return nil, err
	}
	if answer.Image == nil {
		return nil, errors.New("answer: image is missing: one row a point")
	}
	z, err := s.program.Scratch.ReadMatrix("image", answer.Image)
	if err != nil {
		return nil, err
	}
	if rows, columns := z.Dims(); rows != n || s.width > 0 && columns != s.width {
		return nil, fmt.Errorf("image: an array of %d×%d for %d points in %d dimensions", rows, columns, n, s.width)
	}
	return z, nil
}

// valuesOf is Eval, with the error of a program.
func valuesOf(ctx context.Context, f kernel.Functions, x *mat.Dense) (*mat.Dense, error) {
	if s, ok := f.(*served); ok {
		return s.values(ctx, x)
	}
	return f.Eval(x), nil
}

func (s *served) mapTo(ctx context.Context, dst, x *mat.Dense) error {
	z, err := s.values(ctx, x)
	if err == nil {
		dst.Copy(z)
	}
	return err
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
	answer, err := s.ask(ctx, "labels", x)
	if err != nil {
		return nil, nil, err
	}
	n, _ := x.Dims()
	labels, err := s.labels(answer.Labels, n, s.width)
	return labels, nil, err
}

// Distances says that there are none.
func (*served) Distances() string { return "" }

// mapped is the embedding of an answer with map: true. The image of the first point says
// how many coordinates there are; it is no part of the fit's time.
func (r *reply) mapped(ctx context.Context) (*Embedding, error) {
	if r.Coef != nil || r.Points != nil || r.Indices != nil || r.Offset != nil || r.Isometric {
		return nil, errors.New("answer: map excludes coef, points, indices, offset and isometric: the program maps points itself")
	}
	defer r.problem.pause()()
	f := r.serves("map", 0)
	_, dim := r.problem.X.Dims()
	first, err := f.values(ctx, r.problem.X.Slice(0, 1, 0, dim).(*mat.Dense))
	if err != nil {
		return nil, err
	}
	_, f.width = first.Dims()
	if r.sizes.D > 0 && f.width > r.sizes.D {
		return nil, fmt.Errorf("image: %d dimensions, and d = %d were asked for", f.width, r.sizes.D)
	}
	return &Embedding{Functions: f, Warnings: r.warnings}, nil
}

// serves is the program of the answer, which a model keeps for calls.
func (r *reply) serves(call string, width int) *served {
	return &served{programs: r.served.programs, program: r.served.program, call: call, width: width}
}

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
	if s == nil || s.program == nil {
		return nil
	}
	program := s.program
	s.program = nil
	return s.programs.Put(program)
}
