package verify

import (
	"math/rand/v2"
	"slices"
	"sort"

	"mercer/results"
)

// repeatable are the records that can be computed again: those that ran into no limit of
// time or memory.
func repeatable(records []results.Record) []results.Record {
	return slices.DeleteFunc(slices.Clone(records), func(r results.Record) bool {
		return r.Status == results.Timeout || r.Status == results.OOM
	})
}

// draw draws count of the records, each set of so many with equal probability.
func draw(records []results.Record, count int, seed uint64) []results.Record {
	rng := rand.New(rand.NewPCG(seed, 0))
	drawn := slices.Clone(records)
	rng.Shuffle(len(drawn), func(i, j int) { drawn[i], drawn[j] = drawn[j], drawn[i] })
	return drawn[:min(count, len(drawn))]
}

// MostWrong is the greatest number k of changed records, of so many, that a sample
// without replacement misses with a probability above 5 %: C(of-k, sample)/C(of, sample).
// With more, a sample has one of them with 95 % probability at least.
func MostWrong(of, sample int) int {
	return sort.Search(of+1, func(k int) bool { return missed(of, k, sample) <= 0.05 }) - 1
}

// missed is the probability that a sample has none of k changed records.
func missed(of, k, sample int) float64 {
	p := 1.0
	for i := range sample {
		p *= max(0, float64(of-k-i)) / float64(of-i)
	}
	return p
}
