package inference

import (
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"mercer/internal/lists"
)

// Sample is a quantity over independent units by their number: over repeats, or over data
// sets, whose repeats are averaged first.
type Sample map[int]float64

// Comparison is how two samples are compared. Everything that says which of two methods or runs
// is better is one: claims on ratios and orders, the best of a table, budgets, ranks, and runs.
type Comparison struct {
	Level    float64 // each end of the interval by itself is a bound of this level
	Unpaired bool    // a number means different units in the two samples
	Ranks    bool    // p by ranks alone, exact for every law of the units: of runs, and of data sets
	Allowed  float64 // differences of up to this size, either way, are none
}

// Difference is the second sample less the first.
type Difference struct {
	Estimate                // of the mean difference; P is two-sided
	Values        []float64 // by unit, if units are paired
	Logs          bool      // of logarithms, so that a difference is the log of a ratio
	Missing       int       // units of which one sample has a value and the other has none
	Less, Greater float64   // p by ranks of "it is at least -Allowed" and of "it is at most Allowed"
}

// Of compares two samples. Logarithms are compared if all values are positive; otherwise values
// are. Paired units are tested by [SkewTest], or by signed ranks; others by the rank sum, with
// Welch's interval.
func (c Comparison) Of(first, second Sample) Difference {
	d := Match(first, second)
	tails := func(shift float64) Tails {
		return SignedRank(lists.Map(d.Values, func(v float64) float64 { return v - shift }))
	}
	switch {
	case c.Unpaired:
		a, b := inOrder(first), inOrder(second)
		if d.Logs = !slices.ContainsFunc(slices.Concat(a, b), func(v float64) bool { return v <= 0 }); d.Logs {
			a, b = lists.Map(a, math.Log), lists.Map(b, math.Log)
		}
		d.Values, d.Missing, d.Estimate = nil, 0, welch(a, b, c.Level)
		tails = func(shift float64) Tails {
			return RankSum(a, lists.Map(b, func(v float64) float64 { return v - shift }))
		}
	case len(d.Values) == 0:
		d.Estimate = Estimate{Mean: math.NaN(), Low: math.NaN(), High: math.NaN(), P: 1}
	default:
		d.Estimate = SkewTest{Band: Band{Relation: "=", Within: c.Allowed, Slack: RoundingSlack}, Level: 2*c.Level - 1, Logs: d.Logs}.Estimate(d.Values)
	}
	if c.Unpaired || c.Ranks {
		d.Less, d.Greater = tails(-c.Allowed).Less, tails(c.Allowed).Greater
		d.P = min(1, 2*min(d.Less, d.Greater))
	}
	return d
}

// Match pairs the units of two samples: log ratios if all values are positive or equal, otherwise
// differences in units of the largest value.
func Match(first, second Sample) Difference {
	var d Difference
	largest := math.SmallestNonzeroFloat64
	d.Logs = true
	var units []int
	for _, unit := range slices.Sorted(maps.Keys(second)) {
		x, y := second[unit], first[unit]
		if _, both := first[unit]; both {
			units = append(units, unit)
			largest = max(largest, math.Abs(x), math.Abs(y))
			d.Logs = d.Logs && (x == y || x > 0 && y > 0)
		}
	}
	d.Missing = len(first) + len(second) - 2*len(units)
	for _, unit := range units {
		switch x, y := second[unit], first[unit]; {
		case x == y:
			d.Values = append(d.Values, 0)
		case d.Logs:
			d.Values = append(d.Values, math.Log(x)-math.Log(y))
		default:
			d.Values = append(d.Values, x/largest-y/largest)
		}
	}
	return d
}

// inOrder are the values by number.
func inOrder(s Sample) []float64 {
	return lists.Map(slices.Sorted(maps.Keys(s)), func(unit int) float64 { return s[unit] })
}

// welch is the difference of two means with Welch's interval, each end a bound of the level.
func welch(a, b []float64, level float64) Estimate {
	e := Estimate{Count: min(len(a), len(b)), Mean: math.NaN(), Low: math.NaN(), High: math.NaN(), P: 1}
	if e.Count == 0 {
		return e
	}
	e.Mean = stat.Mean(b, nil) - stat.Mean(a, nil)
	if e.Count < 2 {
		return e
	}
	ofA, ofB := stat.Variance(a, nil)/float64(len(a)), stat.Variance(b, nil)/float64(len(b))
	half := 0.0
	if se2 := ofA + ofB; se2 > 0 {
		nu := se2 * se2 / (ofA*ofA/float64(len(a)-1) + ofB*ofB/float64(len(b)-1))
		half = distuv.StudentsT{Sigma: 1, Nu: nu}.Quantile(level) * math.Sqrt(se2)
	}
	e.Low, e.High = e.Mean-half, e.Mean+half
	return e
}
