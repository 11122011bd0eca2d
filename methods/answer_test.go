package methods_test

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
	"mercer/methods"
	"mercer/methods/exec"
)

// answering is a program of a model that prints a line, without a look at the
// request, fitted to 6 points of the plane.
func answering(t *testing.T, model, answer string) (methods.Model, methods.Sample, error) {
	t.Helper()
	noScratchLeft(t)
	method := opened(t, asks(model, "printf", `{"ready":2}\n%s`, answer))
	problem := methods.Sample{X: uniformPoints(3, 6, 2), Kernel: kernel.NewGaussian(1), Responses: mat.NewDense(6, 1, nil), Sizes: methods.Sizes{N: 6, M: 2, Ell: 2, K: 2}}
	if err := method.Check(problem.Kernel, problem.Sizes); err != nil {
		t.Fatal(err)
	}
	fitted, err := method.Fit(context.Background(), problem, newRand(1))
	return fitted, problem, err
}

// TestSubspaceAnswer: components are made orthonormal in their order, with a
// warning where they were not; the centre is their mean over the sample.
func TestSubspaceAnswer(t *testing.T) {
	model, problem, err := answering(t, "subspace", `{"indices":[0,3],"coef":[[2,1],[0,1]],"values":[0.5,0.25],"centered":true,"warnings":["slow"]}`)
	if err != nil {
		t.Fatal(err)
	}
	s := model.(*methods.Subspace)
	k := problem.Kernel.At(problem.X.RawRowView(0), problem.X.RawRowView(3))
	// Gram-Schmidt by hand: f_1 = k_0, f_2 = (k_3 - k·k_0)/√(1-k²), as k_0 and k_0 + k_3 span it.
	norm := math.Sqrt(1 - k*k)
	want := mat.NewDense(2, 2, []float64{1, -k / norm, 0, 1 / norm})
	if !mat.EqualApprox(s.Coef, want, 1e-14) {
		t.Errorf("coefficients %v, want %v", mat.Formatted(s.Coef), mat.Formatted(want))
	}
	values := s.Eval(problem.X)
	for i := range 2 {
		if mean := mat.Sum(values.ColView(i)) / 6; math.Abs(s.Center[i]-mean) > 1e-15 {
			t.Errorf("centre %d is %g, want %g", i, s.Center[i], mean)
		}
	}
	caveats := s.Caveats(2)
	says := fmt.Sprintf("inner products off by %.1e: made so in their order", max(3, 2+2*k)) // ‖2k_0‖² − 1, ⟨2k_0, k_0 + k_3⟩
	if len(caveats) != 2 || caveats[0] != "slow" || !strings.Contains(caveats[1], says) {
		t.Errorf("caveats %q, want one that says %q", caveats, says)
	}
}

// TestEmbeddingAnswer: coordinates are functions of the kernel, less the offset.
func TestEmbeddingAnswer(t *testing.T) {
	model, problem, err := answering(t, "embedding", `{"points":[[0,0],[1,1]],"coef":[[1,2,0],[0,1,-1]],"offset":[0.5,0,-1]}`)
	if err != nil {
		t.Fatal(err)
	}
	e := model.(*methods.Embedding)
	x := problem.X.RawRowView(4)
	a, b := problem.Kernel.At(x, []float64{0, 0}), problem.Kernel.At(x, []float64{1, 1})
	z := e.Eval(problem.X)
	for i, want := range []float64{a - 0.5, 2*a + b, -b + 1} {
		if math.Abs(z.At(4, i)-want) > 1e-14 {
			t.Errorf("coordinate %d is %g, want %g", i, z.At(4, i), want)
		}
	}
	if e.Isometric || e.Dim() != 3 {
		t.Errorf("isometric %v, dimension %d", e.Isometric, e.Dim())
	}
	model, _, err = answering(t, "embedding", `{"indices":[2],"coef":[[1]],"isometric":true}`)
	if err != nil || !model.(*methods.Embedding).Isometric {
		t.Errorf("an isometric embedding: %+v, error %v", model, err)
	}
}

