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
	"strings"
	"time"

	"gonum.org/v1/gonum/mat"

	"mercer/internal/cost"
	"mercer/internal/kernel"
	"mercer/internal/sizes"
	"mercer/methods/exec"
)

// ExecOptions are the parameters of a program that is run as a method.
type ExecOptions struct {
	Command []string          `yaml:"command" fixed:"true" required:"true" minlen:"1" doc:"the program and its arguments; {dir} is the directory of the spec; a relative program path starts there too. run and submit run this program; plan, validate and show do not"`
	Model   string            `yaml:"model" required:"true" enum:"subspace,embedding,clustering,regression" doc:"kind of the answer"`
	Timeout time.Duration     `yaml:"timeout" doc:"time limit of one fit without the start of the program (default 10m, 0 for none), after which the program and all it started are killed"`
	Silence time.Duration     `yaml:"silence" json:",omitzero" doc:"longest time in a fit without a line {\"alive\":2} (default 0, any), after which the program is killed as at its timeout"`
	Version string            `yaml:"version" fixed:"true" doc:"raise it when results change but no file of the command does"`
	Env     map[string]string `yaml:"env" fixed:"true" doc:"environment variables to set for the program; {dir} as in command"`
	Inherit []string          `yaml:"inherit" fixed:"true" json:",omitzero" unique:"true" doc:"names of the environment variables that the program inherits from mercer, [] for none; default all. env adds to them"`
	Gram    bool              `yaml:"gram" doc:"also pass the n×n kernel matrix"`
	Uses    []string          `yaml:"uses" fixed:"true" enum:"n,m,d,ell,k" unique:"true" minlen:"1" doc:"sizes that the program gets and its result depends on; default all of the grid, ell for a subspace alone"`
	Nested  bool              `yaml:"nested" doc:"the first ell components of a fit are those of a fit at ell, so that one fit serves every ell"`
}

// shapesOfPrograms are the shapes by what a spec calls them.
var shapesOfPrograms = map[string]string{"subspace": ShapeSubspace, "embedding": ShapeEmbedding, "clustering": ShapeClustering, "regression": ShapeRegression}

