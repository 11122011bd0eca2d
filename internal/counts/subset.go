package counts

import (
	"fmt"
	"math/rand/v2"
	"sort"

	"gonum.org/v1/gonum/floats"
)

// Singly is the largest sample of counts for which random numbers are drawn for each
// of its points, as for a sample of points: a fit is then that of these points, from
// the same stream. Of larger ones an atom has one draw of the same law.
const Singly = 2048

// few is how many points are drawn one by one where only their numbers matter.
const few = 1 << 12

// Subset draws m of the points that counts count, without replacement and all alike:
// how many of each atom. It costs O(K) whatever m is: atoms take independent
// binomials of the share m/n, and the points that are then too many or too few, about
// √m, are taken off or added in the same way.
func Subset(counts []float64, m float64, rng *rand.Rand) []float64 {
	n := floats.Sum(counts)
	switch {
	case m > n || m < 0:
		panic(fmt.Sprintf("counts: %g points out of %g", m, n))
	case m > n/2:
		return rest(counts, Subset(counts, n-m, rng))
	}
	taken := make([]float64, len(counts))
	if m <= few {
		for _, j := range Sequence(counts, nil, int(m), rng) {
			taken[j]++
		}
		return taken
	}
	for j, c := range counts {
		taken[j] = Binomial(c, m/n, rng)
	}
	// Given their number, the points taken so far are a random subset of that size.
	if excess := floats.Sum(taken) - m; excess > 0 {
		floats.Sub(taken, Subset(taken, excess, rng))
	} else if excess < 0 {
		floats.Add(taken, Subset(rest(counts, taken), -excess, rng))
	}
	return taken
}

// rest is all but those taken.
func rest(counts, taken []float64) []float64 {
	return floats.SubTo(make([]float64, len(counts)), counts, taken)
}

// Sequence draws m points one after another without replacement, each with
// probability proportional to the weight of its atom, and says on which atoms they
// lie; nil weighs all alike. There are fewer where no others have a weight above 0.
// The first m' of m points are those of a draw of m'.
//
// Points are proposed by the counts and weights at the start of a round, and kept
// with the share of their atom's points that are left since, which is the law of one
// draw after another.
func Sequence(counts, weights []float64, m int, rng *rand.Rand) []int {
	left, sums := append([]float64(nil), counts...), make([]float64, len(counts))
	var drawn []int
	for len(drawn) < m {
		begun := append([]float64(nil), left...)
		for j, c := range begun {
			if weights != nil {
				c *= weights[j]
			}
			sums[j] = c
		}
		floats.CumSum(sums, sums)
		if sums[len(sums)-1] == 0 {
			break
		}
		for refused := 0; len(drawn) < m && refused < len(counts); {
			j := Draw(sums, rng)
			if left[j] < begun[j] && rng.Float64()*begun[j] >= left[j] {
				refused++
				continue
			}
			left[j]--
			drawn = append(drawn, j)
		}
	}
	return drawn
}

// Draw draws an index by the weights behind partial sums, of which the last is
// positive.
func Draw(sums []float64, rng *rand.Rand) int {
	total := sums[len(sums)-1]
	u := rng.Float64() * total
	return sort.Search(len(sums)-1, func(j int) bool { return sums[j] > u })
}

// At is the atom of point i, counted from 0, where points stand in the order of their
// atoms; sums are the partial sums of the counts.
func At(sums []float64, i int) int {
	return sort.Search(len(sums)-1, func(j int) bool { return sums[j] > float64(i) })
}
