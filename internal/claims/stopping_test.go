package claims

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat"

	"mercer/internal/inference"
	"mercer/results"
)

// stopping is a rule that reads repeats until it says "holds": of means that the mean is at
// most 0, of coverages that it is at least 0.95. Wrong "holds" is to come in 5 % of runs.
type stopping struct {
	name  string
	every bool // at every repeat from 3 on; else at 8, 16, 32, …
	holds func(values []float64, at inference.Look) bool
}

const (
	stoppingMost  = 2048 // repeats
	stoppingEdge  = 256  // repeats of runs on the edge, which need not decide
	stoppingError = 0.05
	covered       = 0.95
)

// decides is the number of repeats at which the rule says "holds"; most+1 if it does not.
func (s stopping) decides(rng *rand.Rand, draw func(*rand.Rand) float64, most int) int {
	var values []float64
	next, number := 8, 0
	for n := 1; n <= most; n++ {
		values = append(values, draw(rng))
		switch {
		case s.every && n >= inference.MinRepeats && s.holds(values, inference.Look{}):
			return n
		case !s.every && n == next:
			if s.holds(values, planned(number)) {
				return n
			}
			next, number = 2*next, number+1
		}
	}
	return most + 1
}

// mixture is the e-process of a Gaussian mixture, with the variance g in units of that of a
// repeat, against a mean of 0. It has two sides: by symmetry either crosses 1/(2α) with half
// of the chance 2α.
//
// Reference: Wang & Ramdas, Anytime-valid t-tests and confidence sequences for Gaussian
// means with unknown variance, 2023.
func mixture(g float64) func([]float64, inference.Look) bool {
	return func(values []float64, _ inference.Look) bool {
		mean, sd := stat.MeanStdDev(values, nil)
		n, nu := float64(len(values)), float64(len(values)-1)
		t := mean / (sd / math.Sqrt(n))
		log := -math.Log1p(n*g)/2 + n/2*(math.Log1p(t*t/nu)-math.Log1p(t*t/(nu*(1+n*g))))
		return t < 0 && log >= -math.Log(2*stoppingError)
	}
}

// betaMixture is the e-process of a uniform law of coverages above 0.95.
//
// Reference: Howard et al., Time-uniform, nonparametric, nonasymptotic confidence sequences,
// Ann. Statist. 49 (2021).
func betaMixture(values []float64, _ inference.Look) bool {
	k, n := insideOf(values), len(values)
	a, b := float64(k+1), float64(n-k+1)
	above := 1 - mathext.RegIncBeta(a, b, covered)
	log := mathext.Lbeta(a, b) + math.Log(above/(1-covered)) - float64(k)*math.Log(covered) - float64(n-k)*math.Log(1-covered)
	return log >= -math.Log(stoppingError)
}

// insideOf is the number of values that are not 0.
func insideOf(values []float64) (k int) {
	for _, x := range values {
		if x != 0 {
			k++
		}
	}
	return k
}

func tLimits(values []float64, at inference.Look) bool {
	mean, sd := stat.MeanStdDev(values, nil)
	return mean+inference.TQuantile(at.Levels(0.95).Confidence, len(values)-1)*sd/math.Sqrt(float64(len(values))) <= 0
}

func ownLimits(values []float64, at inference.Look) bool {
	v := newVerdict(results.Key{}, "", 0.95, at)
	return judgeCells(v, []cell{{band: inference.Band{Relation: "<="}, values: values}}, plainScale).Outcome == Holds
}

func ownCoverage(values []float64, at inference.Look) bool {
	return inference.CoverageTest{Claimed: covered, Level: at.Levels(0.95).Confidence}.Estimate(values).Inside
}

// stoppingHead stands below the table of rates in docs/verdicts.md.
const stoppingHead = `
## What the choice of looks costs

Planned looks could be replaced by an e-process, which may be read after every repeat: for
means the Gaussian mixture with unknown variance, for coverages the mixture of binomial laws
over a uniform law of coverages. This table has the repeats after which a rule says "holds",
in %d runs of each row; planned looks are after 8, 16, 32, … repeats. Means are of normal
repeats, so many standard deviations inside the claim; the mixture has the same standard deviation, which
favours it. The last column is how often the rule says a wrong "holds" within %d repeats if the
truth is on the edge, where means are of χ² repeats with 1 degree.

Read after every repeat, a mixture needs about half of the repeats of planned looks, or fewer.
Read at planned looks it needs no fewer than planned looks with t limits, and for coverages no
fewer than planned looks: its gain is the reading in between. For means it is no choice, since
repeats are skewed: like t limits it is wrong several times more often than is promised. The
first two rows of each mean show what the limits that allow for a tail cost. For coverages the
choice costs repeats alone. The first four looks, which spend four fifths of the rate, are too
early to show a coverage of 0.95. A mixture would have to stop and judge after each repeat.
Planned looks keep all workers busy between a few looks, and use the test of a run with one look.

The same test makes it as the table above.

| Truth | Rule | Median repeats | 9 of 10 runs | Wrong |
|---|---|---:|---:|---:|
`

