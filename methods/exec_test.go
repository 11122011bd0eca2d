package methods_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"mercer/data/files"
	"mercer/internal/kernel"
	"mercer/methods"
	"mercer/methods/exec"
)

// asProgram makes this test binary a program of the exec protocol.
const asProgram = "MERCER_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) == "" {
		os.Exit(m.Run())
	}
	if err := actAsEKPCA(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// actAsEKPCA is ekpca with center: u behind the protocol.
func actAsEKPCA() error {
	requests := json.NewDecoder(bufio.NewReader(os.Stdin))
	for {
		fmt.Println(`{"ready":2}`)
		var request exec.Request
		if err := requests.Decode(&request); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if err := fitAsEKPCA(request); err != nil {
			return err
		}
	}
}

func fitAsEKPCA(request exec.Request) error {
	points, err := files.Opener{}.OpenArrays(request.X, "", "", false)
	if err != nil {
		return err
	}
	x := points.Dense()
	ekpca, err := (&methods.EKPCAOptions{Center: "u"}).Method()
	if err != nil {
		return err
	}
	model, err := ekpca.Fit(context.Background(), methods.Sample{
		X: x, Kernel: kernelOf(request.Kernel.(map[string]any)), Sizes: methods.Sizes{N: request.N, Ell: request.Ell},
	}, nil)
	if err != nil {
		return err
	}
	subspace := model.(*methods.Subspace)
	if err := saveNPY("coef.npy", subspace.Coef); err != nil {
		return err
	}
	answer, err := json.Marshal(map[string]any{
		"coef": "coef.npy", "values": subspace.Values, "centered": true, "warnings": subspace.Warnings,
		"seconds": map[string]float64{"gram": 0.5, "solve": 0.25},
	})
	fmt.Println(string(answer))
	return err
}

func saveNPY(name string, x *mat.Dense) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer f.Close()
	n, d := x.Dims()
	return files.WriteNPY(f, n, d, x.RawRowView)
}

func kernelOf(form map[string]any) kernel.Kernel {
	number := func(key string) float64 { return form[key].(float64) }
	switch form["name"] {
	case "gaussian":
		return kernel.NewGaussian(number("gamma"))
	case "laplace":
		return kernel.Laplace{Sigma: number("sigma")}
	case "polynomial":
		return kernel.Polynomial{Degree: int(number("degree")), Gamma: number("gamma"), Offset: number("offset")}
	}
	panic(fmt.Sprint("no kernel ", form["name"]))
}

// opened builds a program method and opens it in testdata's place.
func opened(t testing.TB, o *methods.ExecOptions) methods.Method {
	t.Helper()
	method, err := o.Method()
	if err != nil {
		t.Fatal(err)
	}
	find(t, o, ".")
	return method
}

// asks are the options of a program of a model, with a limit of a minute.
func asks(model string, words ...string) *methods.ExecOptions {
	return &methods.ExecOptions{Options: exec.Options{Command: words, Timeout: time.Minute}, Model: model}
}

// find has options find their programs beside a directory, and ends these with the test.
func find(t testing.TB, options any, dir string) {
	t.Helper()
	commands := exec.Commands{}
	if _, err := exec.FindAll(dir, options, commands); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := commands.Close(); err != nil {
			t.Error(err)
		}
	})
}

func thisBinary(t *testing.T) string {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// noScratchLeft points $TMPDIR to a directory that must be empty at the end.
func noScratchLeft(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	t.Cleanup(func() {
		if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) > 0 {
			t.Errorf("left in $TMPDIR: %q", left)
		}
	})
}

// TestMeanProgram: the example in shell and awk gives the mean embedding, whose
// norm and value are sums of kernel values.
func TestMeanProgram(t *testing.T) {
	noScratchLeft(t)
	x, k := uniformPoints(1, 20, 3), kernel.NewGaussian(0.7)
	o := asks("subspace", "exec/examples/mean.sh")
	o.Gram = true
	method := opened(t, o)
	model, err := method.Fit(context.Background(), methods.Sample{X: x, Kernel: k, Sizes: methods.Sizes{N: 20, Ell: 1}}, newRand(1))
	if err != nil {
		t.Fatal(err)
	}
	gram, n := denseGram(k, x, x), 20.0
	norm := math.Sqrt(mat.Sum(gram)) / n
	value := 0.0
	for i := range 20 {
		f := mat.Sum(gram.RowView(i)) / n / norm
		value += f * f / n
	}
	subspace := model.(*methods.Subspace)
	// 17 digits pass both ways; sums of 400 terms leave a few roundings.
	if math.Abs(subspace.Values[0]-value) > 1e-14 || len(subspace.Warnings) > 0 || subspace.Center[0] != 0 {
		t.Errorf("value %.17g, want %.17g; centre %g, warnings %q", subspace.Values[0], value, subspace.Center[0], subspace.Warnings)
	}
	for i := range 20 {
		if got, want := subspace.Coef.At(i, 0), 1/n/norm; math.Abs(got-want) > 1e-14 {
			t.Errorf("coefficient %d is %.17g, want %.17g", i, got, want)
		}
	}
}