// TestClusteringAnswer: centres in the input space, in an embedding (with and
// without what the projection leaves) and in H, by definition.
func TestClusteringAnswer(t *testing.T) {
	const labels = `"labels":[0,1,0,1,1,0],"iterations":4`
	p := [][]float64{{0, 0}, {1, 1}}
	k := kernel.NewGaussian(1)
	inH := func(x, a, b []float64, s, t float64) float64 { // ‖k_x − (s·k_a + t·k_b)‖²
		return 1 - 2*(s*k.At(x, a)+t*k.At(x, b)) + s*s + t*t + 2*s*t*k.At(a, b)
	}
	for name, c := range map[string]struct {
		answer, distances string
		squared           func(x []float64, cluster int) float64
	}{
		"input space": {`{` + labels + `,"centers":[[0,0.5],[1,0.5]]}`, "embedding", func(x []float64, c int) float64 {
			return math.Pow(x[0]-float64(c), 2) + math.Pow(x[1]-0.5, 2)
		}},
		"embedding": {`{` + labels + `,"points":[[0,0],[1,1]],"coef":[[1,0],[0,1]],"centers":[[1,0],[0,1]]}`, "embedding", func(x []float64, c int) float64 {
			return math.Pow(k.At(x, p[c])-1, 2) + math.Pow(k.At(x, p[1-c]), 2)
		}},
		"isometric": {`{` + labels + `,"points":[[0,0]],"coef":[[1]],"isometric":true,"centers":[[0.9],[0.1]]}`, "H", func(x []float64, c int) float64 {
			return inH(x, p[0], p[1], []float64{0.9, 0.1}[c], 0)
		}},
		"H": {`{` + labels + `,"points":[[0,0],[1,1]],"center_coef":[[0.75,0.25],[0.25,0.75]]}`, "H", func(x []float64, c int) float64 {
			return inH(x, p[c], p[1-c], 0.75, 0.25)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			model, problem, err := answering(t, "clustering", c.answer)
			if err != nil {
				t.Fatal(err)
			}
			clustering := model.(*methods.Clustering)
			if clustering.Iterations != 4 || clustering.Clusters != 2 || clustering.Distances() != c.distances || !slices.Equal(clustering.Labels, []int{0, 1, 0, 1, 1, 0}) {
				t.Errorf("clustering %+v, distances %q", clustering, clustering.Distances())
			}
			assigned, squared, err := clustering.Assign(context.Background(), problem.X)
			if err != nil {
				t.Fatal(err)
			}
			differ := 0
			for i := range 6 {
				x := problem.X.RawRowView(i)
				nearest, want := 0, c.squared(x, 0)
				if other := c.squared(x, 1); other < want {
					nearest, want = 1, other
				}
				if assigned[i] != nearest || math.Abs(squared[i]-want) > 1e-14 {
					t.Errorf("point %d goes to %d at %g, want %d at %g", i, assigned[i], squared[i], nearest, want)
				}
				if nearest != clustering.Labels[i] {
					differ++
				}
			}
			want := fmt.Sprintf("%d of 6 labels are not those of the nearest centre", differ)
			if got := clustering.Caveats(0); differ == 0 || !slices.Equal(got, []string{want}) {
				t.Errorf("caveats %q, want %q", got, want)
			}
		})
	}
}

func TestLabelsAlone(t *testing.T) {
	model, problem, err := answering(t, "clustering", `{"labels":[0,1,0,1,1,0]}`)
	if err != nil {
		t.Fatal(err)
	}
	c := model.(*methods.Clustering)
	if _, _, err := c.Assign(context.Background(), problem.X); !errors.Is(err, methods.ErrNoCenters) || c.Distances() != "" || len(c.Caveats(0)) > 0 {
		t.Errorf("assigning: error %v; distances %q; caveats %q", err, c.Distances(), c.Caveats(0))
	}
}

