package compare

import (
	"slices"
	"strings"

	"mercer/internal/claims"
	"mercer/results"
)

// Comparison is what came of comparing runs, one or more experiments.
type Comparison struct {
	Thresholds  Thresholds   `json:"thresholds"`
	Experiments []Experiment `json:"experiments"`
	// Findings of no experiment that was compared: runs that are gone or new.
	Findings []Finding `json:"findings"`
}

// Experiment is what came of comparing the runs of one experiment.
type Experiment struct {
	Experiment string          `json:"experiment"`
	Profile    string          `json:"profile"`
	Base       Origin          `json:"base"`
	New        Origin          `json:"new"`
	Cells      int             `json:"cells"` // that both sides have
	Numbers    Numbers         `json:"numbers"`
	Tests      []Test          `json:"tests"` // distributions and costs
	Verdicts   VerdictsChanged `json:"verdicts"`
	Answers    *AnswersChanged `json:"answers,omitempty"` // where either side has targets
	Findings   []Finding       `json:"findings"`          // regressions first
}

// Numbers sums up what was to be the same: metrics of rows of the same id.
type Numbers struct {
	Compared  int     `json:"compared"`
	Identical int     `json:"identical"` // bit for bit
	Within    int     `json:"within"`    // not identical, within the tolerance
	Tipped    int     `json:"tipped"`    // beyond it, as rounding elsewhere may tip a clustering or a rank
	Drifted   int     `json:"drifted"`   // beyond it
	Largest   float64 `json:"largest"`   // relative difference of those within
	// Drifts are the numbers beyond the tolerance, one entry a data set, kernel,
	// method and metric, those with the largest difference first.
	Drifts []Drifted `json:"drifts"`
}

// Drifted are the numbers of a group and metric beyond the tolerance.
type Drifted struct {
	Group     results.Key `json:"group"`
	Metric    string      `json:"metric"`
	Tolerance float64     `json:"tolerance"` // relative
	Count     int         `json:"count"`     // beyond the tolerance
	Of        int         `json:"of"`
	Tipped    bool        `json:"tipped"` // few, of a metric that rounding may tip
	// Change is new/base - 1 of all the group's numbers, of geometric means where
	// they are positive.
	Change float64 `json:"change"`
	Worse  string  `json:"worse,omitempty"` // "worse" or "better"; empty where neither is
	// The largest difference:
	Cell     results.Key `json:"cell"`
	Repeat   int         `json:"repeat"`
	Base     float64     `json:"base"`
	New      float64     `json:"new"`
	Relative float64     `json:"relative"`
}

// VerdictsChanged sums up verdicts of both sides.
type VerdictsChanged struct {
	Same    int             `json:"same"`
	Changed []VerdictChange `json:"changed"`
}

// VerdictChange is a claim's outcome on one group; empty where the side has none.
type VerdictChange struct {
	Claim   string         `json:"claim"`
	Check   bool           `json:"check,omitempty"`   // it tests the code
	Control bool           `json:"control,omitempty"` // its statement is known to be false
	Where   string         `json:"where"`
	Base    claims.Outcome `json:"base"`
	New     claims.Outcome `json:"new"`
	Reason  string         `json:"reason,omitempty"` // of the new one
}

// AnswersChanged sums up the answers of both sides to the targets that both have.
type AnswersChanged struct {
	Same    int            `json:"same"` // or not told apart
	Changed []AnswerChange `json:"changed"`
}

// AnswerChange is the answer to a target in one group, before and after.
type AnswerChange struct {
	Target string `json:"target"`
	Where  string `json:"where"`
	Base   string `json:"base"`
	New    string `json:"new"`
}

// changeOf is a verdict's claim and group, without outcomes.
func changeOf(v claims.Verdict) VerdictChange {
	return VerdictChange{Claim: v.Claim, Check: v.Check, Control: v.Control, Where: words(v.Group)}
}

// at is the claim and the group in words: "check above-floor poly2 rff".
func (c VerdictChange) at() string {
	words := []string{c.Claim, c.Where}
	switch {
	case c.Check:
		words = slices.Insert(words, 0, "check")
	case c.Control:
		words = slices.Insert(words, 0, "control")
	}
	return strings.TrimSpace(strings.Join(words, " "))
}

// add notes a finding of the experiment.
func (e *Experiment) add(f Finding) {
	f.Experiment = e.Experiment
	e.Findings = append(e.Findings, f)
}

// All lists the findings of all experiments, the gravest first; what is the same in
// several is one.
func (c Comparison) All() []Finding {
	all := slices.Clone(c.Findings)
	at := map[Finding]int{}
	for _, e := range c.Experiments {
		for _, f := range e.Findings {
			same := f
			same.Experiment = ""
			if i, known := at[same]; known && f.Severity == Note {
				all[i].Experiment += ", " + f.Experiment
				continue
			}
			at[same] = len(all)
			all = append(all, f)
		}
	}
	gravestFirst(all)
	return all
}

// Count is the number of findings of a severity.
func (c Comparison) Count(s Severity) int {
	count := 0
	for _, f := range c.All() {
		if f.Severity == s {
			count++
		}
	}
	return count
}