// stoppingTable compares planned looks with e-processes. Its seeds are fixed.
func stoppingTable() string {
	var b strings.Builder
	fmt.Fprintf(&b, stoppingHead, fullTrials, stoppingEdge)
	row := func(truth string, s stopping, draw, edge func(*rand.Rand) float64) {
		rng := rand.New(rand.NewPCG(13, 17))
		took, wrong := make([]int, fullTrials), 0
		for i := range took {
			took[i] = s.decides(rng, draw, stoppingMost)
			if s.decides(rng, edge, stoppingEdge) <= stoppingEdge {
				wrong++
			}
		}
		slices.Sort(took)
		fmt.Fprintf(&b, "| %s | %s | %d | %d | %.1f %% |\n", truth, s.name, took[fullTrials/2], took[fullTrials*9/10], 100*float64(wrong)/fullTrials)
	}
	for _, away := range []float64{0.5, 1} {
		for _, s := range []stopping{
			{"planned looks", false, ownLimits},
			{"planned looks with t limits", false, tLimits},
			{"Gaussian mixture at planned looks", false, mixture(away * away)},
			{"Gaussian mixture after every repeat", true, mixture(away * away)},
		} {
			row(fmt.Sprintf("mean, %g inside", away), s,
				func(rng *rand.Rand) float64 { return rng.NormFloat64() - away },
				func(rng *rand.Rand) float64 { return chiSquared(rng) - 1 })
		}
	}
	inside := func(p float64) func(*rand.Rand) float64 {
		return func(rng *rand.Rand) float64 {
			if rng.Float64() < p {
				return 1
			}
			return 0
		}
	}
	for _, s := range []stopping{{"planned looks", false, ownCoverage}, {"beta-binomial mixture at planned looks", false, betaMixture}, {"beta-binomial mixture after every repeat", true, betaMixture}} {
		row("coverage 0.99, claimed 0.95", s, inside(0.99), inside(covered))
	}
	costTable(&b)
	return b.String()
}

const costTrials = 500

// costHead stands above the table of what looks cost in repeats.
const costHead = `
What looks cost in repeats: so many there must be that 9 of 10 runs say "holds", and so many a run
has on average when it says so or ends. The looks of a row end at the first of the two numbers,
each at twice the repeats of the one before. Numbers are of %d runs, known to about 5 %%. One
look needs the fewest, but somebody must know beforehand how many these are; several looks find
out, and stop early where the truth lies farther inside the claim than was thought.

| Truth | Looks | Repeats for 9 of 10 | On average |
|---|---|---:|---:|
`

// costTable has the least number of repeats, in steps of a quarter of a factor of 2, at which a
// run of so many looks has a power of 90 %.
func costTable(b *strings.Builder) {
	fmt.Fprintf(b, costHead, costTrials)
	for _, away := range []float64{0.25, 0.5} {
		paths := make([][]float64, costTrials)
		for i := range paths {
			rng := rand.New(rand.NewPCG(19, uint64(i)))
			for range 1024 {
				paths[i] = append(paths[i], rng.NormFloat64()-away)
			}
		}
		for _, looks := range []int{1, 2, 4, 6} {
			for last := 32; ; last = int(math.Ceil(float64(last) * math.Pow(2, 0.25))) {
				if stops := stopsOf(paths, last, looks); stops[costTrials*9/10-1] <= last {
					fmt.Fprintf(b, "| mean, %g inside | %d | %d | %.0f |\n", away, looks, last, meanUpTo(stops, last))
					break
				}
			}
		}
		anytime := stopping{every: true, holds: mixture(away * away)}
		stops := make([]int, costTrials)
		for i, path := range paths {
			next := 0
			stops[i] = anytime.decides(nil, func(*rand.Rand) float64 { next++; return path[next-1] }, len(path))
		}
		slices.Sort(stops)
		last := stops[costTrials*9/10-1]
		fmt.Fprintf(b, "| mean, %g inside | after every repeat, by the Gaussian mixture | %d | %.0f |\n", away, last, meanUpTo(stops, last))
	}
}

// stopsOf are the repeats, in ascending order, at which looks that double up to the last one say
// "holds"; last+1 where none does.
func stopsOf(paths [][]float64, last, looks int) []int {
	stops := make([]int, len(paths))
	for i, path := range paths {
		stops[i] = last + 1
		for k := range looks {
			n, at := int(math.Ceil(float64(last)/float64(int(1)<<(looks-1-k)))), planned(k)
			if looks == 1 {
				at = inference.Look{}
			}
			if n >= inference.MinRepeats && ownLimits(path[:n], at) {
				stops[i] = n
				break
			}
		}
	}
	slices.Sort(stops)
	return stops
}

// meanUpTo is the mean of numbers that count as the last one where they are larger.
func meanUpTo(stops []int, last int) float64 {
	sum := 0
	for _, n := range stops {
		sum += min(n, last)
	}
	return float64(sum) / float64(len(stops))
}
