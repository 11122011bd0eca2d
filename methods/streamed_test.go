package methods_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"

	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
	"mercer/methods"
)

// blocks are rows of which few may be asked for at a time.
type blocks struct {
	*mat.Dense
	most  int
	asked *atomic.Int64
}

func (b blocks) Len() int { n, _ := b.Dims(); return n }
func (b blocks) Dim() int { _, d := b.Dims(); return d }

func (b blocks) Rows(idx []int, dst *mat.Dense) {
	if len(idx) > b.most {
		panic(fmt.Sprintf("%d rows at a time", len(idx)))
	}
	b.asked.Add(int64(len(idx)))
	if dst.IsEmpty() {
		dst.ReuseAs(len(idx), b.Dim())
	}
	for i, j := range idx {
		dst.SetRow(i, b.RawRowView(j))
	}
}

// TestStreamedIsTheClustering: points read in blocks and kept in single precision
// are clustered as those in memory from the same stream. Rounding to 24 bits
// changes squared distances by some 1e-7; it could send a point that lies that
// near to the middle between two centres the other way, at most one of 3000 here,
// and the cost by 1e-6 of itself.
func TestStreamedIsTheClustering(t *testing.T) {
	const n, d, k, m = 3000, 9, 5, 60
	rng := rand.New(rand.NewPCG(4, 4))
	x := mat.NewDense(n+500, d, nil) // more rows than the sample
	for i := range n + 500 {
		for c := range d {
			x.Set(i, c, rng.NormFloat64()+2*math.Sin(float64(7*(i%k)+c)))
		}
	}
	var asked atomic.Int64
	own := kernel.NewGaussian(0.05)
	inMemory := methods.Sample{X: x.Slice(0, n, 0, d).(*mat.Dense), Kernel: own, Sizes: methods.Sizes{N: n, M: m, K: k}}
	streamed := methods.Sample{Rows: blocks{x, 512, &asked}, Kernel: own, Sizes: inMemory.Sizes}
	for _, test := range []struct {
		text string
		d    int
	}{
		{"kmeans: {tol: 0}", 0}, {"kmeans: {tol: 0}", 7}, {"{landmarks: first, kmeans: {}}", 0},
		{"kmeans: {mini_batch: 200}", 0}, {"{rank: full, kmeans: {warm: 0.3}}", 7},
		{"{landmarks: {rule: uniform, replacement: true}, kmeans: {restarts: 2}}", 0},
	} {
		fit := func(p methods.Sample, stream bool) *methods.Clustering {
			t.Helper()
			options := decoded(t, "nystrom-embedding", test.text, "").(*methods.NystromEmbeddingOptions)
			options.Stream = stream
			if shape := options.Traits().Shape; (shape == methods.ShapeStreamed) != stream {
				t.Fatalf("stream %v makes %s", stream, shape)
			}
			method, err := options.Method()
			if err != nil {
				t.Fatal(err)
			}
			p.Sizes.D = test.d
			model, err := method.Fit(t.Context(), p, rand.New(rand.NewPCG(8, 9)))
			if err != nil {
				t.Fatal(err)
			}
			return model.(*methods.Clustering)
		}
		want := fit(inMemory, false)
		asked.Store(0)
		got := fit(streamed, true)
		if read := asked.Load(); read > n+m {
			t.Errorf("%s: %d rows read of %d and %d landmarks", test.text, read, n, m)
		}
		if methods.ShapeOf(got) != methods.ShapeStreamed || methods.ShapeOf(want) != methods.ShapeClustering {
			t.Errorf("%s: a %s and a %s", test.text, methods.ShapeOf(got), methods.ShapeOf(want))
		}
		differ := 0
		for i, label := range got.Labels {
			if label != want.Labels[i] {
				differ++
			}
		}
		if differ > 1 || len(got.Labels) != n {
			t.Errorf("%s: %d of %d labels differ", test.text, differ, len(got.Labels))
		}
		_, squared, err := want.Assign(t.Context(), inMemory.X)
		if err != nil {
			t.Fatal(err)
		}
		total, wanted := 0.0, 0.0
		for i := range squared {
			total, wanted = total+got.Squared[i], wanted+squared[i]
			if got.Labels[i] == want.Labels[i] && math.Abs(got.Squared[i]-squared[i]) > 1e-5 {
				t.Fatalf("%s: point %d is at squared distance %v, want %v", test.text, i, got.Squared[i], squared[i])
			}
		}
		if math.Abs(total-wanted) > 1e-6*wanted {
			t.Errorf("%s: cost %v, in double precision %v", test.text, total/n, wanted/n)
		}
		procs := runtime.GOMAXPROCS(3)
		again := fit(streamed, true)
		runtime.GOMAXPROCS(procs)
		if !slices.Equal(again.Labels, got.Labels) || !slices.Equal(again.Squared, got.Squared) {
			t.Errorf("%s: another number of processors gives another clustering", test.text)
		}
	}
}

func TestStreamRefuses(t *testing.T) {
	decoded(t, "nystrom-embedding", "stream: true", "give the block kmeans")
	decoded(t, "nystrom-embedding", "{stream: true, landmarks: rpcholesky, kmeans: {}}", "take uniform or first")
	decoded(t, "nystrom-embedding", "{stream: true, kmeans: {}}", "")
}
