package lloyd

import (
	"context"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestWarmIsItsDefinition: a warm start is k-means on the sample that the stream
// draws first, then k-means on all points from the centres found, whatever the
// bounds; the starts are those of the sample.
func TestWarmIsItsDefinition(t *testing.T) {
	for _, s := range []struct{ n, d, k int }{{900, 3, 5}, {1200, 70, 4}, {40, 2, 20}} {
		x, _ := mixture(s.n, s.d, s.k, 0.4, 5)
		for _, plain := range []bool{false, true} {
			o := DefaultOptions()
			o.Plain, o.Restarts = plain, 3
			rng := stream(6)
			rows := sampleRows(s.n, max(s.k, s.n/4), rng)
			sample := mat.NewDense(len(rows), s.d, nil)
			for place, i := range rows {
				sample.SetRow(place, x.RawRowView(i))
			}
			first, err := Cluster(context.Background(), sample, nil, s.k, o, rng)
			if err != nil {
				t.Fatal(err)
			}
			then := o
			then.Init, then.Centers, then.Restarts = FromCenters, first.Centers, 1
			want := cluster(t, x, s.k, then, 0)
			o.Warm = 0.25
			got := cluster(t, x, s.k, o, 6)
			if !sameBits(got, want) || got.Sampled != first.Iterations || got.Start != first.Start {
				t.Errorf("n=%d, plain %v: cost %v from start %d after %d and %d iterations, want %v from %d after %d and %d", s.n, plain,
					got.Cost, got.Start, got.Sampled, got.Iterations, want.Cost, first.Start, first.Iterations, want.Iterations)
			}
		}
	}
}

// TestSampleRows: samples ascend, and all 10 pairs of 5 rows come equally often
// in 20,000 draws, by a χ² test of false-alarm rate 1e-4.
func TestSampleRows(t *testing.T) {
	rng := stream(3)
	seen, probability := map[[3]int]float64{}, map[[3]int]float64{}
	for i := range 5 {
		for j := range i {
			probability[[3]int{j, i, 0}] = 0.1
		}
	}
	for range 20000 {
		rows := sampleRows(5, 2, rng)
		if len(rows) != 2 || rows[0] >= rows[1] {
			t.Fatalf("sample %v", rows)
		}
		seen[[3]int{rows[0], rows[1], 0}]++
	}
	if p := chiSquared(seen, probability, 20000); p < 1e-4 {
		t.Errorf("p = %.2g: %v", p, seen)
	}
	if all := sampleRows(4, 4, rng); !slices.Equal(all, []int{0, 1, 2, 3}) {
		t.Errorf("all of 4 rows: %v", all)
	}
}

// TestWarmSparesPasses: on points whose variance decays, fewer passes over all
// are left, at a median cost within 0.5 % of that of plain starts, the spread of
// these.
func TestWarmSparesPasses(t *testing.T) {
	x := decaying(6000, 60, 8, 2)
	var plain, warm, plainCost, warmCost []float64
	for seed := range uint64(5) {
		o := DefaultOptions()
		r := cluster(t, x, 8, o, seed)
		plain, plainCost = append(plain, float64(r.Evaluated)), append(plainCost, r.Cost)
		o.Warm = 0.25
		r = cluster(t, x, 8, o, seed)
		warm, warmCost = append(warm, float64(r.Evaluated)), append(warmCost, r.Cost)
	}
	middle := func(v []float64) float64 { return slices.Sorted(slices.Values(v))[len(v)/2] }
	if middle(warm) > 0.8*middle(plain) || middle(warmCost) > 1.005*middle(plainCost) {
		t.Errorf("evaluated %v warm, %v plain; costs %v and %v", warm, plain, warmCost, plainCost)
	}
}

// decaying draws points of a mixture whose columns fall off in size, as features
// of a kernel do.
func decaying(n, d, k int, seed uint64) *mat.Dense {
	x, _ := mixture(n, d, k, 0.5, seed)
	x.Apply(func(_, c int, v float64) float64 { return v / float64(1+c/4) }, x)
	return x
}
