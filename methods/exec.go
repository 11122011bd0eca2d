package methods

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime"
	"slices"

	"gonum.org/v1/gonum/mat"

	"mercer/internal/cost"
	"mercer/internal/kernel"
	"mercer/internal/sizes"
	"mercer/methods/exec"
)

var _ = register("exec", Entry{
	Doc:       "a program in any language that serves one fit after another (protocol: docs/exec.md)",
	Reference: "the program's own",
	Cost:      "that of the program; p²D + npℓ flops to check functions over p points",
	Accuracy:  "that of the program",
	Version:   "1",
	Plain:     "model: embedding, command: [sh, PROGRAM]",
	New:       func() Options { return &ExecOptions{Options: exec.DefaultOptions()} },
})

// ExecOptions are the parameters of a program that is run as a method.
type ExecOptions struct {
	exec.Options
	Model string   `yaml:"model" required:"true" enum:"subspace,embedding,clustering,regression" doc:"kind of the answer"`
	Gram  bool     `yaml:"gram" doc:"also pass the n×n kernel matrix"`
	Uses  []string `yaml:"uses" fixed:"true" enum:"n,m,d,ell,k" unique:"true" minlen:"1" doc:"sizes that the program gets and its result depends on; default all of the grid, ell for a subspace alone"`
}

// MarshalJSON has the time limit as 0, which determines no result: keys of records were made
// of this text before programs were other things than methods.
func (o *ExecOptions) MarshalJSON() ([]byte, error) {
	type options struct {
		Command []string
		Model   string
		Timeout int
		Version string
		Env     map[string]string
		Gram    bool
		Uses    []string
	}
	return json.Marshal(struct {
		Options options
		Files   map[string]string
	}{options{o.Command, o.Model, 0, o.Version, o.Env, o.Gram, o.Uses}, o.Files})
}

// programModels are the kinds of answers, by what a spec calls them.
var programModels = map[string]struct {
	shape string
	takes []string // keys of the answer
}{
	"subspace":   {ShapeSubspace, []string{"points", "indices", "coef", "values", "centered"}},
	"embedding":  {ShapeEmbedding, []string{"points", "indices", "coef", "offset", "isometric", "map"}},
	"clustering": {ShapeClustering, []string{"labels", "centers", "center_coef", "points", "indices", "coef", "offset", "isometric", "map", "assign"}},
	"regression": {ShapeRegression, []string{"points", "indices", "coef", "predict"}},
}

// Method checks the parameters. The program must be found before it is fitted.
func (o *ExecOptions) Method() (Method, error) {
	problems := []error{o.Check()}
	refuse := func(bad bool, format string, args ...any) {
		if bad {
			problems = append(problems, fmt.Errorf(format, args...))
		}
	}
	refuse(programModels[o.Model].shape == "", "model %q: must be subspace, embedding, clustering or regression", o.Model)
	refuse(!slices.Contains(o.uses(), "n"), "uses %v: must have n, the number of points", o.uses())
	refuse(o.Model == "clustering" && !slices.Contains(o.uses(), "k"), "uses %v: must have k for a clustering", o.uses())
	refuse(o.Model == "subspace" && !slices.Contains(o.uses(), "ell"), "uses %v: must have ell for a subspace", o.uses())
	refuse(o.Model != "subspace" && slices.Contains(o.uses(), "ell"), "uses %v: ell is for model: subspace", o.uses())
	return program{o}, errors.Join(problems...)
}

// Traits are those of the kind of its answer; where that is not known, of any.
func (o *ExecOptions) Traits() Traits {
	t := Traits{
		Uses: o.uses(), Shape: programModels[o.Model].shape, Space: SpaceAnswers, Gram: o.Gram,
		Program: "." + o.Version, NoCounts: "a program is given points",
	}
	switch o.Model {
	case "subspace": // its components alone are known
		t.Space, t.Cut, t.PerEll = "", CutAlways, true
	case "":
		t.Uses, t.Shape = sizes.Names, ShapeSubspace
	}
	return t
}

