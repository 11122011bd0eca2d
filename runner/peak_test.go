//go:build system

package runner

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"mercer/internal/linalg"
	"mercer/internal/process"
	"mercer/methods"
	"mercer/runner/plan"
)

// peakCase is the environment variable that makes this test binary the process
// of one case.
const peakCase = "MERCER_TEST_PEAK"

// peak is what one case took, in bytes.
type peak struct {
	Counted, Grown int64
	Problem        string
}

// TestPeakOfOneCase runs the spec of the environment variable, in a process of
// its own, and prints how much the resident memory grew by at its peak over what
// the process held once the plan was made.
func TestPeakOfOneCase(t *testing.T) {
	text := os.Getenv(peakCase)
	if text == "" {
		return // this is not the process of a case
	}
	if _, err := linalg.Use(); err != nil {
		t.Fatal(err)
	}
	made := planWith(t, text, plan.Input{Memory: 8 << 30})
	var p peak
	for _, g := range made.Groups {
		p.Counted = max(p.Counted, g.Bytes)
	}
	p.Counted += made.Input.Memory - made.Allowed()
	runtime.GC()
	debug.FreeOSMemory()
	before := forgetPeak()
	run, _ := runIn(t, t.TempDir(), made, Options{Workers: 1})
	after, _ := process.Peak(os.Getpid())
	p.Grown = after - before
	for _, r := range run.Rows {
		if r.Status != "ok" {
			p.Problem = fmt.Sprintf("%s: %s", r.Status, r.Reason)
		}
	}
	out, _ := json.Marshal(p)
	fmt.Printf("\npeak: %s\n", out)
}

// measure runs a spec in a process of its own.
func measure(t *testing.T, spec string) peak {
	t.Helper()
	command := exec.Command(os.Args[0], "-test.run=^TestPeakOfOneCase$", "-test.v")
	command.Env = append(os.Environ(), peakCase+"="+spec)
	out, err := command.CombinedOutput()
	_, line, found := strings.Cut(string(out), "\npeak: ")
	line, _, _ = strings.Cut(line, "\n")
	var p peak
	if err != nil || !found || json.Unmarshal([]byte(line), &p) != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return p
}

// buffers are what a run takes whatever its sizes, in bytes: garbage below a quarter of
// the collector's ballast, a block of kernel values and panels of matrix products.
const buffers = ballast/4 + 24<<20

// responding is a data set with responses, of a kernel of infinite rank.
const responding = "use: series, decay: {power: 2}, response: {smoothness: 0.5, noise: 0.1, terms: 20}"

