package claims

import (
	"math"
	"slices"
	"strings"

	"mercer/internal/selection"
	"mercer/internal/theory"
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
	Claim      string        `json:"claim"`
	Check      bool          `json:"check,omitempty"`   // it tests the code, not the theory
	Control    bool          `json:"control,omitempty"` // its statement is known to be false
	Kind       string        `json:"kind"`              // the key of its kind in a spec
	Theorem    string        `json:"theorem,omitempty"`
	Says       string        `json:"says,omitempty"`
	Source     string        `json:"source,omitempty"`
	Group      []Coordinate  `json:"group"` // which records: dataset, kernel, method, by-variables
	Outcome    Outcome       `json:"outcome"`
	Of         string        `json:"of"`
	Over       string        `json:"over,omitempty"` // slope, order
	Estimate   float64       `json:"estimate"`       // slope, worst ratio, mean value, least coverage
	Low        float64       `json:"low"`            // confidence interval of Estimate
	High       float64       `json:"high"`
	Level      float64       `json:"level"`            // of that interval
	Relation   string        `json:"relation"`         // "=", "<=", ">="
	Target     float64       `json:"target"`           // what is claimed
	Within     float64       `json:"within,omitempty"` // half-width of the band, slope and value
	Repeats    int           `json:"repeats"`
	Answers    int           `json:"answers,omitempty"` // to a target, which it rests on in place of repeats
	P          *float64      `json:"p,omitempty"`       // of a violated one: of its claim, over all cells and looks
	Stands     bool          `json:"stands,omitempty"`  // it is violated at 1 % over all claims and groups of the spec
	Reason     string        `json:"reason"`            // one sentence: why this outcome
	Settle     string        `json:"settle,omitempty"`  // what would settle an inconclusive one
	Notes      []string      `json:"notes,omitempty"`
	Detectable *Detectable   `json:"detectable,omitempty"` // the least difference from what is claimed that would have been found; in the worst cell
	Law        *Law          `json:"law,omitempty"`        // slope: the claimed law with a logarithm
	Shape      string        `json:"shape,omitempty"`      // slope: the law that the points follow
	Points     []Point       `json:"points,omitempty"`     // slope: what was fitted
	Cells      []CellOutcome `json:"cells,omitempty"`      // ratio, order, value, distribution, bound: each cell's own result

	// Of bounds:
	Vacuous    bool        `json:"vacuous,omitempty"`    // it holds, and so it would for every estimator
	Trivial    *Trivial    `json:"trivial,omitempty"`    // the bound beside the trivial value; nil where that is not known
	Tightness  *float64    `json:"tightness,omitempty"`  // median of measured/bound, from below bound/measured; nil where not known
	Below      bool        `json:"below,omitempty"`      // the bound is from below
	Conditions *Conditions `json:"conditions,omitempty"` // of the theorem, in one cell
	Parameter  *Parameter  `json:"parameter,omitempty"`  // that the theorem leaves open
	Bounds     []BoundCell `json:"-"`                    // all cells, for figures: those that the theorem does not apply to, and vacuous ones too

	records []*results.Record // that it judges
	asked   float64           // the confidence over all looks; 0: the default
	look    look
}

// HoldsVacuous is in words what a verdict says of a bound that holds, and would for
// every estimator. Its outcome is Holds.
const HoldsVacuous = string(Holds) + ", vacuous"

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
	Formula string `json:"formula"` // "tr Σ"
	Says    string `json:"says"`    // why it is trivial
	Cells   int    `json:"cells"`   // where the theorem applies
	Vacuous int    `json:"vacuous"` // cells of these where the bound says no more
	// Low and High are the least and the greatest bound/trivial of these cells, each
	// the median over repeats; nil for a bound from below, and a trivial value of 0.
	Low  *float64 `json:"low,omitempty"`
	High *float64 `json:"high,omitempty"`
}

// Conditions are those of a theorem in one cell: where it is judged, the cell
// that comes nearest to failing one; where it applies to no cell, the one that
// comes nearest to meeting them all.
type Conditions struct {
	Cell       []Coordinate        `json:"cell"`
	Applicable int                 `json:"applicable"` // cells where all hold
	Cells      int                 `json:"cells"`      // cells looked at
	List       []theory.Evaluation `json:"list"`
}

// Parameter is one that a theorem leaves open, and the smallest value at which
// the theorem's bound covers a fraction 1 − δ of the repeats in every cell.
type Parameter struct {
	Name     string  `json:"name"`
	Smallest float64 `json:"smallest"`
}

