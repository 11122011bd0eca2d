package methods_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"mercer/internal/kernel"
	"mercer/methods"
)

// needR skips the test where there is no R, or not this package of it.
func needR(tb testing.TB, library string) {
	tb.Helper()
	if exec.Command("Rscript", "-e", "library("+library+")").Run() != nil {
		tb.Skipf("SKIPPED: no Rscript with %s here, programs in R are not run", library)
	}
}

// inR is a program in R whose text defines fit.
func inR(tb testing.TB, o methods.ExecOptions, text string) methods.Method {
	tb.Helper()
	needR(tb, "stats")
	script := filepath.Join(tb.TempDir(), "program.R")
	if err := os.WriteFile(script, []byte(text), 0o600); err != nil {
		tb.Fatal(err)
	}
	o.Command, o.Timeout = []string{"Rscript", "{dir}/exec/examples/mercer.R", script}, time.Minute
	return opened(tb, &o)
}

// TestRKernels: the kernel of mercer.R has the values of the kernel matrix that mercer
// passes, within the bound of TestPythonKernels.
func TestRKernels(t *testing.T) {
	holdKernels(t, inR(t, methods.ExecOptions{Model: "subspace", Gram: true}, `
fit <- function(p) {
    own <- p$kernel(p$X, p$X[-p$n, , drop = FALSE])
    list(indices = 1, coef = 1, values = max(abs(own - p$gram[, -p$n])) / max(abs(p$gram)))
}
`))
}

// TestRServes: what TestPythonServes asks of mercer.py; absent sizes are NULL, though the
// names of others begin with theirs, and numbering is that of R.
func TestRServes(t *testing.T) {
	noScratchLeft(t)
	program := inR(t, methods.ExecOptions{Model: "subspace"}, `
cat("loading\n")
served <- 0
fit <- function(p) {
    served <<- served + 1
    print("a word on standard output")
    warning("a warning")
    if (!is.null(p$d) || !is.null(p$k)) stop("a size that is none")
    if (!is.null(p$m)) stop("of no \"use\"\n\\")
    list(indices = p$n, coef = 1, values = p$phase("solve", runif(1)), centered = FALSE, iterations = served, warnings = c("one \"thing\"", "another"))
}
`)
	fit := func(m int, seed uint64, c methods.Clock) (*methods.Subspace, error) {
		model, err := program.Fit(context.Background(), methods.Sample{
			X: uniformPoints(1, 5, 2), Kernel: kernel.NewGaussian(1), Sizes: methods.Sizes{N: 5, M: m, Ell: 1}, Clock: c,
		}, newRand(seed))
		if err != nil {
			return nil, err
		}
		return model.(*methods.Subspace), nil
	}
	var values []float64
	for _, seed := range []uint64{7, 8, 7} {
		model, err := fit(0, seed, nil)
		if err != nil {
			t.Fatal(err)
		}
		values = append(values, model.Values[0])
		said := strings.Join(model.Warnings, "; ")
		for _, want := range []string{`one "thing"; another; stderr: `, "a word on standard output", "a warning"} {
			if !strings.Contains(said, want) {
				t.Errorf("warnings %q, want %q", said, want)
			}
		}
		if strings.Contains(said, "loading") {
			t.Errorf("warnings %q are not of the fit", said)
		}
		if !slices.Equal(model.Points.RawRowView(0), uniformPoints(1, 5, 2).RawRowView(4)) {
			t.Errorf("index n is not the last point: %v", model.Points)
		}
		if _, err := fit(1, seed, nil); err == nil || !strings.Contains(err.Error(), `the program reports: of no "use" \; stderr: `) {
			t.Errorf("error %v", err)
		}
	}
	if values[0] != values[2] || values[0] == values[1] || math.IsNaN(values[0]) {
		t.Errorf("values %v by the seeds 7, 8 and 7", values)
	}
	times := clock{}
	if _, err := fit(0, 7, times); err != nil || len(times) != 2 || !(times["solve"] >= 0) || times["solve"] > times["exec"] {
		t.Errorf("phases %v, error %v", times, err)
	}
}

// kernlab is the example program in R.
func kernlab(t *testing.T, model, method string) methods.Method {
	t.Helper()
	needR(t, "kernlab")
	return opened(t, asks(model, "Rscript", "{dir}/exec/examples/mercer.R", "{dir}/exec/examples/kernlab.R", method))
}

// TestKernlabKernelPCA: kernlab's kernel PCA is ekpca with center: v, as close as
// scikit-learn's.
func TestKernlabKernelPCA(t *testing.T) {
	program := kernlab(t, "subspace", "kpca")
	want, err := (&methods.EKPCAOptions{Center: "v"}).Method()
	if err != nil {
		t.Fatal(err)
	}
	p := methods.Sample{X: uniformPoints(5, 60, 3), Kernel: kernel.NewGaussian(1.5), Sizes: methods.Sizes{N: 60, Ell: 3}}
	got := fitted(t, program, p)
	sameSubspace(t, got, fitted(t, want, p), p.X, 1e-8)
	if caveats := got.Caveats(3); len(caveats) > 0 {
		t.Errorf("caveats %q", caveats)
	}
}

// TestKernlabKernelKMeans: of three groups far apart, kernlab's kernel k-means finds the
// groups, and each point is nearest to the mean of its own in H, at the distance of the
// formula |k(.,x) - mean|^2 by hand.
func TestKernlabKernelKMeans(t *testing.T) {
	program := kernlab(t, "clustering", "kkmeans")
	x := uniformPoints(8, 60, 2)
	for i := range 60 {
		x.Set(i, 0, x.At(i, 0)+4*float64(i%3))
	}
	k := kernel.NewGaussian(0.5)
	found := fitted(t, program, methods.Sample{X: x, Kernel: k, Sizes: methods.Sizes{N: 60, K: 3}}).(*methods.Clustering)
	assigned, squared, err := found.Assign(context.Background(), x)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[int]bool{}
	for i, label := range found.Labels {
		seen[label] = true
		if label != found.Labels[i%3] || assigned[i] != label {
			t.Errorf("point %d of group %d: label %d, nearest centre %d", i, i%3, label, assigned[i])
		}
		want := 1.0
		for a := i % 3; a < 60; a += 3 {
			want -= 2 * k.At(x.RawRowView(i), x.RawRowView(a)) / 20
			for b := i % 3; b < 60; b += 3 {
				want += k.At(x.RawRowView(a), x.RawRowView(b)) / 400
			}
		}
		if math.Abs(squared[i]-want) > 1e-12 {
			t.Errorf("point %d: squared distance %.15g, want %.15g", i, squared[i], want)
		}
	}
	if len(seen) != 3 {
		t.Errorf("%d labels", len(seen))
	}
}

// BenchmarkRFit is BenchmarkPythonFit in R.
func BenchmarkRFit(b *testing.B) {
	program := inR(b, methods.ExecOptions{Model: "subspace"}, `
fit <- function(p) p$phase("solve", list(indices = 1, coef = 1, values = 0.5))
`)
	for _, n := range []int{100, 1000} {
		b.Run(fmt.Sprintf("n=%d/dim=2", n), func(b *testing.B) { benchmarkFits(b, program, n) })
	}
}