// peakCases are fits of 50 to 200 MB, beside those of plainCase. Data sets are points in R^20, and kernels
// Gaussian, unless they say otherwise.
var peakCases = []struct{ name, data, grid, use, measure string }{
	{"population", "use: sphere, d: 20, population: {held_out: 3000}", "n: 100, ell: 5", "kpca", "recon_h"},
	{"long", "", "n: 3000, ell: 10", "ekpca, center: u", ""},
	{"many components", "", "n: 1300, ell: 70", "ekpca, center: none", ""},
	{"finite rank", "use: series, eigenvalues: [1, 0.5, 0.25]", "n: 800000, ell: 2", "ekpca, center: u", ""},
	{"sketch of finite rank", "use: series, eigenvalues: [1, 0.1]", "n: 400000, d: 20", "kjl, subsample: all", "kjl_operator, kjl_sample"},
	{"uniform", "", "n: 2000, m: 1400, ell: 10", "nystrom", ""},
	{"wide points", "use: sphere, d: 500", "n: 12000, m: 200, ell: 10", "nystrom", ""},
	{"leverage", "", "n: 1300, m: 100, ell: 10", "nystrom, landmarks: leverage", ""},
	{"block-rpcholesky", "", "n: 12000, m: 500, ell: 10", "nystrom, landmarks: block-rpcholesky", ""},
	{"recursive", "", "n: 2500, m: 1200, ell: 10", "nystrom, landmarks: recursive", ""},
	{"bless", "", "n: 3000, m: 1000, ell: 10", "nystrom, landmarks: bless", ""},
	{"rpcholesky", "", "n: 12000, m: 500, ell: 10", "nystrom, landmarks: rpcholesky", ""},
	{"kmeans++", "", "n: 4000, m: 1000, ell: 10", "nystrom, landmarks: kmeans++", ""},
	{"held-out points", "use: sphere, d: 20, population: {held_out: 2500}", "n: 1500, m: 300, ell: 20", "nystrom", "recon_h, recon_l2, eigenspace_l2"},
	{"effective dimension", "", "n: 1300, m: 300, ell: 5", "nystrom", "effective_dimension"},
	{"fourier", "", "n: 2000, m: 1000, ell: 10", "rff, features: fourier", ""},
	{"wide points", "use: sphere, d: 784", "n: 4000, m: 800, ell: 10", "rff, features: fourier", ""},
	{"kernel matrix of held-out points", "use: sphere, d: 20, population: {held_out: 2500}", "n: 1000, m: 500, ell: 10", "rff, features: fourier, center: none", "skp_objective, skp_excess"},
	{"greedy", "", "n: 12000, m: 500, ell: 10", "nystrom, landmarks: greedy", ""},
	{"power", "", "n: 3500, m: 100, ell: 20", "randomized-kpca", ""},
	{"many features", "", "n: 400, m: 10000, ell: 40", "rf-oja, features: fourier, schedule: adaoja", ""},
	{"wide points", "use: sphere, d: 500", "n: 600, m: 4000, ell: 10", "rf-oja, features: fourier, schedule: adaoja", ""},
	{"many features", "", "n: 400, m: 10000, ell: 10", "rf-rmsg, features: fourier, lambda: 0.001", ""},
	{"program", "", "n: 15000, d: 600", "exec, model: embedding, command: [sh, PROGRAM]", "model_size"},
	{"gaussian", "", "n: 3500, m: 3000, d: 100", "kjl", "model_size"},
	{"srht of all", "", "n: 3000, d: 100", "kjl, subsample: all, sketch: srht", "model_size"},
	{"clusters", "", "n: 8000, m: 2500, d: 100, k: 10", "kjl, centered: true, kmeans: {restarts: 1}", "clusters"},
	{"operators", "use: sphere, d: 20, population: {held_out: 200}", "n: 1500, m: 1300, d: 50", "kjl", "kjl_operator"},
	{"subsample", "", "n: 3500, m: 3000, d: 20", "kpca-subsample", "model_size"},
	{"separation", "use: gaussian-mixture", "n: 3000, m: 1500, d: 20", "kpca-subsample", "separation"},
	{"rank d", "", "n: 2500, m: 2500, d: 20", "nystrom-embedding", "model_size"},
	{"clusters of full rank", "", "n: 5000, m: 1000, k: 5", "nystrom-embedding, rank: full, kmeans: {restarts: 1}", "clusters"},
	{"streamed", "", "n: 30000, m: 300, k: 3", "nystrom-embedding, stream: true, rank: full, kmeans: {restarts: 1, max_iter: 3}", "clusters"},
	{"residual", "", "n: 3000, m: 500, k: 5", "nystrom-embedding, rank: full, kmeans: {restarts: 1}", "nystrom_residual"},
	{"best matrix", "", "n: 2500, m: 300, ell: 5", "nystrom", "matrix_ratio"},
	{"best matrix", "", "n: 2000, m: 200, ell: 5", "rff, features: fourier", "matrix_ratio"},
	{"ridge", responding, "n: 2500", "krr, ridge: 0.1", "model_size"},
	{"ridge", responding, "n: 4000, m: 1500", "nystrom-krr, ridge: 0.1", "model_size"},
	{"ridge", responding, "n: 4000, m: 2000", "rff-krr, ridge: 0.1, features: mercer", "model_size"},
	{"conjugate gradients", responding, "n: 4000, m: 1000", "krr-pcg, ridge: 0.1, preconditioner: nystrom", "model_size"},
	{"conjugate gradients, blocks", responding, "n: 8000, m: 1000", "krr-pcg, ridge: 0.1, preconditioner: nystrom, store_kernel: false, max_iter: 5", "model_size"},
	{"conjugate gradients", responding, "n: 3000, m: 1000", "krr-pcg, ridge: 0.1, preconditioner: rff, features: mercer", "model_size"},
	{"krill", responding, "n: 8000, m: 1500", "nystrom-krr, ridge: 0.1, preconditioner: krill", "model_size"},
	{"fourier", "", "n: 10000, m: 400, k: 5", "rff-embedding, features: fourier, kmeans: {restarts: 1}", "clusters"},
	{"low dimension", "", "n: 250000, k: 5", "kmeans, restarts: 1, max_iter: 3", "clusters"},
	{"high dimension", "use: sphere, d: 500", "n: 12000, k: 20", "kmeans, restarts: 1, max_iter: 3", "clusters"},
	{"few clusters", "", "n: 4000, k: 5", "kernel-kmeans, restarts: 1", "clusters"},
	{"many clusters", "", "n: 3500, k: 200", "kernel-kmeans, restarts: 1, max_iter: 3", "clusters"},
}

// plainCase is that of a method without any in peakCases.
func plainCase(use string, entry methods.Entry) (grid, parameters, measure string) {
	large := map[string]string{"n": "3000", "m": "1000", "d": "100", "ell": "10", "k": "5"}
	traits := entry.New().Traits()
	for _, size := range traits.Uses {
		grid += size + ": " + large[size] + ", "
	}
	measure = "rank"
	switch traits.Shape {
	case methods.ShapeEmbedding, methods.ShapeSketch, methods.ShapeGaussian:
		measure = "model_size"
	case methods.ShapeClustering:
		measure = "clusters"
	}
	return grid, strings.TrimSuffix(use+", "+entry.Plain, ", "), measure
}

