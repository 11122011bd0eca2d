package results

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// SortRecords, which sorts numbers, is the sort by the order itself; points that
// are shared and points that are not give the same.
func TestSortRecordsIsTheCanonicalOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	shared := []map[string]float64{nil, {"n": 1}, {"n": 2}, {"m": 1, "n": 1}, {"m": 0, "n": 1}, {"theta": 0.5}}
	var records []Record
	for i := range 500 {
		r := Record{Dataset: fmt.Sprint("d", rng.IntN(2)), Kernel: fmt.Sprint("k", rng.IntN(2)), Method: fmt.Sprint("m", rng.IntN(3)),
			Point: shared[rng.IntN(len(shared))], Repeat: rng.IntN(4), Key: fmt.Sprint(i)}
		if i%3 == 0 && r.Point != nil {
			r.Point = map[string]float64{}
			for name, v := range shared[1+rng.IntN(len(shared)-1)] {
				r.Point[name] = v
			}
		}
		records = append(records, r)
	}
	variables := []string{"n", "m"}
	want := slices.Clone(records)
	order := canonicalOrder(records, variables)
	slices.SortFunc(want, func(a, b Record) int { return order(&a, &b) })
	before := slices.Clone(records)
	if sorted := Sorted(records, variables); !slices.EqualFunc(sorted, want, sameKey) || !slices.EqualFunc(records, before, sameKey) {
		t.Error("Sorted gives another order, or changes its records")
	}
	SortRecords(records, variables)
	if !slices.EqualFunc(records, want, sameKey) {
		t.Error("SortRecords gives another order")
	}
	if again := Sorted(records, variables); &again[0] != &records[0] {
		t.Error("Sorted copies what is in order")
	}
}

func sameKey(a, b Record) bool { return a.Key == b.Key }
