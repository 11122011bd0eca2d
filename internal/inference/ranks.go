package inference

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/combin"
	"gonum.org/v1/gonum/stat/distuv"
)

// Beyond these numbers of values, rank tests go by the normal approximation.
const (
	exactPairs  = 60 // of pairs
	exactValues = 50 // of both samples together
)

// rankLaws are null laws of rank tests, which depend on the ties alone and are the same for
// most tests of a comparison.
var rankLaws memory[string, []float64]

// Tails are the p of a one-sided test in either direction.
type Tails struct{ Greater, Less float64 }

// SignedRank is Wilcoxon's test of differences against a law that is symmetric
// about 0: Greater is the chance of a signed-rank sum as large as this one.
// Differences of 0 are left out, ties get their mean rank, and the law is that of
// random signs given the ranks: exact up to exactPairs differences, the normal
// approximation with the same variance beyond.
//
// Reference: Wilcoxon, Individual comparisons by ranking methods, Biometrics
// Bulletin 1 (1945); Pratt & Gibbons, Concepts of Nonparametric Theory (1981), ch 3.
func SignedRank(differences []float64) Tails {
	var sizes []float64
	var positive []bool
	for _, d := range differences {
		if d != 0 {
			sizes, positive = append(sizes, math.Abs(d)), append(positive, d > 0)
		}
	}
	if len(sizes) == 0 {
		return Tails{1, 1}
	}
	ranks := doubledRanks(sizes)
	sum, total, squares := 0, 0, 0.0
	for i, rank := range ranks {
		if positive[i] {
			sum += rank
		}
		total += rank
		squares += float64(rank) * float64(rank)
	}
	if len(ranks) > exactPairs {
		return normalTails(float64(sum), float64(total)/2, math.Sqrt(squares)/2)
	}
	law := rankLaws.at(fmt.Sprint("signs", slices.Sorted(slices.Values(ranks))), func() []float64 {
		law := make([]float64, total+1)
		law[0] = 1
		reach := 0
		for _, rank := range ranks {
			reach += rank
			for s := reach; s >= 0; s-- {
				law[s] /= 2
				if s >= rank {
					law[s] += law[s-rank] / 2
				}
			}
		}
		return law
	})
	return tailsOf(law, sum)
}

// RankSum is the test of Wilcoxon, Mann and Whitney of two independent samples
// of one law: Greater is the chance of a rank sum of b as large as this one. Ties
// get their mean rank, and the law is that of a random choice of len(b) of the
// ranks: exact up to exactValues values, the normal approximation with the same
// variance beyond.
//
// Reference: Mann & Whitney, On a test of whether one of two random variables is
// stochastically larger than the other, Ann. Math. Statist. 18 (1947).
func RankSum(a, b []float64) Tails {
	if len(a) == 0 || len(b) == 0 {
		return Tails{1, 1}
	}
	ranks := doubledRanks(slices.Concat(a, b))
	n, k := len(ranks), len(b)
	sum, total := 0, 0
	for i, rank := range ranks {
		if i >= len(a) {
			sum += rank
		}
		total += rank
	}
	mean := float64(total) / float64(n)
	if n > exactValues {
		spread := 0.0
		for _, rank := range ranks {
			spread += (float64(rank) - mean) * (float64(rank) - mean)
		}
		variance := float64(k) * float64(n-k) / float64(n) * spread / float64(n-1)
		return normalTails(float64(sum), float64(k)*mean, math.Sqrt(variance))
	}
	law := rankLaws.at(fmt.Sprint("choices", k, slices.Sorted(slices.Values(ranks))), func() []float64 {
		chosen := make([][]float64, k+1) // by number and sum of the ranks chosen
		for i := range chosen {
			chosen[i] = make([]float64, total+1)
		}
		chosen[0][0] = 1
		for i, rank := range ranks {
			for c := min(i+1, k); c > 0; c-- {
				for s := total; s >= rank; s-- {
					chosen[c][s] += chosen[c-1][s-rank]
				}
			}
		}
		ways := combin.GeneralizedBinomial(float64(n), float64(k))
		for s := range chosen[k] {
			chosen[k][s] /= ways
		}
		return chosen[k]
	})
	return tailsOf(law, sum)
}

// tailsOf sums a law from either end up to and with the value at.
func tailsOf(law []float64, at int) Tails {
	var t Tails
	for s := len(law) - 1; s >= at; s-- {
		t.Greater += law[s]
	}
	for s := 0; s <= at; s++ {
		t.Less += law[s]
	}
	return Tails{min(1, t.Greater), min(1, t.Less)}
}

// normalTails are those of a normal law, with continuity correction for a sum of
// doubled ranks, whose steps are 2.
func normalTails(at, mean, sd float64) Tails {
	if sd == 0 {
		return Tails{1, 1}
	}
	return Tails{
		Greater: distuv.UnitNormal.Survival((at - 1 - mean) / sd),
		Less:    distuv.UnitNormal.CDF((at + 1 - mean) / sd),
	}
}

// doubledRanks are twice the ranks of values, from 2 on; tied values get twice
// their mean rank, a whole number.
func doubledRanks(values []float64) []int {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(values[i], values[j]) })
	ranks := make([]int, len(values))
	for i := 0; i < len(order); {
		j := i
		for j < len(order) && values[order[j]] == values[order[i]] {
			j++
		}
		for _, at := range order[i:j] {
			ranks[at] = i + 1 + j // twice the mean of i+1 … j
		}
		i = j
	}
	return ranks
}

// LeastP is the smallest p that a rank test of these numbers of values can have.
func LeastP(paired bool, base, new int) float64 {
	if paired {
		return math.Pow(0.5, float64(new))
	}
	return 1 / combin.GeneralizedBinomial(float64(base+new), float64(new))
}

// RepeatsFor is the number of repeats, on both sides, with which a rank test can
// fall below p.
func RepeatsFor(paired bool, p float64) int {
	r := 1
	for LeastP(paired, r, r) >= p {
		r++
	}
	return r
}
