// Peers times mercer and scikit-learn on the same MNIST images, the same kernel
// and the same number of threads, in turns, and prints medians, ratios, and the
// fraction of the measured matrix-product speed that mercer reaches.
//
// What is random, landmarks and the starts of k-means, is drawn anew in each
// round on both sides, so that medians of times and costs are over as many draws
// as there are rounds. Costs on features of different landmarks differ for that
// reason alone: the row on the same features compares them.
//
//	go run ./internal/bench/peers [-rounds 5] [-threads 2] [-only RFF]
//
// RBFSampler has one cosine with a random phase for each frequency, our offset;
// cosine and sine pairs, our default, are twice the coordinates of less variance.
//
// Each task is timed without loading data, starting Python or drawing pictures.
package main

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	_ "embed"

	"gonum.org/v1/gonum/mat"

	"mercer/data/fetch"
	"mercer/internal/kernel"
	"mercer/internal/linalg"
	"mercer/methods"
	"mercer/methods/lloyd"
	"mercer/results"
)

//go:embed sklearn_peer.py
var peerProgram string

// gamma is exp(−d²/104), pixels in [0,1].
const gamma = 1.0 / 104

func main() {
	rounds := flag.Int("rounds", 5, "how often each task is timed")
	threads := flag.Int("threads", 2, "threads for both")
	only := flag.String("only", "", "tasks whose name matches this regular expression (default: all)")
	python := flag.String("python", "", "a Python that has scikit-learn (default: the first of python3 and /usr/bin/python3 that does)")
	flag.Parse()
	if err := run(*rounds, *threads, *python, *only); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(rounds, threads int, python, only string) error {
	wanted, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	info, err := linalg.Use()
	if err != nil {
		return err
	}
	runtime.GOMAXPROCS(threads)
	paths, err := fetch.Get(context.Background(), "mnist", fetch.Options{Log: os.Stderr})
	if err != nil {
		return err
	}
	train, _, err := fetch.Load(context.Background(), "mnist", fetch.LoadOptions{Scale: true})
	if err != nil {
		return err
	}
	x := train.Dense()
	folder, err := os.MkdirTemp("", "mercer-peers-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	shared := filepath.Join(folder, "features")
	other, err := startPeer(python, threads, paths["train-images-idx3-ubyte"], fmt.Sprint(gamma), shared)
	if err != nil {
		fmt.Printf("scikit-learn is not compared: %v\ninstall it (Debian: python3-sklearn), or name a Python that has it by -python\n", err)
	}
	fmt.Printf("mercer on %s; %s; %d threads, medians of %d rounds in turns\n\n", info.Name, other.version(), threads, rounds)
	fmt.Printf("%-46s %9s %9s %7s %8s  %s\n", "task", "mercer s", "peer s", "ratio", "of peak", "agreement")
	for _, t := range tasks(x, shared) {
		if !wanted.MatchString(t.name) {
			continue
		}
		if err := t.compare(rounds, threads, other); err != nil {
			return fmt.Errorf("%s: %w", t.name, err)
		}
	}
	return other.stop()
}

// task is one piece of work that both sides do.
type task struct {
	name    string
	peers   []string     // what the peer is asked; its best answer counts, the first is its default
	flops   float64      // of mercer's algorithm, 0 where there is no such number
	prepare func() error // what is not timed; nil if there is nothing
	work    func(start uint64) ([]float64, error)
	agree   func(ours, theirs []float64) string // of all rounds
}

// tasks are all of them; the file shared is for features that both sides use.
func tasks(x *mat.Dense, shared string) []task {
	k := kernel.NewGaussian(gamma)
	first := func(n int) *mat.Dense { return x.Slice(0, n, 0, 784).(*mat.Dense) }
	stream := func(start uint64) *rand.Rand { return rand.New(rand.NewPCG(1, 2+start)) }
	fitFrom := func(start uint64, use string, set func(methods.Options), n, m, ell int) (methods.Model, error) {
		options := methods.Registry[use].New()
		set(options)
		method, err := options.Method()
		if err != nil {
			return nil, err
		}
		p := methods.Problem{X: first(n), Kernel: k, Sizes: methods.Sizes{N: n, M: m, Ell: ell}}
		return method.Fit(context.Background(), p, stream(start))
	}
	fit := func(use string, set func(methods.Options), n, m, ell int) (methods.Model, error) {
		return fitFrom(0, use, set, n, m, ell)
	}
	embed := func(start uint64) (*mat.Dense, error) {
		n, _ := x.Dims()
		model, err := fitFrom(start, "nystrom-embedding", func(o methods.Options) { o.(*methods.NystromEmbeddingOptions).Rank = "full" }, n, 1000, 0)
		if err != nil {
			return nil, err
		}
		return model.(*methods.Embedding).Map(context.Background(), x)
	}
	cluster := func(z *mat.Dense, start uint64) ([]float64, error) {
		o := lloyd.DefaultOptions()
		o.Init, o.Warm, o.Restarts, o.Tol = lloyd.GreedyPlusPlus, 1.0/8, 1, 1e-4
		r, err := lloyd.Cluster(context.Background(), z, 10, o, stream(start))
		return []float64{r.Cost}, err
	}
	costs := func(ours, theirs []float64) string {
		return fmt.Sprintf("median cost %.1f, peer's %.1f", results.Median(ours), results.Median(theirs))
	}
	features10 := func(family string) error {
		_, err := fit("rff", func(o methods.Options) { o.(*methods.RFFOptions).Features = family }, 20000, 750, 10)
		return err
	}
	var features *mat.Dense
	const n, m, d = 60000.0, 1000.0, 784.0
	return []task{
		{
			name: "KernelPCA(10), 5000 images", peers: []string{"kpca auto", "kpca arpack", "kpca randomized"},
			work: func(uint64) ([]float64, error) {
				model, err := fit("ekpca", func(o methods.Options) { o.(*methods.EKPCAOptions).Center = "v" }, 5000, 0, 10)
				if err != nil {
					return nil, err
				}
				values := slices.Clone(model.(*methods.Subspace).Values)
				for i := range values {
					values[i] *= 5000
				}
				return values, nil
			},
			agree: func(ours, theirs []float64) string {
				worst := 0.0
				for i, v := range theirs {
					worst = math.Max(worst, math.Abs(ours[i]-v)/v)
				}
				return fmt.Sprintf("eigenvalues to %.0e", worst)
			},
		},
		{
			name: "Nystroem(1000) of 60,000 images", peers: []string{"nystroem"}, flops: 2*n*m*d + n*m*m + 2*m*m*d + m*m*m/3,
			work: func(start uint64) ([]float64, error) { _, err := embed(start); return nil, err },
		},
		{
			name: "the same and KMeans(10, one start, tol 1e-4)", peers: []string{"kmeans lloyd", "kmeans elkan"},
			work: func(start uint64) ([]float64, error) {
				z, err := embed(start)
				if err != nil {
					return nil, err
				}
				return cluster(z, start)
			},
			agree: costs,
		},
		{
			name: "that KMeans alone, on the same features", peers: []string{"clusters lloyd", "clusters elkan"},
			prepare: func() (err error) {
				if features, err = embed(0); err != nil {
					return err
				}
				return writeFeatures(shared, features)
			},
			work:  func(start uint64) ([]float64, error) { return cluster(features, start) },
			agree: costs,
		},
		{
			name: "RFF(750) + PCA(10), 20,000 images", peers: []string{"rff auto", "rff randomized"},
			work: func(uint64) ([]float64, error) { return nil, features10("offset") },
		},
		{
			name: "the same by pairs, 1500 coordinates", peers: []string{"rff auto", "rff randomized"},
			work: func(uint64) ([]float64, error) { return nil, features10("fourier") },
		},
	}
}

// compare times a task in turns and prints its rows.
func (t task) compare(rounds, threads int, other *peer) error {
	if t.prepare != nil {
		if err := t.prepare(); err != nil {
			return err
		}
	}
	var ours, peaks, mine []float64
	theirs := make([][]float64, len(t.peers))
	checks := make([][]float64, len(t.peers))
	for round := range rounds {
		runtime.GC()
		begun := time.Now()
		result, err := t.work(uint64(round))
		if err != nil {
			return err
		}
		ours, mine = append(ours, time.Since(begun).Seconds()), append(mine, result...)
		peaks = append(peaks, linalg.Speed(threads))
		for i, request := range t.peers {
			if other == nil {
				continue
			}
			seconds, check, err := other.ask(fmt.Sprint(request, " ", round))
			if err != nil {
				return err
			}
			theirs[i], checks[i] = append(theirs[i], seconds), append(checks[i], check...)
		}
	}
	share := ""
	if t.flops > 0 {
		share = fmt.Sprintf("%.0f %%", 100*t.flops/results.Median(ours)/1e9/results.Median(peaks))
	}
	if other == nil {
		fmt.Printf("%-46s %9.2f %9s %7s %8s\n", t.name, results.Median(ours), "-", "-", share)
		return nil
	}
	for i, request := range t.peers {
		name, agreement := "", ""
		if i == 0 {
			name = t.name
		}
		if t.agree != nil {
			agreement = t.agree(mine, checks[i])
		}
		fmt.Printf("%-46s %9.2f %9.2f %7.1f %8s  %s: %s\n", name, results.Median(ours), results.Median(theirs[i]), results.Median(theirs[i])/results.Median(ours), share, request, agreement)
	}
	return nil
}

// writeFeatures writes a matrix without a head: rows of float64, little-endian.
func writeFeatures(path string, z *mat.Dense) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<20)
	n, _ := z.Dims()
	for i := range n {
		if err := binary.Write(w, binary.LittleEndian, z.RawRowView(i)); err != nil {
			return errors.Join(err, f.Close())
		}
	}
	return errors.Join(w.Flush(), f.Close())
}

