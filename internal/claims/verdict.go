package claims

import (
	"cmp"
	"math"
	"slices"

	"mercer/configs"
	"mercer/internal/inference"
	"mercer/results"
)

// Outcome is one of the four things that can be said of a claim.
type Outcome string

const (
	Holds         Outcome = "holds"
	Violated      Outcome = "violated"
	Inconclusive  Outcome = "inconclusive"
	NotApplicable Outcome = "not applicable"
)

// Verdict is the outcome of one claim on one group of records. Estimate, Low,
// High and Target are NaN where they are not known, and null in JSON.
//
// For "=" Low and High are an interval of coverage Level. For "<=" and ">=" each
// of them is by itself a bound of confidence Level, so that the outcome can be
// read off them: holds when [Low, High] lies inside what is claimed.
type Verdict struct {
	Claim    string        `json:"claim"`
	Check    bool          `json:"check,omitempty"`   // it tests the code, not the theory
	Control  bool          `json:"control,omitempty"` // its statement is known to be false
	Kind     string        `json:"kind"`              // the key of its kind in a spec
	Theorem  string        `json:"theorem,omitempty"`
	Bound    string        `json:"bound,omitempty"` // that the claim states itself: "recon_h <= C/n with C = 2"
	Says     string        `json:"says,omitempty"`
	Source   string        `json:"source,omitempty"`
	Group    results.Key   `json:"group"` // which records: dataset, kernel, method, by-variables
	Outcome  Outcome       `json:"outcome"`
	Of       string        `json:"of"`
	Over     string        `json:"over,omitempty"` // slope, order
	Estimate float64       `json:"estimate"`       // slope, worst ratio, mean value, least coverage
	Low      float64       `json:"low"`            // confidence interval of Estimate
	High     float64       `json:"high"`
	Level    float64       `json:"level"`            // of that interval
	Relation string        `json:"relation"`         // "=", "<=", ">="
	Target   float64       `json:"target"`           // what is claimed
	Within   float64       `json:"within,omitempty"` // half-width of the band, slope and value
	Share    float64       `json:"share,omitempty"`  // value: of draws that keep Estimate, which is else a mean
	Repeats  int           `json:"repeats"`
	Lost     int           `json:"lost,omitempty"`    // records without a value, which failed or lack the metric
	Answers  int           `json:"answers,omitempty"` // to a target, which it rests on in place of repeats
	P        *float64      `json:"p,omitempty"`       // of a violated one, over all looks: of the cell whose estimate it shows
	Stands   bool          `json:"stands,omitempty"`  // it is violated at 1 % over all claims and groups of the spec
	Code     Code          `json:"code"`              // why this outcome
	Args     Args          `json:"-"`                 // what its words are about
	Reason   string        `json:"reason"`            // the words of the code: one sentence
	Settle   string        `json:"settle,omitempty"`  // what would settle an inconclusive one
	Notes    []string      `json:"notes,omitempty"`
	Points   []Point       `json:"points,omitempty"` // slope: what was fitted
	Cells    []CellOutcome `json:"cells,omitempty"`  // ratio, order, value, distribution, bound: each cell's own result

	// Of bounds:
	Vacuous   bool        `json:"vacuous,omitempty"`   // it holds, and so it would for every estimator
	Trivial   *Trivial    `json:"trivial,omitempty"`   // the bound beside the trivial value; nil where that is not known
	Tightness *float64    `json:"tightness,omitempty"` // median of measured/bound, from below bound/measured; nil where not known
	Below     bool        `json:"below,omitempty"`     // the bound is from below
	Bounds    []BoundCell `json:"-"`                   // all cells, for figures: those that the theorem does not apply to, and vacuous ones too

	rows  []*results.Row // that it judges
	open  bool           // more repeats may decide it
	least float64        // p of its cells, by which it stands or not
	asked float64        // the confidence over all looks; 0: the default
	look  inference.Look
}

// AnswersError is in what share of runs, at most, any of the answers that claims name is
// wrong. Else all of them are right, and so is every verdict that rests on them alone.
const AnswersError = inference.ViolatedP / 2

// HoldsVacuous is in words what a verdict says of a bound that holds, and would for
// every estimator. Its outcome is Holds.
const HoldsVacuous = string(Holds) + ", vacuous"

// levels are those of the look that the verdict is of.
func (v Verdict) levels() inference.Levels { return v.look.Levels(v.confidence()) }

// confidence is that over all looks.
func (v Verdict) confidence() float64 { return cmp.Or(v.asked, configs.DefaultLevel) }

// WrongCall is in what share of runs, at most, a verdict of this outcome is wrong, over all
// looks at a run; docs/verdicts.md has simulations of it. False for a verdict that calls
// nothing, and for one that judges each record by itself, which is about these alone.
func (v Verdict) WrongCall() (rate float64, calls bool) {
	beyond := 1 - v.confidence()
	switch {
	case v.Level >= 1 || v.Vacuous:
		return 0, false
	case v.Answers > 0:
		return AnswersError, v.Outcome == Holds || v.Outcome == Violated
	case v.Outcome == Violated:
		return inference.ViolatedP, true
	case v.Outcome == Holds && v.Relation == "=":
		return beyond / 2, true
	case v.Outcome == Holds:
		return beyond, true
	}
	return 0, false
}