// TestBadAnswers: an answer that does not fit the problem is refused with what
// is wrong.
func TestBadAnswers(t *testing.T) {
	six := `[[1],[0],[0],[0],[0],[0]]`
	cases := []struct{ model, answer, says string }{
		{"subspace", `{"values":[1]}`, "coef is missing"},
		{"subspace", `{"coef":` + six + `}`, "values is missing"},
		{"subspace", `{"coef":[[1]],"values":[1]}`, "coef: an array of 1×1: want 6×any"},
		{"subspace", `{"coef":"coef.npy","values":[1]}`, `coef: file "coef.npy": the program has not written it`},
		{"subspace", `{"coef":"/etc/passwd","values":[1]}`, "must be relative and stay in the scratch directory"},
		{"subspace", `{"coef":` + six + `,"values":[1,0.5]}`, "values: an array of 2×1: want 1×1"},
		{"subspace", `{"coef":` + six + `,"values":[-1]}`, "values: number 0 is -1: eigenvalues"},
		{"subspace", `{"indices":[0,1],"coef":[[1,0],[0,1]],"values":[1,-0.5]}`, "values: number 1 is -0.5"},
		{"subspace", `{"indices":[0,1],"coef":[[1,0],[0,1]],"values":[1,2]}`, "components come in falling order"},
		{"subspace", `{"indices":[0,1,2],"coef":[[1,0,0],[0,1,0],[0,0,1]],"values":[3,2,1]}`, "3 functions, and ell = 2 were asked for"},
		{"subspace", `{"indices":[0,1],"coef":[[1,2],[1,2]],"values":[1,1]}`, "coef: component 1 is a combination of those before it"},
		{"subspace", `{"indices":[0,0],"coef":[[1],[-1]],"values":[1]}`, "coef: a component is 0 in H"},
		{"subspace", `{"indices":[0],"coef":[[1e200]],"values":[1]}`, "overflows"},
		{"subspace", `{"indices":[6],"coef":[[1]],"values":[1]}`, "indices: number 0 is 6: want whole numbers from 0 to 5"},
		{"subspace", `{"indices":[0],"points":[[0,0]],"coef":[[1]],"values":[1]}`, "points excludes indices"},
		{"subspace", `{"points":[[0]],"coef":[[1]],"values":[1]}`, "points: an array of 1×1: want any×2"},
		{"subspace", `{"labels":[0,0,0,0,0,0]}`, `unknown key "labels"`},
		{"embedding", `{"coef":` + six + `,"values":[1]}`, `unknown key "values"`},
		{"embedding", `{"coef":` + six + `,"offset":[1,2]}`, "offset: an array of 2×1: want 1×1"},
		{"embedding", `{"coef":` + six + `,"offset":[1],"isometric":true}`, "isometric excludes offset"},
		{"embedding", `{"indices":[0],"coef":[[2]],"isometric":true}`, "their inner products are off by 3.0e+00"},
		{"regression", `{"predict":true,"coef":` + six + `}`, "predict excludes coef"},
		{"regression", `{"indices":[0],"coef":[[1,2]]}`, "coef: an array of 1×2: want 1×1"},
		{"regression", `{}`, "coef is missing"},
		{"regression", `{"map":true}`, `unknown key "map"`},
		{"clustering", `{"centers":[[0,0],[1,1]]}`, "labels is missing"},
		{"clustering", `{"labels":[0,1]}`, "labels: an array of 2×1: want 6×1"},
		{"clustering", `{"labels":[0,1,2,0,1,0]}`, "labels: number 2 is 2: want whole numbers from 0 to 1"},
		{"clustering", `{"labels":[0,1,0,0,1,0],"centers":[[0,0]]}`, "centers: an array of 1×2: want 2×2"},
		{"clustering", `{"labels":[0,1,0,0,1,0],"coef":` + six + `}`, "centers is missing"},
		{"clustering", `{"labels":[0,1,0,0,1,0],"coef":` + six + `,"centers":[[0,0],[1,1]]}`, "centers: an array of 2×2: want 2×1"},
		{"clustering", `{"labels":[0,1,0,0,1,0],"center_coef":` + six + `}`, "center_coef: an array of 6×1: want 6×2"},
		{"clustering", `{"labels":[0,1,0,0,1,0],"center_coef":` + six + `,"centers":[[1],[2]]}`, "center_coef excludes centers"},
	}
	for _, c := range cases {
		if _, _, err := answering(t, c.model, c.answer); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s %s: error %v, want one that says %q", c.model, c.answer, err, c.says)
		}
	}
}

