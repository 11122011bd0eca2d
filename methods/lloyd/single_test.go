package lloyd

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas/blas32"
	"gonum.org/v1/gonum/mat"
)

// TestSingleIsCluster: points in single precision give the very result of the
// same points in double precision, also where their squares over- or underflow.
func TestSingleIsCluster(t *testing.T) {
	ctx := context.Background()
	for _, s := range []struct {
		d     int
		scale float64
	}{{1, 1}, {3, 1}, {9, 1}, {40, 1}, {9, 1e20}, {9, 1e-25}} {
		d := s.d
		const n, k, stride = 3000, 6, 43
		rng := rand.New(rand.NewPCG(5, uint64(d)))
		single := blas32.General{Rows: n, Cols: d, Stride: stride, Data: make([]float32, n*stride)}
		x := mat.NewDense(n, d, nil)
		for i := range n {
			for c := range d {
				single.Data[i*stride+c] = float32(s.scale * (rng.NormFloat64() + float64(3*(i%4))*float64(c%2)))
				x.Set(i, c, float64(single.Data[i*stride+c]))
			}
		}
		for name, change := range map[string]func(*Options){
			"default":  func(*Options) {},
			"plain":    func(o *Options) { o.Plain, o.Tol = true, 0 },
			"one draw": func(o *Options) { o.Tol, o.Init = 0, PlusPlus },
			"warm":     func(o *Options) { o.Warm, o.Restarts = 0.2, 2 },
			"batches":  func(o *Options) { o.MiniBatch = 100 },
			"restarts": func(o *Options) { o.Restarts = 3 },
		} {
			t.Run(fmt.Sprintf("%s in %d dimensions by %g", name, d, s.scale), func(t *testing.T) {
				o := DefaultOptions()
				change(&o)
				got, err := ClusterSingle(ctx, single, k, o, rand.New(rand.NewPCG(1, 2)))
				if err != nil {
					t.Fatal(err)
				}
				want, err := Cluster(ctx, x, nil, k, o, rand.New(rand.NewPCG(1, 2)))
				if err != nil {
					t.Fatal(err)
				}
				if got.Cost != want.Cost || !mat.Equal(got.Centers, want.Centers) || !slices.Equal(got.Labels, want.Labels) || got.Iterations != want.Iterations {
					t.Errorf("cost %.17g after %d iterations, want %.17g after %d", got.Cost, got.Iterations, want.Cost, want.Iterations)
				}
			})
		}
	}
}