// peakSpec is the spec of a case.
func peakSpec(data, grid, use, measure string) string {
	if data == "" {
		data = "use: sphere, d: 20"
	}
	if measure == "" {
		measure = "rank"
	}
	kernels := "kernels: [{id: rbf, use: gaussian, form: sigma-squared, sigma: 1}]"
	if strings.HasPrefix(data, "use: series") {
		kernels = "" // it has its own
	}
	return fmt.Sprintf("name: peak\nseed: 1\nrepeats: 1\ndatasets: [{id: x, %s}]\n%s\ngrid: {%s}\nmethods: [{id: a, use: %s}]\nmeasure: [%s]\n", data, kernels, grid, use, measure)
}

// peakProgram answers with 600 functions of all points whose coefficients are 0.
const peakProgram = `echo '{"ready":2}'
read -r request
printf '\223NUMPY\001\000v\000%-117s\n' "{'descr': '<f8', 'fortran_order': False, 'shape': (15000, 600), }" > coef.npy
head -c 72000000 /dev/zero >> coef.npy
echo '{"coef": "coef.npy"}'
`

// TestPeaksAgainstCounts: of every method and of measures that hold much, processes
// take no more than 1.3 times the arrays that plans count, and buffers.
func TestPeaksAgainstCounts(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("peaks are read from /proc")
	}
	program := filepath.Join(t.TempDir(), "program.sh")
	if err := os.WriteFile(program, []byte(peakProgram), 0o666); err != nil {
		t.Fatal(err)
	}
	cases, covered := slices.Clone(peakCases), map[string]bool{}
	for _, c := range cases {
		use, _, _ := strings.Cut(c.use, ",")
		covered[use] = true
	}
	for use, entry := range methods.Registry {
		if !covered[use] {
			c := peakCases[0]
			c.name, c.data = "plain", ""
			c.grid, c.use, c.measure = plainCase(use, entry)
			cases = append(cases, c)
		}
	}
	for _, c := range cases {
		use, _, _ := strings.Cut(c.use, ",")
		t.Run(use+"/"+c.name, func(t *testing.T) {
			t.Parallel()
			spec := peakSpec(c.data, c.grid, strings.ReplaceAll(c.use, "PROGRAM", program), c.measure)
			p := measure(t, spec)
			if p.Problem != "" {
				t.Fatal(p.Problem)
			}
			t.Logf("counted %.1f MB, peak %.1f MB, ratio %.2f", float64(p.Counted)/1e6, float64(p.Grown)/1e6, float64(p.Grown)/float64(p.Counted))
			if most := plan.WithGarbage(p.Counted) + buffers; p.Grown > most {
				t.Errorf("the peak is %.1f MB, %.1f MB are counted: at most %.1f MB are expected", float64(p.Grown)/1e6, float64(p.Counted)/1e6, float64(most)/1e6)
			}
		})
	}
}

// TestSharedPopulationTwice: a worker may take what the run may, its own copy of the
// population included.
func TestSharedPopulationTwice(t *testing.T) {
	spec := `
name: shared
seed: 1
repeats: 1
datasets:
  - {id: all, use: csv, path: shared.csv, population: self}
kernels:
  - {id: rbf, use: gaussian, bandwidth: {median: 1}, form: two-sigma-squared}
  - {id: wide, use: gaussian, bandwidth: {median: 2}, form: two-sigma-squared}
grid: {n: [50], m: 20, ell: 2}
methods:
  - {id: nystrom, use: nystrom}
measure: [recon_l2]
`
	var points strings.Builder
	for i := range 4000 {
		fmt.Fprintf(&points, "%d,%d\n", i%57, i%71)
	}
	dir := t.TempDir()
	t.Setenv("MERCER_DATA", dir)
	if err := os.WriteFile(filepath.Join(dir, "shared.csv"), []byte(points.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	o := isolating(t)
	o.Workers = 1
	p := planWith(t, spec, plan.Input{Memory: 8 << 30})
	shared := p.Input.Memory - p.Allowed()
	margin := shared / 2 // for what is no array; a second population needs twice as much
	memory := shared + p.Groups[0].Bytes + margin
	if shared < 60<<20 {
		t.Errorf("%d bytes are shared: too few for this test", shared)
	}
	run, summary := runIn(t, t.TempDir(), planWith(t, spec, plan.Input{Memory: memory}), o)
	if summary.Failed != 0 {
		t.Errorf("%d MB: %q, %q", memory>>20, run.Rows[0].Reason, run.Rows[1].Reason)
	}
}
