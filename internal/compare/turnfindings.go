package compare

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"mercer/internal/lists"
	"mercer/internal/plain"
	"mercer/results"
)

// MaxRounds is the largest number of blocks.
const MaxRounds = 1000

// CompareTurns compares two programs by the runs that they made in turns: their times
// by pairs, all else as Compare does, of the first record of each repeat. Names are those
// of the programs.
func CompareTurns(base, new string, blocks []Block, o Options, rng *rand.Rand) Comparison {
	c := Compare([]Pair{{sideOf(base, blocks, false), sideOf(new, blocks, true)}}, o, rng)
	e := &c.Experiments[0]
	turns := timeTurns(blocks, o.Thresholds)
	e.Turns = &turns
	for _, g := range lists.By(turns.Cells, func(c PairedTime) Group { return c.Cell.group() }) {
		for _, pace := range []Pace{PaceSlower, PaceOpen, PaceFaster} {
			e.addPace(g, pace, o)
		}
	}
	gravestFirst(e.Findings)
	return c
}

// sideOf is one side's first record of each repeat of each cell, without costs.
func sideOf(name string, blocks []Block, new bool) Side {
	s := Side{Name: name}
	seen := map[string]bool{}
	for _, b := range blocks {
		for _, turn := range b {
			if turn.New != new {
				continue
			}
			if s.Manifest.Experiment == "" {
				s.Manifest = turn.Manifest
				s.Manifest.Keys, s.Manifest.Filter = nil, ""
			}
			for _, r := range turn.Records {
				if !seen[r.Key] {
					seen[r.Key] = true
					s.Records = append(s.Records, withoutCosts(r))
					s.Manifest.Keys = append(s.Manifest.Keys, r.Key)
				}
			}
		}
	}
	results.SortRecords(s.Records, s.Manifest.Variables)
	s.Manifest.Cells = len(s.Records)
	return s
}

func withoutCosts(r results.Record) results.Record {
	kept := map[string]results.Metric{}
	for name, m := range r.Metrics.All() {
		if !results.IsCost(name) {
			kept[name] = m
		}
	}
	r.Metrics = results.NewMetrics(kept)
	return r
}

// addPace adds one finding on the cells of a group that have a verdict, if any.
func (e *Experiment) addPace(g []PairedTime, pace Pace, o Options) {
	found := slices.DeleteFunc(slices.Clone(g), func(c PairedTime) bool { return c.Verdict != pace })
	if len(found) == 0 {
		return
	}
	slices.SortStableFunc(found, func(a, b PairedTime) int { return cmp.Compare(a.Ratio, b.Ratio) })
	worst := found[len(found)-1]
	if pace == PaceFaster {
		worst = found[0]
	}
	f := Finding{Where: worst.Cell.String(), Metric: worst.Metric, Text: worst.text(o.Thresholds)}
	switch pace {
	case PaceSlower:
		f.Severity, f.Kind, f.Do = Regression, Slower, "find out why"
	case PaceFaster:
		f.Severity, f.Kind = Note, Faster
	default:
		f.Severity, f.Kind, f.Do = Undecided, Open, worst.advice(o.Thresholds)
		if o.AllowUndecided {
			f.Severity = Warning
		}
	}
	if len(found) > 1 {
		f.Text = fmt.Sprintf("%s in %d of %d cells, here the most: ", pace, len(found), len(g)) + f.Text
	}
	e.add(f)
}

func (t PairedTime) text(o Thresholds) string {
	text := fmt.Sprintf("time × %.3g", t.Ratio)
	if t.High == 0 {
		return text + fmt.Sprintf(", and %s too few for an interval", plain.Count(len(t.Ratios), "round is", "rounds are"))
	}
	text += fmt.Sprintf(", %g %% interval of all cells together [%.3g, %.3g], %s in turns", 100*o.Confidence, t.Low, t.High, plain.Count(len(t.Ratios), "round"))
	if t.Verdict == PaceOpen {
		return text + fmt.Sprintf(": × %g is not ruled out", o.Slower)
	}
	return text
}

// advice says how many rounds would narrow the interval so far that the factor is no
// longer in it, if the ratio stays.
func (t PairedTime) advice(o Thresholds) string {
	if t.High == 0 {
		return "more --rounds"
	}
	width, gap := math.Log(t.High/t.Low)/2, math.Abs(math.Log(o.Slower/t.Ratio))
	rounds := math.Ceil(float64(len(t.Ratios)) * width * width / (gap * gap))
	if !(rounds < MaxRounds) {
		return "a larger --slower, or a machine with less other work"
	}
	return fmt.Sprintf("about --rounds %.0f would decide, if the ratio stays", max(rounds, float64(len(t.Ratios)+1)))
}

var turnColumns = []string{"cell", "base", "new", "ratio", "interval", "p", "rounds", "verdict"}

// rows are the times of the cells, a row each.
func (t Turns) rows() [][]string {
	var rows [][]string
	for _, c := range t.Cells {
		interval := "none"
		if c.High > 0 {
			interval = fmt.Sprintf("[%.3f, %.3f]", c.Low, c.High)
		}
		rows = append(rows, []string{c.Cell.String(), fmt.Sprintf("%.3g s", c.Base), fmt.Sprintf("%.3g s", c.New), fmt.Sprintf("%.3f", c.Ratio), interval, fmt.Sprintf("%.2g", c.P), fmt.Sprint(len(c.Ratios)), string(c.Verdict)})
	}
	return rows
}

// caption says what the columns of rows are, and how often chance gives an alarm.
func (t Turns) caption(o Thresholds) string {
	alarm := plain.Number(math.Round(1e6*(1-o.Confidence)) / 1e4)
	return fmt.Sprintf(`ratio: time of new / time of base, by pairs of %s in turns. p: of equal times, times %s.
Intervals of all cells hold together with %g %%: of comparisons of equal programs, at most %s %% call any cell
slower or faster than the other. Slower, faster: by more than × %g.`,
		plain.Count(len(t.Order), "round"), plain.Count(len(t.Cells), "cell"), 100*o.Confidence, alarm, o.Slower)
}
