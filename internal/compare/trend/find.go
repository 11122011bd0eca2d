package trend

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// Options of Find.
type Options struct {
	// Level is the probability, at most, with which a series without change is said
	// to have one; in (0, 1).
	Level float64
	// Least is the least number of values in a stretch, at least 2.
	Least int
}

// DefaultOptions are a level of 1 % and stretches of 3 values.
func DefaultOptions() Options { return Options{Level: 0.01, Least: 3} }

// Change is a place at which the level of a series changes.
type Change struct {
	At     int     // index of the first value of the new level
	Before float64 // median of the stretch that ends before At
	After  float64 // median of the stretch that begins at At
	P      float64 // p-value of the test that found it
}

// Find lists the changes of a series in its order. Values must be finite; they
// are compared by their differences, so that of times and errors the logarithms
// belong here. The cost is O(n²) for each permutation, of which there are at most
// 10/Level for each change and, mostly, some tens for the test that ends the
// search.
func Find(values []float64, o Options, rng *rand.Rand) ([]Change, error) {
	if !(o.Level > 0 && o.Level < 1) || o.Least < 2 {
		return nil, fmt.Errorf("trend: level %v, least stretch %d: the level must be in (0, 1), the stretch at least 2", o.Level, o.Least)
	}
	for i, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("trend: value %d is %v", i, v)
		}
	}
	bounds := []int{0, len(values)}
	var room []float64
	p := map[int]float64{}
	for {
		at, most := best(values, bounds, o.Least, &room)
		if at < 0 {
			break
		}
		value := test(values, bounds, o, most, rng)
		if value > o.Level {
			break
		}
		p[at] = value
		bounds = append(bounds, at)
		slices.Sort(bounds)
	}
	var changes []Change
	for i := 1; i+1 < len(bounds); i++ {
		at := bounds[i]
		changes = append(changes, Change{At: at, P: p[at],
			Before: median(values[bounds[i-1]:at]), After: median(values[at:bounds[i+1]])})
	}
	return changes, nil
}

// best is the place within the stretches at which the statistic is largest, and
// its value; -1 where no stretch can be divided, or all values in each are equal.
func best(values []float64, bounds []int, least int, room *[]float64) (at int, most float64) {
	at = -1
	for i := 1; i < len(bounds); i++ {
		from, to := bounds[i-1], bounds[i]
		if place, q := divide(values[from:to], least, room); place > 0 && q > most {
			at, most = from+place, q
		}
	}
	return at, most
}

// test is the share of orders within the stretches, with the one given, whose
// statistic is at least most. It stops as soon as the share cannot be at or below
// the level.
func test(values []float64, bounds []int, o Options, most float64, rng *rand.Rand) float64 {
	orders := int(math.Ceil(10/o.Level)) - 1
	allowed := int(o.Level * float64(orders+1))
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
		if _, q := best(shuffled, bounds, o.Least, &room); q >= most {
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

func median(x []float64) float64 {
	x = slices.Sorted(slices.Values(x))
	n := len(x)
	return (x[(n-1)/2] + x[n/2]) / 2
}
