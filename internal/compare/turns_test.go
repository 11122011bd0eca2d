package compare

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"mercer/internal/ranks"
	"mercer/results"
)

// machine gives each turn a slowness: drift, an autocorrelated wander, a neighbour that
// comes every few turns, and bursts with a heavy tail that last some turns.
type machine struct {
	rng    *rand.Rand
	turn   int
	wander float64
	burst  float64
	left   int
}

// next is the factor of the turn that follows.
func (m *machine) next() float64 {
	m.turn++
	m.wander = 0.95*m.wander + 0.02*m.rng.NormFloat64()
	if m.left--; m.left <= 0 && m.rng.Float64() < 0.1 {
		m.burst, m.left = 0.2/math.Sqrt(m.rng.Float64()), 1+m.rng.IntN(5)
	}
	log := m.wander + 0.5*math.Exp(-float64(m.turn)/10) // warming up
	if m.left > 0 {
		log += m.burst
	}
	if m.turn%4 < 2 { // in step with the blocks
		log += 0.1
	}
	return math.Exp(log)
}

// turnsOf are blocks of two programs, the new one slower by a factor, each cell with
// noise of its own.
func turnsOf(rng *rand.Rand, cells, rounds int, factor float64, draw func() [4]bool) []Block {
	m := &machine{rng: rng}
	var blocks []Block
	for repeat := range rounds {
		var b Block
		for i, isNew := range draw() {
			slow := m.next()
			b[i].New = isNew
			b[i].Manifest = results.Manifest{Experiment: "exp", Profile: "smoke", Variables: []string{"n"}, Filter: "repeat == 0"}
			for n := range cells {
				seconds := 0.001 * float64(n+1) * slow * math.Exp(0.02*rng.NormFloat64())
				if isNew {
					seconds *= factor
				}
				r := results.Record{Schema: 1, Experiment: "exp", Dataset: "data", Method: "a", Point: map[string]float64{"n": float64(n)}, Repeat: repeat, Status: results.OK, Version: "1"}
				r.N = n
				r.Metrics.Set("time_total", results.Metric{Value: seconds, Unit: "s"})
				r.Metrics.Set("error", results.Metric{Value: 0.5})
				b[i].Records = append(b[i].Records, rekeyed(r))
			}
		}
		blocks = append(blocks, b)
	}
	return blocks
}

var inTurns = Options{Thresholds: Thresholds{Drift: 1e-9, Elsewhere: 1e-6, Worse: 0.005, Slower: 1.03, Confidence: 0.99}, Metrics: func(string) Metric { return Metric{Better: Less} }}

// TestTurnsOfTheSameProgram: under drift, wander, a periodic neighbour and bursts, the
// intervals of a program against itself miss 1 in any of 4 cells in at most 1 % of 2000
// comparisons. The limit of 37 is passed by chance with probability 2e-4 at a rate of
// 1 %. Without the coins the neighbour would be taken for the program.
func TestTurnsOfTheSameProgram(t *testing.T) {
	rng := rand.New(rand.NewPCG(20270301, 1))
	count := func(trials int, draw func() [4]bool) (missed, slower int) {
		for range trials {
			turns := timeTurns(turnsOf(rng, 4, 20, 1, draw), inTurns.Thresholds)
			if slices.ContainsFunc(turns.Cells, func(c PairedTime) bool { return c.Low > 1 || c.High < 1 }) {
				missed++
			}
			if slices.ContainsFunc(turns.Cells, func(c PairedTime) bool { return c.Verdict == PaceSlower || c.Verdict == PaceFaster }) {
				slower++
			}
		}
		return missed, slower
	}
	missed, slower := count(2000, func() [4]bool { return DrawBlock(rng) })
	t.Logf("of 2000 comparisons of a program with itself, an interval misses 1 in %d, and %d have a verdict of slower or faster", missed, slower)
	if missed > 37 || missed == 0 {
		t.Errorf("an interval misses 1 in %d of 2000 comparisons", missed)
	}
	if missed, _ = count(100, func() [4]bool { return [4]bool{false, true, true, false} }); missed < 10 {
		t.Errorf("in a fixed order ABBA only %d of 100 miss 1: the noise of this test is too mild", missed)
	}
}

// TestTurnsFindASlowDown: in the same noise, with 1 cell. The limits are five standard
// deviations of 300 comparisons below what these seeds gave: 54, 296, 296 and 120.
func TestTurnsFindASlowDown(t *testing.T) {
	rng := rand.New(rand.NewPCG(20270301, 2))
	for _, tt := range []struct {
		factor float64
		rounds int
		least  int // of 300
		want   Pace
	}{
		{1.1, 20, 21, PaceSlower}, {1.3, 20, 286, PaceSlower}, {1 / 1.3, 20, 286, PaceFaster}, {1.1, 40, 78, PaceSlower},
	} {
		found := 0
		for range 300 {
			turns := timeTurns(turnsOf(rng, 1, tt.rounds, tt.factor, func() [4]bool { return DrawBlock(rng) }), inTurns.Thresholds)
			if turns.Cells[0].Verdict == tt.want {
				found++
			}
		}
		t.Logf("× %.3g, %d rounds: %s in %d of 300", tt.factor, tt.rounds, tt.want, found)
		if found < tt.least {
			t.Errorf("× %.3g, %d rounds: %s in %d of 300, want %d", tt.factor, tt.rounds, tt.want, found, tt.least)
		}
	}
}