// Method checks the parameters. The method it returns must be opened before it
// is fitted.
func (o *ExecOptions) Method() (Method, error) {
	var problems []error
	refuse := func(bad bool, format string, args ...any) {
		if bad {
			problems = append(problems, fmt.Errorf(format, args...))
		}
	}
	refuse(len(o.Command) == 0 || o.Command[0] == "", "command: the first entry names the program")
	refuse(shapesOfPrograms[o.Model] == "", "model %q: must be subspace, embedding, clustering or regression", o.Model)
	refuse(o.Timeout < 0, "timeout %v: must not be negative", o.Timeout)
	refuse(o.Silence < 0, "silence %v: must not be negative", o.Silence)
	refuse(strings.ContainsRune(strings.Join(o.Command, ""), 0), "command: a word holds a zero byte")
	refuse(!slices.Contains(o.uses(), "n"), "uses %v: must have n, the number of points", o.uses())
	refuse(o.Model == "clustering" && !slices.Contains(o.uses(), "k"), "uses %v: must have k for a clustering", o.uses())
	refuse(o.Model == "subspace" && !slices.Contains(o.uses(), "ell"), "uses %v: must have ell for a subspace", o.uses())
	refuse(o.Model != "subspace" && (o.Nested || slices.Contains(o.uses(), "ell")), "nested and ell in uses are for model: subspace")
	for name, value := range o.Env {
		refuse(name == "" || strings.ContainsAny(name, "=\x00") || strings.Contains(value, "\x00"), "env: %q=%q cannot be set", name, value)
	}
	for _, name := range o.Inherit {
		refuse(name == "" || strings.ContainsAny(name, "=\x00"), "inherit: %q is no name of a variable; env sets values", name)
	}
	return external{options: *o}, errors.Join(problems...)
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

// Adapt fits the registry's entry to the program.
func (o *ExecOptions) Adapt(e Entry) Entry {
	e.Uses, e.Gram, e.Shape = o.uses(), o.Gram, shapesOfPrograms[o.Model]
	e.PerEll = o.Model == "subspace" && !o.Nested
	if o.Model == "subspace" {
		e.Space, e.Cut = "", CutAlways // its components alone are known
	}
	e.Version += "." + o.Version
	return e
}

// external has programs fit, each of which serves one fit after another; see
// docs/exec.md for what passes between them. The components of a subspace are made orthonormal in H here, in their
// order (so that the first ℓ span what they did), with a warning where their
// inner products were off by more than maxDeviation.
type external struct {
	options  ExecOptions
	programs *exec.Programs // nil before Open
}

// Cost counts as many coefficients as functions, and of a subspace the values that
// they are checked by. What the program takes is not known.
func (e external) Cost(_ kernel.Kernel, s Sizes, dim float64) cost.Cost {
	n, functions := float64(s.N), float64(max(1, s.Ell, s.D, s.K))
	c := cost.Cost{Flops: n * n * (dim + functions)}.Plus(cost.Numbers(n * functions))
	if e.options.Model == "subspace" {
		c = c.Plus(cost.Numbers(n * functions))
	}
	return c
}

// Open finds the program. The identity is all of the parameters but the time
// limits, and the SHA-256 of the files that the command names.
func (e external) Open(dir string) (Method, string, error) {
	command, err := exec.Find(dir, e.options.Command, e.options.Env)
	if err != nil {
		return e, "", err
	}
	command.Timeout, command.Silence, command.Inherit = e.options.Timeout, e.options.Silence, e.options.Inherit
	files := map[string]string{}
	for _, f := range command.Files {
		files[f.Word] = f.SHA256
	}
	o := e.options
	o.Timeout, o.Silence = 0, 0
	identity, err := json.Marshal(struct {
		Options ExecOptions
		Files   map[string]string
	}{o, files})
	e.programs = exec.NewPrograms(command)
	return e, string(identity), err
}

func (e external) Check(k kernel.Kernel, s Sizes, _ int) error {
	if e.options.Model == "clustering" && s.K < 1 {
		return errors.New("the grid gives no k: a clustering needs a number of clusters")
	}
	_, err := kernel.FormOf(k)
	return err
}

// CPU is the processor time that its programs have taken.
func (e external) CPU() float64 { return e.programs.CPU() }

// Close ends its programs.
func (e external) Close() error { return e.programs.Close() }

// Fit takes the time from the request to the answer as the phase exec; phases that the
// program reports itself lie within. The start and the end of a program are no part of
// the fit's time. A program that maps or assigns points or predicts at them stays with the model until that is
// released.
func (e external) Fit(ctx context.Context, p Problem, rng *rand.Rand) (model Model, err error) {
	if e.programs == nil {
		panic("methods: a program is fitted that was not opened")
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	threads := 1 // groups are computed side by side, and results must not depend on the machine
	if p.Clock != nil {
		threads = runtime.GOMAXPROCS(0)
	}
	resume := p.pause()
	program, err := e.programs.Take(ctx, threads)
	resume()
	if err != nil {
		return nil, err
	}
	defer func() {
		if err == nil && servedBy(model) != nil {
			return
		}
		defer p.pause()()
		if put := e.programs.Put(program); put != nil {
			model, err = nil, errors.Join(err, put)
		}
	}()
	return e.fit(ctx, p, program, threads, rng)
}

func (e external) fit(ctx context.Context, p Problem, program *exec.Program, threads int, rng *rand.Rand) (Model, error) {
	request, err := e.request(p, program.Scratch, rng)
	if err != nil {
		return nil, err
	}
	request.Threads = threads
	result, err := program.Fit(ctx, request, func() func() { return p.phase("exec") })
	if err != nil {
		return nil, err
	}
	if p.Clock != nil {
		for _, phase := range slices.Sorted(maps.Keys(result.Answer.Seconds)) {
			p.Clock.Add(phase, result.Answer.Seconds[phase])
		}
	}
	r := reply{Answer: result.Answer, served: served{programs: e.programs, program: program}, problem: p, sizes: e.sizes(p.Sizes), warnings: result.Answer.Warnings}
	if result.Stderr != "" {
		r.warnings = append(r.warnings, "stderr: "+exec.Shorten(result.Stderr, stderrInWarning))
	}
	return r.model(ctx, e.options.Model)
}

// stderrInWarning is how many bytes of what a program printed on standard error
// go into a warning, where it ended well.
const stderrInWarning = 500

// sizes are those that the program uses; the others are 0, because they depend
// on which cell of those that share the fit came first.
func (e external) sizes(s Sizes) Sizes { return s.Only(e.options.uses()...) }

// request writes the arrays and says what is asked for.
func (e external) request(p Problem, scratch *exec.Scratch, rng *rand.Rand) (exec.Request, error) {
	n, dim := p.X.Dims()
	s := e.sizes(p.Sizes)
	r := exec.Request{
		Model: e.options.Model, Dir: scratch.Dir(), X: "X.npy", N: n, Dim: dim,
		M: s.M, D: s.D, Ell: s.Ell, K: s.K, Seed: rng.Int32(),
	}
	var err error
	if r.Kernel, err = kernel.FormOf(p.Kernel); err != nil {
		return r, err
	}
	if err := scratch.WriteMatrix(r.X, p.X); err != nil {
		return r, err
	}
	if e.options.Model == "regression" {
		if err := p.checkResponses(); err != nil {
			return r, err
		}
		r.Y = "y.npy"
		if err := scratch.WriteMatrix(r.Y, mat.NewDense(n, 1, p.Responses)); err != nil {
			return r, err
		}
	}
	if !e.options.Gram {
		return r, nil
	}
	r.Gram = "gram.npy"
	return r, scratch.WriteSymmetric(r.Gram, p.gram())
}