// uses are the sizes that the program is told.
func (o *ExecOptions) uses() []string {
	switch {
	case o.Uses != nil:
		return o.Uses
	case o.Model == "subspace":
		return sizes.Names
	}
	return []string{"n", "m", "d", "k"}
}

// program is a method that a program fits; see docs/exec.md for what passes between them.
type program struct{ options *ExecOptions }

// Cost counts as many coefficients as functions, and of a subspace the values that
// they are checked by. What the program takes is not known.
func (e program) Cost(_ kernel.Kernel, s Sizes, dim float64) cost.Cost {
	n, functions := float64(s.N), float64(max(1, s.Ell, s.D, s.K))
	c := cost.Cost{Flops: n * n * (dim + functions)}.Plus(cost.Numbers(n * functions))
	if e.options.Model == "subspace" {
		c = c.Plus(cost.Numbers(n * functions))
	}
	return c
}

func (e program) Check(k kernel.Kernel, s Sizes) error {
	if e.options.Model == "clustering" && s.K < 1 {
		return errors.New("the grid gives no k: a clustering needs a number of clusters")
	}
	if !e.options.Gram {
		if err := kernel.CheckCoordinates(k); err != nil {
			return err
		}
	}
	_, err := kernel.FormOf(k)
	return err
}

// Fit takes the time from the request to the answer as the phase exec; phases that the
// program reports itself lie within. The start and the end of a process are no part of
// the fit's time. A process that maps or assigns points or predicts at them stays with the
// model until that is released.
func (e program) Fit(ctx context.Context, p Sample, rng *rand.Rand) (model Model, err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	threads := 1 // groups are computed side by side, and results must not depend on the machine
	if p.Clock != nil {
		threads = runtime.GOMAXPROCS(0)
	}
	resume := p.pause()
	process, err := e.options.Take(ctx, threads)
	resume()
	if err != nil {
		return nil, err
	}
	defer func() {
		if err == nil && servedBy(model) != nil {
			return
		}
		defer p.pause()()
		if put := process.Put(); put != nil {
			model, err = nil, errors.Join(err, put)
		}
	}()

	request, err := e.request(p, process.Scratch, rng)
	if err != nil {
		return nil, err
	}
	request.Threads = threads
	got, err := process.Ask(ctx, request, programModels[e.options.Model].takes, func() func() { return p.phase("exec") })
	if err != nil {
		return nil, err
	}
	if p.Clock != nil {
		for _, phase := range slices.Sorted(maps.Keys(got.Seconds)) {
			p.Clock.Add(phase, got.Seconds[phase])
		}
	}
	p.Sizes = e.sizes(p.Sizes)
	return answer{got, p, process}.model(ctx, e.options.Model)
}

// sizes are those that the program uses; the others are 0, because they depend
// on which cell of those that share the fit came first.
func (e program) sizes(s Sizes) Sizes { return s.Only(e.options.uses()...) }

// request writes the arrays and says what is asked for.
func (e program) request(p Sample, scratch *exec.Scratch, rng *rand.Rand) (exec.Request, error) {
	n, dim := p.X.Dims()
	form, err := kernel.FormOf(p.Kernel)
	if err != nil {
		return exec.Request{}, err
	}
	s := e.sizes(p.Sizes)
	r := exec.Request{
		Model: e.options.Model, X: "X.npy", N: n, Dim: dim,
		Fit: &exec.Fit{M: s.M, D: s.D, Ell: s.Ell, K: s.K, Kernel: form, Seed: rng.Int32()},
	}

	arrays := map[string]mat.Matrix{r.X: p.X}
	if e.options.Model == "regression" {
		if err := p.checkResponses(); err != nil {
			return r, err
		}
		r.Y = "y.npy"
		arrays[r.Y] = p.Responses
	}
	if e.options.Gram {
		r.Gram = "gram.npy"
		arrays[r.Gram] = p.matrix()
	}
	for name, array := range arrays {
		err = errors.Join(err, scratch.Write(name, array))
	}
	return r, err
}