// TestWalshInterval: the ends are where the signed-rank test of a shift begins to reject,
// and with fewer values than RoundsFor there are none.
func TestWalshInterval(t *testing.T) {
	rng := rand.New(rand.NewPCG(20270301, 3))
	var r ranks.Tests
	for _, n := range []int{8, 9, 20, 45} {
		x := make([]float64, n)
		for i := range x {
			x[i] = rng.NormFloat64() + 3
		}
		level := 0.005
		low, middle, high, ok := walshInterval(walshAverages(x), n, level)
		if !ok || !(low < middle && middle < high) {
			t.Fatalf("%d values: %v < %v < %v, %v", n, low, middle, high, ok)
		}
		p := func(shift float64) ranks.Tails {
			moved := make([]float64, n)
			for i := range x {
				moved[i] = x[i] - shift
			}
			return r.SignedRank(moved)
		}
		const step = 1e-9 // far below the distance of two Walsh averages
		if out, in := p(low-step).Greater, p(low+step).Greater; out > level || in <= level {
			t.Errorf("%d values: about the lower end p is %g and %g", n, out, in)
		}
		if out, in := p(high+step).Less, p(high-step).Less; out > level || in <= level {
			t.Errorf("%d values: about the upper end p is %g and %g", n, out, in)
		}
	}
	for _, cells := range []int{1, 7, 300} {
		rounds := RoundsFor(cells, 0.99)
		if _, _, _, ok := walshInterval(walshAverages(make([]float64, rounds)), rounds, levelOf(cells, 0.99)); !ok {
			t.Errorf("%d cells: no interval of %d rounds", cells, rounds)
		}
		if _, _, _, ok := walshInterval(walshAverages(make([]float64, rounds-1)), rounds-1, levelOf(cells, 0.99)); ok {
			t.Errorf("%d cells: an interval of %d rounds", cells, rounds-1)
		}
	}
}

// TestWalshP: the p of the centre 0 is that of the signed-rank test, and at most the level
// where 0 is outside of the interval, and only there.
func TestWalshP(t *testing.T) {
	rng := rand.New(rand.NewPCG(20270301, 4))
	var r ranks.Tests
	outside := 0
	for range 1000 {
		n := 2 + rng.IntN(30)
		x, centre := make([]float64, n), rng.NormFloat64()
		for i := range x {
			x[i] = rng.NormFloat64() + centre
		}
		averages, test := walshAverages(x), r.SignedRank(x)
		p, level := walshP(averages, n), 0.1*rng.Float64()
		if want := min(test.Less, test.Greater); math.Abs(p-want) > 1e-12 {
			t.Fatalf("%v: p is %g, of the test %g", x, p, want)
		}
		low, _, high, ok := walshInterval(averages, n, level)
		if out := ok && (low > 0 || high < 0); out != (p <= level) {
			t.Fatalf("%v: p %g, level %g, interval [%g, %g]", x, p, level, low, high)
		} else if out {
			outside++
		}
	}
	if outside < 100 || outside > 900 {
		t.Errorf("0 is outside in %d of 1000: both ways were to occur", outside)
	}
	if p := walshP(walshAverages(make([]float64, 8)), 8); p < 0.5 {
		t.Errorf("of equal times p is %g", p)
	}
}

// TestRepeatsInATurn: the repeats of a turn give one time, their median, of those that are ok.
func TestRepeatsInATurn(t *testing.T) {
	rng := rand.New(rand.NewPCG(20270301, 5))
	block := turnsOf(rng, 2, 1, 1, func() [4]bool { return [4]bool{false, true, true, false} })[0]
	for i := range block {
		once := block[i].Records
		block[i].Records = nil
		for repeat, seconds := range []float64{1, 3, 1000, 7} {
			for _, r := range once {
				r.Repeat = repeat
				r.Metrics = results.NewMetrics(map[string]results.Metric{"time_total": {Value: seconds, Unit: "s"}})
				if block[i].New {
					r.Metrics.Set("time_total", results.Metric{Value: 2 * seconds, Unit: "s"})
				}
				if repeat == 3 || repeat == 0 && r.N == 1 {
					r.Status = results.Failed
				}
				block[i].Records = append(block[i].Records, rekeyed(r))
			}
		}
	}
	turns := timeTurns([]Block{block, block}, inTurns.Thresholds)
	if len(turns.Cells) != 2 {
		t.Fatalf("%d cells, want 2", len(turns.Cells))
	}
	for i, base := range []float64{3, math.Sqrt(3 * 1000)} {
		if c := turns.Cells[i]; len(c.Ratios) != 2 || math.Abs(c.Ratio-2) > 1e-12 || math.Abs(c.Base/base-1) > 1e-12 {
			t.Errorf("cell %d: %+v, want two ratios of 2 at a base of %g", i, c, base)
		}
	}
}

