package results

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// SortRecords sorts by data set, kernel, method, variables in their order, a missing
// one first, and repeat, whatever the order of the records before.
func TestSortRecords(t *testing.T) {
	point := func(n, m float64) map[string]float64 { return map[string]float64{"n": n, "m": m} }
	want := []Record{
		{Dataset: "a", Kernel: "b", Method: "c", Point: map[string]float64{"m": 9}},
		{Dataset: "a", Kernel: "b", Method: "c", Point: map[string]float64{"n": 1}},
		{Dataset: "a", Kernel: "b", Method: "c", Point: point(1, -2)},
		{Dataset: "a", Kernel: "b", Method: "c", Point: point(1, 2), Repeat: 2},
		{Dataset: "a", Kernel: "b", Method: "c", Point: point(1, 2), Repeat: 10},
		{Dataset: "a", Kernel: "b", Method: "c", Point: map[string]float64{"n": 1, "m": 2, "a": -5}},
		{Dataset: "a", Kernel: "b", Method: "c", Point: point(10, 0)},
		{Dataset: "a", Kernel: "b", Method: "d"},
		{Dataset: "a", Kernel: "c"},
		{Dataset: "b", Key: "x"},
		{Dataset: "b", Key: "y"},
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		shuffled := slices.Clone(want)
		rng.Shuffle(len(want), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		before := slices.Clone(shuffled)
		sorted := Sorted(shuffled, []string{"n", "m"})
		if diff := cmp.Diff(before, shuffled); diff != "" {
			t.Fatalf("Sorted changes its records:\n%s", diff)
		}
		SortRecords(shuffled, []string{"n", "m"})
		if diff := cmp.Diff(want, shuffled) + cmp.Diff(want, sorted); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
	}
	if again := Sorted(want, []string{"n", "m"}); &again[0] != &want[0] {
		t.Error("Sorted copies what is in order")
	}
}
