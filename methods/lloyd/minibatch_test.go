package lloyd

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestMiniBatchCost: from greedy seeds on overlapping clusters the mini-batch
// variant comes within 2 % of the cost that Lloyd reaches from where it ended,
// that is in the same basin. Noise alone, with each centre a mean over about
// 1/k of the drawn points, at least n of them, would leave k/n of the cost; the
// rest is the memory of the first steps.
func TestMiniBatchCost(t *testing.T) {
	for seed := range uint64(6) {
		x, _ := mixture(4000, 8, 5, 2, 12+seed)
		o := DefaultOptions()
		o.Init, o.MiniBatch = GreedyPlusPlus, 200
		r := cluster(t, x, 5, o, 1)
		labels, cost := bruteAssign(x, r.Centers)
		if !slices.Equal(labels, r.Labels) || math.Abs(cost-r.Cost) > 1e-12*cost {
			t.Error("labels and cost do not belong to the centres")
		}
		full := cluster(t, x, 5, from(r.Centers), 1)
		if !r.Converged || r.Cost > 1.02*full.Cost {
			t.Errorf("seed %d: cost %v in %d steps, Lloyd %v", seed, r.Cost, r.Iterations, full.Cost)
		}
	}
}

// TestMiniBatchRate: with one cluster the learning rate 1/count makes the centre
// the mean of all drawn points, whatever the batches: drawn here from the same
// stream.
func TestMiniBatchRate(t *testing.T) {
	x, _ := mixture(300, 9, 2, 1, 3)
	o := from(firstRows(x, 1))
	o.MiniBatch, o.MaxIter = 30, 4
	r := cluster(t, x, 1, o, 8)
	rng, mean := stream(8), mat.NewDense(1, 9, nil)
	drawn := 30 * r.Iterations
	for range drawn {
		i := rng.IntN(300)
		for c := range 9 {
			mean.Set(0, c, mean.At(0, c)+x.At(i, c)/float64(drawn))
		}
	}
	if !mat.EqualApprox(r.Centers, mean, 1e-12) { // 1200 additions of numbers near 1
		t.Errorf("centre %v, want %v", r.Centers, mean)
	}
}

// TestMiniBatchIdleCentre: a centre that no point is near gets one in the end.
func TestMiniBatchIdleCentre(t *testing.T) {
	x, _ := mixture(500, 3, 3, 5, 3)
	centers := firstRows(x, 3)
	centers.SetRow(1, []float64{1e6, 0, 0})
	o := from(centers)
	o.MiniBatch = 50
	if r := cluster(t, x, 3, o, 8); r.Reassigned == 0 || r.Empty > 0 {
		t.Errorf("%d reassigned, %d empty", r.Reassigned, r.Empty)
	}
}