// TestPaces are the verdicts of intervals at a factor of 1.1.
func TestPaces(t *testing.T) {
	for _, tt := range []struct {
		low, high float64
		want      Pace
	}{
		{0, 0, PaceOpen}, {1.11, 1.5, PaceSlower}, {1.05, 1.5, PaceOpen}, {0.5, 1.5, PaceOpen}, {0.95, 1.05, PaceSame},
		{1.02, 1.09, PaceSame}, {0.5, 1.05, PaceNotSlower}, {0.5, 0.9, PaceFaster},
	} {
		if got := paceOf(tt.low, tt.high, 1.1); got != tt.want {
			t.Errorf("[%g, %g]: %s, want %s", tt.low, tt.high, got, tt.want)
		}
	}
}

// TestCompareTurns: what is slower is a regression, what is open undecided, and numbers
// are compared as ever, costs only by turns.
func TestCompareTurns(t *testing.T) {
	abba := func() [4]bool { return [4]bool{false, true, true, false} }
	quiet := func(factor float64, rounds int) []Block {
		blocks := turnsOf(rand.New(rand.NewPCG(1, 1)), 2, rounds, factor, abba)
		for _, b := range blocks {
			for i := range b {
				for j := range b[i].Records {
					seconds := 0.01
					if b[i].New {
						seconds *= factor
					}
					b[i].Records[j].Metrics.Set("time_total", results.Metric{Value: seconds, Unit: "s"})
				}
			}
		}
		return blocks
	}
	drifted := quiet(1, 12)
	for i := range drifted[0] {
		if drifted[0][i].New {
			drifted[0][i].Records[0].Metrics.Set("error", results.Metric{Value: 0.6})
		}
	}
	untimed := quiet(1.5, 12)
	for _, b := range untimed {
		for i := range b {
			for j := range b[i].Records {
				r := &b[i].Records[j]
				r.Usage = &results.Usage{CPU: r.Metrics.Value("time_total")}
				remove(r, "time_total")
			}
		}
	}
	once := quiet(1.5, 12)
	once[3][2].Records[1].Status = results.Failed
	for _, tt := range []struct {
		name     string
		blocks   []Block
		severity Severity // "" for none
		want     string
	}{
		{"the same", quiet(1, 12), "", ""},
		{"slower", quiet(1.5, 12), Regression, "slower in 2 of 2 cells, here the most: time × 1.5, 99 % interval of all cells together [1.5, 1.5], 12 rounds in turns; find out why"},
		{"slower in processor time", untimed, Regression, "cpu: slower in 2 of 2 cells, here the most: time × 1.5"},
		{"a record failed", once, Regression, "11 rounds in turns"},
		{"faster", quiet(0.5, 12), Note, "faster in 2 of 2 cells"},
		{"too few rounds", quiet(1.5, 3), Undecided, "time × 1.5, and 3 rounds are too few for an interval; more --rounds"},
		{"numbers drifted", drifted, Regression, "1 of 24 numbers with the same seeds differ"},
	} {
		c := CompareTurns("old", "new", tt.blocks, inTurns, rand.New(rand.NewPCG(1, 1)))
		gravest := Severity("")
		var text []string
		for _, f := range c.All() {
			text = append(text, f.String())
		}
		if all := c.All(); len(all) > 0 {
			gravest = all[0].Severity
		}
		if gravest != tt.severity || !strings.Contains(strings.Join(text, "\n"), tt.want) {
			t.Errorf("%s: %q: %s", tt.name, gravest, strings.Join(text, "\n"))
		}
		if n := c.Experiments[0].Numbers.Compared; n != 2*len(tt.blocks) || len(c.Experiments[0].Tests) > 0 {
			t.Errorf("%s: %d numbers compared, %d tests", tt.name, n, len(c.Experiments[0].Tests))
		}
		for _, format := range Formats {
			text, err := c.Text(format, false)
			if err != nil || format == "json" && !json.Valid([]byte(text)) {
				t.Errorf("%s as %s: %v", tt.name, format, err)
			}
			if has := strings.Contains(text, fmt.Sprintf("%.3f", c.Experiments[0].Turns.Cells[0].Ratio)); (format == "table" || format == "markdown") && !has {
				t.Errorf("%s as %s has no ratio:\n%s", tt.name, format, text)
			}
		}
	}
}