// TightnessName says which quotient Tightness is: the one that is at most 1 where the
// bound holds.
func (v Verdict) TightnessName() string {
	if v.Below {
		return "bound/measured"
	}
	return "measured/bound"
}

// ControlHolds is in words what is wrong with a control that holds.
const ControlHolds = "control " + string(Holds)

// Words are the outcome for a reader, HoldsVacuous where it says nothing.
func (v Verdict) Words() string {
	if v.Control {
		return controlWords(v.Outcome)
	}
	return words(v.Outcome, v.Vacuous)
}

// controlWords are the outcome of a control for a reader.
func controlWords(o Outcome) string {
	if o == Holds || o == Violated {
		return "control " + string(o)
	}
	return string(o)
}

// CountsAs is what the outcome is for the run: of a control, which must be violated, the
// opposite.
func (v Verdict) CountsAs() Outcome {
	switch {
	case v.Control && v.Outcome == Holds:
		return Violated
	case v.Control && v.Outcome == Violated:
		return Holds
	}
	return v.Outcome
}

// Words are the outcome of a cell for a reader.
func (c CellOutcome) Words() string { return words(c.Outcome, c.Vacuous) }

func words(o Outcome, vacuous bool) string {
	if o == Holds && vacuous {
		return HoldsVacuous
	}
	return string(o)
}

// Trivial is how a bound compares with the trivial value of its metric in the cells
// where the theorem applies.
type Trivial struct {
	Cells   int `json:"cells"`   // where the theorem applies
	Vacuous int `json:"vacuous"` // cells of these where the bound says no more
	// Low and High are the least and the greatest bound/trivial of these cells, each
	// the median over repeats; nil for a bound from below, and a trivial value of 0.
	Low  *float64 `json:"low,omitempty"`
	High *float64 `json:"high,omitempty"`
}

// at is the place of one column.
func at(name string, v results.Value) results.Key {
	return results.NewKey([]string{name}, []results.Value{v})
}

// BoundCell is what a bound says in one cell. Numbers are nil where they are not known,
// or the theorem does not apply.
type BoundCell struct {
	At        results.Key // of its rows
	Applies   bool        // the theorem, in all repeats
	Tightness *float64    // median of measured/bound, of a bound from below bound/measured
	Trivial   *float64    // median of bound/trivial
}

// Point is one position of a fitted slope: geometric mean over repeats of the
// measured quantity at X, its confidence interval, the floor there if the
// records know one, and the local slope from the previous point.
type Point struct {
	X      float64  `json:"x"`
	Y      float64  `json:"y"`
	Low    float64  `json:"low"`
	High   float64  `json:"high"`
	Floor  *float64 `json:"floor,omitempty"`
	Fit    float64  `json:"fit"`
	Theory float64  `json:"theory"` // line of the claimed slope through the fit's centre
	Local  *float64 `json:"local,omitempty"`
}

// CellOutcome is one cell's part in a claim over many cells.
type CellOutcome struct {
	Cell     results.Key `json:"cell"`
	Outcome  Outcome     `json:"outcome"`
	Estimate float64     `json:"estimate"`
	Low      float64     `json:"low"`
	High     float64     `json:"high"`
	Target   float64     `json:"target"`
	Repeats  int         `json:"repeats"`
	P        float64     `json:"p"` // adjusted by Holm over the cells and over all looks, of the test that would call it violated

	Tightness *float64 `json:"tightness,omitempty"` // bound: as that of the verdict
	Vacuous   bool     `json:"vacuous,omitempty"`   // bound: it says no more than the trivial value
	Trivial   *float64 `json:"trivial,omitempty"`   // bound: median of bound/trivial
}

// Outcomes are all outcomes in words, in the order of how much attention they ask for.
var Outcomes = []string{string(Violated), ControlHolds, string(Inconclusive), string(NotApplicable), HoldsVacuous, string(Holds)}

// severity orders outcomes from what needs no attention to what needs most.
func (o Outcome) severity() int { return -slices.Index(Outcomes, string(o)) }

// MoreUrgent orders cells by outcome, then by how far they lie beyond what is claimed; a cell without an
// estimate lies farthest.
func MoreUrgent(a, b CellOutcome, relation string) int {
	beyond := func(c CellOutcome) float64 {
		switch d := c.Estimate - c.Target; {
		case math.IsNaN(d):
			return math.Inf(1)
		case relation == "<=":
			return d
		case relation == ">=":
			return -d
		default:
			return math.Abs(d)
		}
	}
	return cmp.Or(cmp.Compare(b.Outcome.severity(), a.Outcome.severity()), cmp.Compare(beyond(b), beyond(a)))
}

// newVerdict is the start of every verdict: no number is known yet.
func newVerdict(group results.Key, of string, confidence float64, at inference.Look) Verdict {
	nan := math.NaN()
	v := Verdict{Group: group, Of: of, Outcome: Inconclusive, asked: confidence, look: at, Estimate: nan, Low: nan, High: nan, Target: nan}
	v.Level = v.levels().Confidence
	return v
}

func inconclusive(v Verdict, d Doubt) Verdict {
	v.Outcome, v.open = Inconclusive, false
	v.say(d)
	return v
}
