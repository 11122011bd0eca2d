// Peers times mercer and its peers on the same points, the same kernel and the same number
// of threads, in turns, and prints medians and ratios. The peers are scikit-learn, by each of
// its solvers, and Faiss (k-means in float32). The points are MNIST's images, of which most
// numbers are zero, and as many Gaussian points without zeros.
//
// What is random, landmarks and the starts of k-means, is drawn anew in each round on both
// sides, so that medians of times and costs are over as many draws as there are rounds.
//
//	go run ./internal/bench/peers [-rounds 5] [-threads 2] [-only RFF]
//
// The column floor is mercer's time as a multiple of the least time of the work: its flops at
// the speed of matrix products, measured in the same rounds. Flops are those of the large
// products alone, half of them where a product is symmetric; cosines, exponentials and
// eigenvectors come on top. k-means has none: its iterations depend on the points. Zeros that
// are skipped make it smaller than 1.
//
// RBFSampler has one cosine with a random phase for each frequency, our offset; cosine and
// sine pairs, our default, are twice the coordinates of less variance.
//
// Each task is timed without loading data, starting programs or drawing pictures.
package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"time"

	"gonum.org/v1/gonum/mat"

	"mercer/data/fetch"
	"mercer/data/files"
	"mercer/internal/linalg"
	"mercer/results"
)

func main() {
	rounds := flag.Int("rounds", 5, "how often each task is timed")
	threads := flag.Int("threads", 2, "threads for both")
	only := flag.String("only", "", "tasks whose name matches this regular expression (default: all)")
	python := flag.String("python", "python3", "a Python that has scikit-learn and Faiss")
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
	folder, err := os.MkdirTemp("", "mercer-peers-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	sets, err := points(folder)
	if err != nil {
		return err
	}
	other, err := startPeer(python, threads, folder)
	if err != nil {
		return err
	}
	fmt.Printf("mercer on %s; %d threads, medians of %d rounds in turns\n%s\n", info.Name, threads, rounds, other.about)
	fmt.Printf("\n%-50s %9s %9s %7s %7s  %s\n", "task", "mercer s", "peer s", "ratio", "floor", "peer")
	for _, set := range sets {
		for _, t := range set.tasks(filepath.Join(folder, "features")) {
			if !wanted.MatchString(t.name) {
				continue
			}
			if err := t.compare(rounds, threads, set.name, other); err != nil {
				return fmt.Errorf("%s: %w", t.name, err)
			}
		}
	}
	return other.stop()
}

// set is what both sides compute on: 60,000 points of 784 numbers.
type set struct {
	name  string
	x     *mat.Dense
	gamma float64 // of the kernel exp(−γd²)
}

// points are the sets, each also as a file of its name in the folder.
func points(folder string) ([]set, error) {
	train, _, err := fetch.Load(files.Opener{Context: context.Background()}, "mnist", true, io.Discard)
	if err != nil {
		return nil, err
	}
	images := train.Dense()
	dense := mat.NewDense(60000, 784, nil)
	stream, values := rand.New(rand.NewPCG(3, 4)), dense.RawMatrix().Data
	for i := range values {
		values[i] = stream.NormFloat64()
	}
	sets := []set{{"images", images, 1.0 / 104}, {"dense", dense, 1.0 / 1568}} // pixels in [0,1]
	for _, s := range sets {
		if err := writeRows(filepath.Join(folder, s.name), s.x); err != nil {
			return nil, err
		}
	}
	return sets, nil
}

// task is one piece of work that both sides do.
type task struct {
	name    string
	peers   []string     // what the peer is asked, each a solver of its own
	flops   float64      // least work of mercer's algorithm, 0 where there is no such number
	prepare func() error // what is not timed; nil if there is nothing
	work    func(start uint64) ([]float64, error)
	agree   func(ours, theirs []float64) string // of all rounds
}

// compare times a task in turns and prints its rows.
func (t task) compare(rounds, threads int, set string, other *peer) error {
	if t.prepare != nil {
		if err := t.prepare(); err != nil {
			return err
		}
	}
	var ours, mine, least []float64
	theirs, checks := make([][]float64, len(t.peers)), make([][]float64, len(t.peers))
	for round := range rounds {
		runtime.GC()
		begun := time.Now()
		result, err := t.work(uint64(round))
		if err != nil {
			return err
		}
		ours, mine = append(ours, time.Since(begun).Seconds()), append(mine, result...)
		least = append(least, t.flops/linalg.Speed(threads)/1e9)
		for i, request := range t.peers {
			seconds, check, err := other.ask(fmt.Sprint(set, " ", request, " ", round))
			if err != nil {
				return err
			}
			theirs[i], checks[i] = append(theirs[i], seconds), append(checks[i], check...)
		}
	}
	own, floor := results.Median(ours), "-"
	if t.flops > 0 {
		floor = fmt.Sprintf("%.2f", own/results.Median(least))
	}
	for i, request := range t.peers {
		if t.agree != nil {
			request += ": " + t.agree(mine, checks[i])
		}
		seconds := results.Median(theirs[i])
		fmt.Printf("%-50s %9.2f %9.2f %7.1f %7s  %s\n", t.name, own, seconds, seconds/own, floor, request)
	}
	return nil
}

// writeRows writes a matrix without a head: rows of float64, little-endian.
func writeRows(path string, z *mat.Dense) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<20)
	n, _ := z.Dims()
	for i := range n {
		err = cmp.Or(err, binary.Write(w, binary.LittleEndian, z.RawRowView(i)))
	}
	return errors.Join(err, w.Flush(), f.Close())
}
