package compare

import (
	"math"
	"math/rand/v2"
	"slices"

	"mercer/results"
)

// leastStretch is the least number of values between two changes, 2 or more.
const leastStretch = 3

// changePoint is a place at which the level of a series changes.
type changePoint struct {
	at     int     // index of the first value of the new level
	before float64 // median of the stretch that ends before at
	after  float64 // median of the stretch that begins at at
	p      float64 // p-value of the test that found it
}

// changePoints lists the changes of a series, first to last. It looks at the whole
// series for the pair of neighbouring stretches whose values differ most, by the energy
// statistic of E-divisive. A permutation test says how often so large a difference
// comes about by order alone. If that is rare, the place is a change, and the stretches
// on either side of it are looked at in the same way, until nothing rare is left. level
// is the probability, at most, with which a series without change is said to have one.
//
// The test assumes of a series without change that all orders of its values are
// equally likely. It assumes no distribution: an outlier is no change, for it may
// stand anywhere. Slow drifts of a machine break the assumption; the tests of this
// file say how much that costs. Few orders cannot be rare: k changed values at the
// end of n are found at level p only if 2/C(n,k) is well below p. At 1 % that takes
// 3 of 16 values, or 4 of 12.
//
// Values are finite and compared by their differences, so that of times and errors the
// logarithms belong here. Cost: O(n²) for each permutation, of which there are at most
// 10/level for each change and, mostly, some tens for the test that ends the search.
//
// Reference: Matteson & James 2014 (E-divisive).
func changePoints(values []float64, level float64, rng *rand.Rand) []changePoint {
	bounds := []int{0, len(values)}
	var room []float64
	p := map[int]float64{}
	for {
		at, most := best(values, bounds, &room)
		if at < 0 {
			break
		}
		value := shuffleTest(values, bounds, level, most, rng)
		if value > level {
			break
		}
		p[at] = value
		bounds = append(bounds, at)
		slices.Sort(bounds)
	}
	var changes []changePoint
	for i := 1; i+1 < len(bounds); i++ {
		at := bounds[i]
		changes = append(changes, changePoint{at: at, p: p[at],
			before: results.Median(values[bounds[i-1]:at]), after: results.Median(values[at:bounds[i+1]])})
	}
	return changes
}

// best is the place within the stretches at which the statistic is largest, and
// its value; -1 where no stretch can be divided, or all values in each are equal.
func best(values []float64, bounds []int, room *[]float64) (at int, most float64) {
	at = -1
	for i := 1; i < len(bounds); i++ {
		from, to := bounds[i-1], bounds[i]
		if place, q := divide(values[from:to], leastStretch, room); place > 0 && q > most {
			at, most = from+place, q
		}
	}
	return at, most
}

// shuffleTest is the share of orders within the stretches, with the one given, whose
// statistic is at least most. It stops as soon as the share cannot be at or below
// the level.
func shuffleTest(values []float64, bounds []int, level, most float64, rng *rand.Rand) float64 {
	orders := int(math.Ceil(10/level)) - 1
	allowed := int(level * float64(orders+1))
	shuffled := slices.Clone(values)
	beyond := 1
	var room []float64
	// Equal statistics differ by rounding.
	most -= 1e-12 * math.Abs(most)
	for tried := 1; tried <= orders; tried++ {
		for i := 1; i < len(bounds); i++ {
			part := shuffled[bounds[i-1]:bounds[i]]
			rng.Shuffle(len(part), func(a, b int) { part[a], part[b] = part[b], part[a] })
		}
		if _, q := best(shuffled, bounds, &room); q >= most {
			if beyond++; beyond > allowed {
				return float64(beyond) / float64(tried+1)
			}
		}
	}
	return float64(beyond) / float64(orders+1)
}

// divide is the place a in a stretch x, and an end b after it, for which x[:a] and
// x[a:b] differ most, and by how much: the energy statistic
//
//	rs/(r+s) · (2·mean|x−y| − mean|x−x'| − mean|y−y'|)
//
// of r and s values, with means over pairs of different values. 0 where there is
// no such place. Cost: 3n² flops and 8n² bytes.
func divide(x []float64, least int, room *[]float64) (at int, most float64) {
	n := len(x)
	if n < 2*least {
		return 0, 0
	}
	// sum[i*n+j] is the sum of distances of x_i to the first j values.
	if len(*room) < n*n {
		*room = make([]float64, n*n)
	}
	sum := (*room)[:n*n]
	for i, v := range x {
		row := sum[i*n : (i+1)*n]
		row[0] = 0
		for j := 1; j < n; j++ {
			row[j] = row[j-1] + math.Abs(v-x[j-1])
		}
	}
	before := 0.0 // over pairs of x[:a]
	for a := 1; a <= n-least; a++ {
		if a > 1 {
			before += sum[(a-1)*n+a-1]
		}
		if a < least {
			continue
		}
		between, after := 0.0, 0.0
		for b := a; b < n; b++ { // x[a:b+1]
			between += sum[b*n+a]
			after += sum[b*n+b] - sum[b*n+a]
			if b+1-a < least {
				continue
			}
			r, s := float64(a), float64(b+1-a)
			q := r * s / (r + s) * (2*between/(r*s) - before/(r*(r-1)/2) - after/(s*(s-1)/2))
			if q > most {
				at, most = a, q
			}
		}
	}
	return at, most
}
