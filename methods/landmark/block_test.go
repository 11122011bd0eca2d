package landmark

import (
	"fmt"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"

	"mercer/internal/kernel"
)

// blockLaw is the law of the pivots of block randomly pivoted Cholesky by its
// definition: every block that may be drawn, its greedy pivots by a solver, and all that
// may follow.
func blockLaw(left func(s []int) []float64, m, block int) map[string]float64 {
	law := map[string]float64{}
	var extend func(before []int, p float64)
	extend = func(before []int, p float64) {
		if len(before) == m {
			law[fmt.Sprint(before)] += p
			return
		}
		d := left(before)
		sequences(len(d), min(block, m-len(before)), func(s []int) {
			q, total := p, floats.Sum(d)
			for _, i := range s {
				q *= d[i] / total
				total -= d[i]
			}
			if q > 0 {
				extend(append(slices.Clone(before), greedyOf(left, before, s, block)...), q)
			}
		})
	}
	extend(nil, 1)
	return law
}

// greedyOf are the greedy pivots among s after those before.
func greedyOf(left func(s []int) []float64, before, s []int, block int) (kept []int) {
	whole := 0.0
	for len(kept) < len(s) {
		now, sum, best := left(append(slices.Clone(before), kept...)), 0.0, s[0]
		for _, i := range s {
			sum += now[i]
			if now[i] > now[best] {
				best = i
			}
		}
		if len(kept) == 0 {
			whole = sum
		} else if sum <= whole/float64(block) {
			break
		}
		kept = append(kept, best)
	}
	return kept
}

// TestLawOfBlocks: pivots in blocks have the law of their definition, enumerated, which
// differs from that of one pivot after another.
func TestLawOfBlocks(t *testing.T) {
	k, x := five()
	gram := gramOf(k, x)
	left := func(s []int) []float64 { return remainder(gram, s) }
	for _, block := range []int{1, 2, 3} {
		t.Run(fmt.Sprintf("block=%d", block), func(t *testing.T) {
			law := blockLaw(left, 3, block)
			p := problemOf(t, k, x, 3, 7, Options{Rule: "block-rpcholesky", Block: block})
			obeys(t, onlyLikely(law), 20000, func() []int {
				set, err := p.blockCholesky()
				if err != nil {
					t.Fatal(err)
				}
				return likely(law, set.Indices)
			})
		})
	}
}

// TestFilterRefuses: of a block that all comes from one tight cluster the filter keeps one
// point, and more clusters are found than by a block whose points are all kept. The figures
// are in units of tr K.
func TestFilterRefuses(t *testing.T) {
	x, k := clustered(9, 700), kernel.NewGaussian(0.5)
	gram := gramOf(k, x)
	const m, seeds = 14, 40
	filtered, whole := 0.0, 0.0
	for seed := range uint64(seeds) {
		set := pick(t, k, x, m, seed, Options{Rule: "block-rpcholesky", Block: m})
		filtered += floats.Sum(remainder(gram, set.Indices)) / 700 / seeds
		whole += floats.Sum(remainder(gram, withoutReplacement(slices.Repeat([]float64{1}, 700), m, stream(seed)))) / 700 / seeds
	}
	t.Logf("left: %.3g, of whole blocks %.3g", filtered, whole)
	if !(filtered < 0.5*whole) {
		t.Errorf("robust filtering leaves %.3g of the trace, whole blocks %.3g", filtered, whole)
	}
}