// Coordinate fixes one column of the records.
type Coordinate = selection.Coordinate

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
	Cell     []Coordinate `json:"cell"`
	Outcome  Outcome      `json:"outcome"`
	Estimate float64      `json:"estimate"`
	Low      float64      `json:"low"`
	High     float64      `json:"high"`
	Target   float64      `json:"target"`
	Repeats  int          `json:"repeats"`
	P        float64      `json:"p"` // Holm-adjusted, of the test that would call it violated

	Tightness *float64 `json:"tightness,omitempty"` // bound: as that of the verdict
	Vacuous   bool     `json:"vacuous,omitempty"`   // bound: it says no more than the trivial value
	Trivial   *float64 `json:"trivial,omitempty"`   // bound: median of bound/trivial
}

// severity orders outcomes from what needs no attention to what needs most.
func (o Outcome) severity() int {
	switch o {
	case Holds:
		return 0
	case NotApplicable:
		return 1
	case Inconclusive:
		return 2
	}
	return 3
}

// Worst is the outcome that asks for most attention, a control's as it counts: violated
// before inconclusive before not applicable before holds. Of no verdicts it is not
// applicable.
func Worst(verdicts []Verdict) Outcome {
	if len(verdicts) == 0 {
		return NotApplicable
	}
	worst := Holds
	for _, v := range verdicts {
		if v.CountsAs().severity() > worst.severity() {
			worst = v.CountsAs()
		}
	}
	return worst
}

// WorstWords is Worst of a claim for a reader: of one that holds, HoldsVacuous where all of
// its verdicts are vacuous; of a control, in the words of controls.
func WorstWords(verdicts []Verdict) string {
	worst := Worst(verdicts)
	if len(verdicts) > 0 && verdicts[0].Control {
		return Verdict{Control: true, Outcome: Verdict{Control: true, Outcome: worst}.CountsAs()}.Words()
	}
	return words(worst, !slices.ContainsFunc(verdicts, func(v Verdict) bool { return !v.Vacuous }))
}

// Folded are the ids of what is as it must be, in their order.
type Folded struct {
	Checks   []string // that hold in all of their verdicts
	Controls []string // that are violated in all of theirs
}

// Fold sets apart the checks and controls that are as they must be; rest are the other
// verdicts.
func Fold(verdicts []Verdict) (rest []Verdict, folded Folded) {
	open := map[string]bool{}
	for _, v := range verdicts {
		open[v.Claim] = open[v.Claim] || !v.Check && !v.Control || v.Vacuous || v.CountsAs() != Holds
	}
	for _, v := range verdicts {
		switch {
		case open[v.Claim]:
			rest = append(rest, v)
		case v.Control && !slices.Contains(folded.Controls, v.Claim):
			folded.Controls = append(folded.Controls, v.Claim)
		case v.Check && !slices.Contains(folded.Checks, v.Claim):
			folded.Checks = append(folded.Checks, v.Claim)
		}
	}
	return rest, folded
}

// Counted is an outcome in words for a list of counts: "holds vacuously", without a comma.
func Counted(outcome string) string { return strings.Replace(outcome, ", vacuous", " vacuously", 1) }

// Counts says how many verdicts count as each outcome; each of the four is a key.
func Counts(verdicts []Verdict) map[Outcome]int {
	counts := map[Outcome]int{Holds: 0, Violated: 0, Inconclusive: 0, NotApplicable: 0}
	for _, v := range verdicts {
		counts[v.CountsAs()]++
	}
	return counts
}

// newVerdict is the start of every verdict: no number is known yet.
func newVerdict(group []Coordinate, of string, confidence float64, at look) Verdict {
	nan := math.NaN()
	return Verdict{Group: group, Of: of, Outcome: Inconclusive, Level: at.levels(confidence).confidence, asked: confidence, look: at, Estimate: nan, Low: nan, High: nan, Target: nan}
}

// Doubt is why nothing sure can be said and what would settle that; the zero
// Doubt is none.
type Doubt struct{ reason, settle string }

func (d Doubt) Any() bool { return d.reason != "" }

const (
	runAgain = "run what failed again, once its cause is mended"
	correct  = "correct the claim and check the same records again"
)

func inconclusive(v Verdict, d Doubt) Verdict {
	v.Outcome, v.Reason, v.Settle = Inconclusive, d.reason, d.settle
	return v
}