// peer is a running scikit-learn.
type peer struct {
	command *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
	about   string
}

// findPython is the first Python that has scikit-learn.
func findPython(named string) (string, error) {
	candidates := []string{named}
	if named == "" {
		candidates = []string{"python3", "/usr/bin/python3"}
	}
	for _, python := range candidates {
		if exec.Command(python, "-c", "import sklearn").Run() == nil {
			return python, nil
		}
	}
	return "", fmt.Errorf("no scikit-learn in %s", strings.Join(candidates, ", "))
}

func startPeer(python string, threads int, arguments ...string) (*peer, error) {
	python, err := findPython(python)
	if err != nil {
		return nil, err
	}
	c := exec.Command(python, append([]string{"-c", peerProgram}, arguments...)...)
	count := fmt.Sprint(threads)
	c.Env = append(os.Environ(), "OPENBLAS_NUM_THREADS="+count, "OMP_NUM_THREADS="+count, "MKL_NUM_THREADS="+count)
	c.Stderr = os.Stderr
	in, inErr := c.StdinPipe()
	out, outErr := c.StdoutPipe()
	if err := errors.Join(inErr, outErr, c.Start()); err != nil {
		return nil, err
	}
	p := &peer{command: c, in: in, out: bufio.NewReader(out)}
	line, err := p.out.ReadString('\n')
	if err != nil {
		return nil, errors.New("it does not start: " + strings.TrimSpace(line))
	}
	var hello struct{ Version string }
	err = json.Unmarshal([]byte(line), &hello)
	p.about = hello.Version
	return p, err
}

func (p *peer) version() string {
	if p == nil {
		return "no peer"
	}
	return p.about
}

// ask has the peer do one task and returns its seconds.
func (p *peer) ask(request string) (float64, []float64, error) {
	if _, err := fmt.Fprintln(p.in, request); err != nil {
		return 0, nil, err
	}
	line, err := p.out.ReadString('\n')
	if err != nil {
		return 0, nil, err
	}
	var answer struct {
		Seconds float64
		Check   []float64
		Error   string
	}
	if err := json.Unmarshal([]byte(line), &answer); err != nil {
		return 0, nil, err
	}
	if answer.Error != "" {
		return 0, nil, errors.New(answer.Error)
	}
	return answer.Seconds, answer.Check, nil
}

func (p *peer) stop() error {
	if p == nil {
		return nil
	}
	return errors.Join(p.in.Close(), p.command.Wait())
}