// TestExecOptions: what cannot be meant is refused before anything is looked up.
func TestExecOptions(t *testing.T) {
	run := exec.Options{Command: []string{"sh"}}
	for says, o := range map[string]methods.ExecOptions{
		"command: the first entry":          {Model: "subspace"},
		`model "subspce": must be`:          {Options: run, Model: "subspce"},
		"timeout -1s":                       {Options: exec.Options{Command: run.Command, Timeout: -time.Second}, Model: "subspace"},
		"must have n":                       {Options: run, Model: "subspace", Uses: []string{"ell"}},
		"must have ell":                     {Options: run, Model: "subspace", Uses: []string{"n"}},
		"must have k":                       {Options: run, Model: "clustering", Uses: []string{"n"}},
		"ell is for model: subspace":        {Options: run, Model: "embedding", Uses: []string{"n", "ell"}},
		`env: "A=B"="c" cannot be set`:      {Options: exec.Options{Command: run.Command, Env: map[string]string{"A=B": "c"}}, Model: "subspace"},
		"command: a word holds a zero byte": {Options: exec.Options{Command: []string{"sh", "a\x00"}}, Model: "subspace"},
	} {
		if _, err := o.Method(); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%+v: error %v, want one that says %q", o, err, says)
		}
	}
}

// TestExecIdentity: the identity of a program, which enters the keys of records,
// changes with what determines results and with nothing else.
func TestExecIdentity(t *testing.T) {
	dir := t.TempDir()
	script := filepath.Join(dir, "program.sh")
	identity := func(in string, change func(*methods.ExecOptions)) string {
		t.Helper()
		o := asks("subspace", "sh", "{dir}/program.sh")
		o.Version = "1"
		change(o)
		find(t, o, in)
		text, err := json.Marshal(o)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	write := func(path, text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(script, "exit 1")
	same := func(*methods.ExecOptions) {}
	first := identity(dir, same)
	const pinned = `{"Options":{"Command":["sh","{dir}/program.sh"],"Model":"subspace","Timeout":0,"Version":"1","Env":null,"Gram":false,"Uses":null},"Files":{"{dir}/program.sh":"%x"}}`
	if want := fmt.Sprintf(pinned, sha256.Sum256([]byte("exit 1"))); first != want {
		t.Errorf("the identity, and with it the key of each record, is %s, want %s", first, want)
	}
	for name, change := range map[string]func(*methods.ExecOptions){
		"argument": func(o *methods.ExecOptions) { o.Command = append(o.Command, "x") },
		"version":  func(o *methods.ExecOptions) { o.Version = "2" },
		"env":      func(o *methods.ExecOptions) { o.Env = map[string]string{"A": "b"} },
		"gram":     func(o *methods.ExecOptions) { o.Gram = true },
		"uses":     func(o *methods.ExecOptions) { o.Uses = []string{"n", "ell"} },
		"model":    func(o *methods.ExecOptions) { o.Model = "embedding" },
	} {
		if identity(dir, change) == first {
			t.Errorf("another %s leaves the identity as it is", name)
		}
	}
	if identity(dir, func(o *methods.ExecOptions) { o.Timeout = time.Hour }) != first {
		t.Error("another time limit is another identity")
	}
	elsewhere := t.TempDir()
	write(filepath.Join(elsewhere, "program.sh"), "exit 1")
	if identity(elsewhere, same) != first {
		t.Error("the same program in another directory has another identity")
	}
	write(script, "exit 2")
	if identity(dir, same) == first {
		t.Error("an edited program has the old identity")
	}
}

// clock adds up phases.
type clock map[string]float64

func (c clock) Phase(name string) func() {
	began := time.Now()
	return func() { c[name] += time.Since(began).Seconds() }
}

func (c clock) Add(name string, seconds float64) { c[name] += seconds }

func (c clock) Pause() func() { return func() {} }

// TestExecRequest: a program is told the sizes that it uses and no others; its
// phases are passed on beside its wall time; what it says on standard error
// becomes a warning, cut to its end.
func TestExecRequest(t *testing.T) {
	noScratchLeft(t)
	kept := filepath.Join(t.TempDir(), "request")
	o := asks("subspace", "sh", "-c", `echo '{"ready":2}'; read -r request; printf '%s\n' "$request" > "$KEPT"; printf '%0600d\nlast words\n' 0 >&2; sleep 0.1
			echo '{"indices":[1],"coef":[[1]],"values":[1],"seconds":{"gram":0.5,"lloyd":0.25}}'`)
	o.Uses, o.Env = []string{"n", "ell"}, map[string]string{"KEPT": kept}
	method := opened(t, o)
	times := clock{}
	model, err := method.Fit(context.Background(), methods.Sample{
		X: uniformPoints(1, 5, 2), Kernel: kernel.Polynomial{Degree: 1, Gamma: 1}, Sizes: methods.Sizes{N: 5, M: 3, D: 7, Ell: 2, K: 4}, Clock: times,
	}, newRand(1))
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(kept)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{`{"protocol":2,"model":"subspace","dir":"` + os.Getenv("TMPDIR"), `"x":"X.npy","n":5,"dim":2,"ell":2,"kernel":{"name":"linear","formula":"<x,y>"},"seed":`} {
		if !strings.Contains(string(text), part) || strings.Count(string(text), "\n") != 1 {
			t.Errorf("request %s, want one line with %s", text, part)
		}
	}
	if times["gram"] != 0.5 || times["lloyd"] != 0.25 || times["exec"] < 0.1 || len(times) != 3 {
		t.Errorf("phases %v", times)
	}
	caveats := model.Caveats(1)
	if i := slices.IndexFunc(caveats, func(c string) bool { return strings.HasPrefix(c, "stderr: … 000") }); i < 0 || len(caveats[i]) > 520 || !strings.HasSuffix(caveats[i], "0 | last words") {
		t.Errorf("caveats %q", caveats)
	}
}

// pausing notes whether it is paused when a program starts and when it is asked.
type pausing struct {
	clock
	t       *testing.T
	started string // file of the program
	paused  int
	starts  int // within pauses
}

func (p *pausing) running() bool { _, err := os.Stat(p.started); return err == nil }

func (p *pausing) Pause() func() {
	p.paused++
	before := p.running()
	return func() {
		p.paused--
		if !before && p.running() {
			p.starts++
		}
	}
}

func (p *pausing) Phase(name string) func() {
	if p.paused > 0 || !p.running() {
		p.t.Errorf("phase %s: paused %d times, the program runs: %v", name, p.paused, p.running())
	}
	return p.clock.Phase(name)
}

// TestStartIsNoTime: a program starts while the clock is paused, and is asked while it
// is not.
func TestStartIsNoTime(t *testing.T) {
	started := filepath.Join(t.TempDir(), "started")
	o := asks("subspace", "sh", "-c", `> "$STARTED"; while echo '{"ready":2}'; read -r request; do echo '{"indices":[1],"coef":[[1]],"values":[1]}'; done`)
	o.Env = map[string]string{"STARTED": started}
	method := opened(t, o)
	c := &pausing{clock: clock{}, t: t, started: started}
	for range 2 {
		_, err := method.Fit(context.Background(), methods.Sample{
			X: uniformPoints(1, 5, 2), Kernel: kernel.NewGaussian(1), Sizes: methods.Sizes{N: 5, Ell: 1}, Clock: c,
		}, newRand(1))
		if err != nil {
			t.Fatal(err)
		}
	}
	if c.starts != 1 || c.paused != 0 || len(c.clock) != 1 {
		t.Errorf("%d starts, phases %v, paused %d times at the end", c.starts, c.clock, c.paused)
	}
}
