package methods

import (
	"context"
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"mercer/methods/exec"
)

// held is a program that answers for the estimate of its last fit until it is released.
type held struct {
	programs *exec.Programs
	program  *exec.Program // nil once released
}

// callFile is the file of a call's points in the scratch directory.
const callFile = "points.npy"

// ask calls map, assign or predict on the rows of x (n×D). The answer has the key alone, and what
// its array names is in the scratch directory until the next call.
func (h *held) ask(ctx context.Context, call, key string, x *mat.Dense) (exec.Answer, error) {
	if err := ctx.Err(); err != nil {
		return exec.Answer{}, err
	}
	if h.program == nil {
		panic("methods: a model asks a program that it has released")
	}
	if err := h.program.Scratch.WriteMatrix(callFile, x); err != nil {
		return exec.Answer{}, err
	}
	n, dim := x.Dims()
	result, err := h.program.Ask(ctx, exec.Call{Call: call, X: callFile, N: n, Dim: dim})
	if err == nil {
		err = result.Answer.Only("call: "+call, key)
	}
	if err != nil {
		return exec.Answer{}, fmt.Errorf("%s of %d points: %w", call, n, err)
	}
	return result.Answer, nil
}

func (h *held) release() error {
	if h.program == nil {
		return nil
	}
	program := h.program
	h.program = nil
	return h.programs.Put(program)
}

// images are the coordinate functions of an embedding that a program maps points into.
type images struct {
	held
	width int
}

// mapped is the embedding of an answer with map: true. The image of the first point says
// how many coordinates there are; it is no part of the fit's time.
func (r *reply) mapped(ctx context.Context) (*Embedding, error) {
	if r.Coef != nil || r.Points != nil || r.Indices != nil || r.Offset != nil || r.Isometric {
		return nil, errors.New("answer: map excludes coef, points, indices, offset and isometric: the program maps points itself")
	}
	defer r.problem.pause()()
	f := &images{held: r.held}
	_, dim := r.problem.X.Dims()
	first, err := f.image(ctx, r.problem.X.Slice(0, 1, 0, dim).(*mat.Dense))
	if err != nil {
		return nil, err
	}
	_, f.width = first.Dims()
	if r.sizes.D > 0 && f.width > r.sizes.D {
		return nil, fmt.Errorf("image: %d dimensions, and d = %d were asked for", f.width, r.sizes.D)
	}
	return &Embedding{Functions: f, Warnings: r.warnings}, nil
}

// image is where the program puts the rows of x.
func (f *images) image(ctx context.Context, x *mat.Dense) (*mat.Dense, error) {
	answer, err := f.ask(ctx, "map", "image", x)
	if err != nil {
		return nil, err
	}
	if answer.Image == nil {
		return nil, errors.New("answer: image is missing: one row a point")
	}
	z, err := f.program.Scratch.ReadMatrix("image", answer.Image)
	if err != nil {
		return nil, err
	}
	n, _ := x.Dims()
	if rows, columns := z.Dims(); rows != n || f.width > 0 && columns != f.width {
		return nil, fmt.Errorf("image: an array of %d×%d for %d points in %d dimensions", rows, columns, n, f.width)
	}
	return z, nil
}

func (f *images) mapTo(ctx context.Context, dst, x *mat.Dense) error {
	z, err := f.image(ctx, x)
	if err == nil {
		dst.Copy(z)
	}
	return err
}

// Len is the number of coordinates.
func (f *images) Len() int { return f.width }

// Eval panics with the error where the program fails: [Embedding.Map] returns it.
func (f *images) Eval(x *mat.Dense) *mat.Dense {
	z, err := f.image(context.Background(), x)
	if err != nil {
		panic(err)
	}
	return z
}

// assigning has the program assign points to its clusters. It gives no distances.
type assigning struct {
	held
	clusters int
}

func (a *assigning) Assign(ctx context.Context, x *mat.Dense) ([]int, []float64, error) {
	answer, err := a.ask(ctx, "assign", "labels", x)
	if err != nil {
		return nil, nil, err
	}
	if answer.Labels == nil {
		return nil, nil, errors.New("answer: labels is missing: one a point")
	}
	labels, err := a.program.Scratch.ReadIntegers("labels", answer.Labels, a.clusters)
	if err != nil {
		return nil, nil, err
	}
	if n, _ := x.Dims(); len(labels) != n {
		return nil, nil, fmt.Errorf("labels: %d numbers for %d points", len(labels), n)
	}
	return labels, nil, nil
}

func (*assigning) Distances() string { return "" }

// predictions is the regression function of a program that predicts itself.
type predictions struct{ held }

// Len is 1.
func (*predictions) Len() int { return 1 }

// predict are the predictions at the rows of x.
func (f *predictions) predict(ctx context.Context, x *mat.Dense) ([]float64, error) {
	answer, err := f.ask(ctx, "predict", "values", x)
	if err != nil {
		return nil, err
	}
	if answer.Values == nil {
		return nil, errors.New("answer: values is missing: one a point")
	}
	values, err := f.program.Scratch.ReadVector("values", answer.Values)
	if err != nil {
		return nil, err
	}
	if n, _ := x.Dims(); len(values) != n {
		return nil, fmt.Errorf("values: %d numbers for %d points", len(values), n)
	}
	return values, nil
}

// Eval panics with the error where the program fails: [Regression.Predict] returns it.
func (f *predictions) Eval(x *mat.Dense) *mat.Dense {
	values, err := f.predict(context.Background(), x)
	if err != nil {
		panic(err)
	}
	return mat.NewDense(len(values), 1, values)
}

// heldBy is the program that a model holds, nil for none.
func heldBy(m Model) *held {
	switch m := m.(type) {
	case *Embedding:
		if f, ok := m.Functions.(*images); ok {
			return &f.held
		}
	case *Regression:
		if f, ok := m.Functions.(*predictions); ok {
			return &f.held
		}
	case *Clustering:
		if a, ok := m.Partition.(*assigning); ok {
			return &a.held
		}
		if m.Embedding != nil {
			return heldBy(m.Embedding)
		}
	}
	return nil
}

// Release gives back what a model holds beside memory: the process of a program that maps or
// assigns points or predicts at them, which may then serve other fits. The model must not be evaluated
// afterwards. It may be called twice.
func Release(m Model) error {
	if h := heldBy(m); h != nil {
		return h.release()
	}
	return nil
}
