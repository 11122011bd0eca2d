// Peers times mercer and its peers on the same points, the same kernel and the same number
// of threads, in turns, and prints medians and ratios. The peers are scikit-learn, Faiss
// (k-means in float32) and R's kernlab, each by every solver that it has for the work. The
// points are MNIST's images, of which most numbers are zero, and as many Gaussian points
// without zeros.
//
// What is random, landmarks and the starts of k-means, is drawn anew in each round on both
// sides, so that medians of times and costs are over as many draws as there are rounds. Costs
// on features of different landmarks differ for that reason alone: the row on the same
// features compares them.
//
//	go run ./internal/bench/peers [-rounds 5] [-threads 2] [-only RFF]
//
// Tasks in float32 are compared with mercer in float64 too, on float32 features for k-means.
//
// The column floor is mercer's time as a multiple of the least time of the work: its flops at
// the speed of matrix products of its precision, or its bytes at the speed of reading memory,
// both measured in the same rounds. Flops are those of the large products alone, half of them
// where a product is symmetric; cosines, exponentials and eigenvectors come on top. k-means
// has none: its iterations depend on the points. Zeros that are skipped make it smaller than 1.
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
	"runtime/pprof"
	"strings"
	"sync"
	"time"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas32"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"mercer/data/fetch"
	"mercer/data/files"
	"mercer/internal/linalg"
	"mercer/internal/linalg/threads"
	"mercer/internal/linalg/vector"
	"mercer/results"
)

func main() {
	rounds := flag.Int("rounds", 5, "how often each task is timed")
	threads := flag.Int("threads", 2, "threads for both")
	only := flag.String("only", "", "tasks whose name matches this regular expression (default: all)")
	python := flag.String("python", "", "a Python that has scikit-learn and Faiss (default: the first of python3 and /usr/bin/python3 that has scikit-learn)")
	profile := flag.String("cpuprofile", "", "write a profile of mercer's processor time to this file")
	flag.Parse()
	err := profiled(*profile, func() error { return run(*rounds, *threads, *python, *only) })
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// profiled calls work and writes a profile of it to a file, where that has a name.
func profiled(name string, work func() error) error {
	if name == "" {
		return work()
	}
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	if err := pprof.StartCPUProfile(f); err != nil {
		return err
	}
	err = work()
	pprof.StopCPUProfile()
	return errors.Join(err, f.Close())
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
	others, err := startPeers(python, threads, folder)
	if err != nil {
		return err
	}
	fmt.Printf("mercer on %s; %d threads, medians of %d rounds in turns\n", info.Name, threads, rounds)
	for _, p := range others {
		fmt.Println(p.about)
		if strings.Contains(p.about, "Prescott") {
			fmt.Println("WARNING: this OpenBLAS does not know this processor and takes its slowest kernels: on AVX-512, make bench-peers CORETYPE=SkylakeX")
		}
	}
	fmt.Printf("\n%-50s %9s %9s %7s %7s  %s\n", "task", "mercer s", "peer s", "ratio", "floor", "peer")
	for _, set := range sets {
		for _, t := range set.tasks(filepath.Join(folder, "features")) {
			if !wanted.MatchString(t.name) {
				continue
			}
			if err := t.compare(rounds, threads, others); err != nil {
				return fmt.Errorf("%s: %w", t.name, err)
			}
		}
	}
	return others.stop()
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
	name         string
	peers        []request
	flops, bytes float64      // least work of mercer's algorithm, 0 where there is no such number
	single       bool         // flops are in single precision
	prepare      func() error // what is not timed; nil if there is nothing
	work         func(start uint64) ([]float64, error)
	double       func(start uint64) ([]float64, error) // work in double precision, which is compared too; nil if that is work
	agree        func(ours, theirs []float64) string   // of all rounds
}

// mercer is the program of task.double.
const mercer = "mercer"

// request is what a program is asked, the best of whose answers counts.
type request struct{ program, task string }

// compare times a task in turns and prints its rows.
func (t task) compare(rounds, threads int, others peers) error {
	if t.prepare != nil {
		if err := t.prepare(); err != nil {
			return err
		}
	}
	var ours, mine, least []float64
	if t.double != nil {
		t.peers = append(t.peers, request{mercer, "in float64"})
	}
	theirs, checks := make([][]float64, len(t.peers)), make([][]float64, len(t.peers))
	for round := range rounds {
		runtime.GC()
		begun := time.Now()
		result, err := t.work(uint64(round))
		if err != nil {
			return err
		}
		ours, mine = append(ours, time.Since(begun).Seconds()), append(mine, result...)
		speed := linalg.Speed
		if t.single {
			speed = singleSpeed
		}
		least = append(least, max(t.flops/speed(threads), t.bytes/bandwidth(threads))/1e9)
		for i, r := range t.peers {
			var seconds float64
			var check []float64
			if other := others[r.program]; r.program == mercer {
				runtime.GC()
				begun := time.Now()
				check, err = t.double(uint64(round))
				seconds = time.Since(begun).Seconds()
			} else if other == nil {
				continue
			} else {
				seconds, check, err = other.ask(fmt.Sprint(r.task, " ", round))
			}
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
	row := func(name, seconds, ratio, says string) {
		fmt.Printf("%-50s %9.2f %9s %7s %7s  %s\n", name, own, seconds, ratio, floor, says)
	}
	name := t.name
	for i, r := range t.peers {
		if theirs[i] == nil {
			continue
		}
		says := r.program + " " + r.task
		if t.agree != nil {
			says += ": " + t.agree(mine, checks[i])
		}
		peer := results.Median(theirs[i])
		row(name, fmt.Sprintf("%.2f", peer), fmt.Sprintf("%.1f", peer/own), says)
		name = ""
	}
	if name != "" {
		row(name, "-", "-", "no peer")
	}
	return nil
}

// singleSpeed is linalg.Speed in single precision.
func singleSpeed(most int) float64 {
	const order, share = 1024, 128
	a, c, rows := make([]float32, order*order), make([]float32, order*order), make([]int, order)
	for i := range rows {
		rows[i] = i * order
	}
	b := vector.PackSingle(blas.NoTrans, blas64.General{Rows: order, Cols: order, Stride: order, Data: make([]float64, order*order)})
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(most))
	best := 0.0
	for range 5 {
		begun := time.Now()
		threads.For(order/share, func(i int) {
			part := blas32.General{Rows: share, Cols: order, Stride: order, Data: c[i*share*order:]}
			b.Mul(1, a, rows[i*share:][:share], part, false)
		})
		best = max(best, 2*order*order*order/time.Since(begun).Seconds()/1e9)
	}
	return best
}

// bandwidth measures how fast so many threads read memory, in GB/s: the best of three.
func bandwidth(threads int) float64 {
	const each = 1 << 24 // numbers a thread, 128 MB: more than caches hold
	values, sums := make([]float64, threads*each), make([]float64, threads)
	best := 0.0
	for range 3 {
		var group sync.WaitGroup
		begun := time.Now()
		for thread := range threads {
			group.Go(func() {
				part := values[thread*each:][:each]
				var a, b, c, d float64 // of independent sums, which do not wait for each other
				for i := 0; i < each; i += 8 {
					a, b, c, d = a+part[i], b+part[i+2], c+part[i+4], d+part[i+6]
				}
				sums[thread] = a + b + c + d
			})
		}
		group.Wait()
		best = max(best, 8*float64(len(values))/time.Since(begun).Seconds()/1e9)
	}
	return best
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
