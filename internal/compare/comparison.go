package compare

import "slices"

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
	Tests      []Test          `json:"tests"`           // distributions and costs
	Turns      *Turns          `json:"turns,omitempty"` // where two programs ran in turns
	Verdicts   VerdictsChanged `json:"verdicts"`
	Answers    *AnswersChanged `json:"answers,omitempty"` // where either side has targets
	Findings   []Finding       `json:"findings"`          // regressions first
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
