package compare

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// Thresholds say what counts as a regression.
type Thresholds struct {
	Drift      float64 `json:"drift"`           // relative difference of numbers that should be identical
	Elsewhere  float64 `json:"drift_elsewhere"` // the same where machine or BLAS differ
	Worse      float64 `json:"worse"`           // least relative worsening of a distribution
	Slower     float64 `json:"slower"`          // ratio of costs that is still allowed
	Confidence float64 `json:"confidence"`      // that no test of a comparison is a false alarm
}

// Options say how to compare.
type Options struct {
	Thresholds     Thresholds
	Metrics        func(name string) Metric // MetricOf, but in tests
	AllowUndecided bool                     // what is undecided is a warning
}

// Severity says how much attention a finding needs.
type Severity string

// Severities, the gravest first. A comparison passes if it has neither of the first two.
const (
	Regression Severity = "regression"
	Undecided  Severity = "undecided" // too few records are ok to say whether anything became worse
	Warning    Severity = "warning"
	Note       Severity = "note"
)

// Kind says what a finding is about.
type Kind string

// Kinds of findings.
const (
	Drift     Kind = "drift"     // numbers that should be identical differ
	Worse     Kind = "worse"     // a distribution moved the wrong way
	Better    Kind = "better"    // or the right way
	Changed   Kind = "changed"   // or any way, where none is right
	Slower    Kind = "slower"    // a cost grew
	Faster    Kind = "faster"    // a cost fell
	Untested  Kind = "untested"  // what could not be compared, and why
	Open      Kind = "undecided" // worse in every repeat, of which there are too few
	Dropped   Kind = "dropped"   // cells, repeats or metrics that are gone
	Added     Kind = "added"     // and that are new
	Renamed   Kind = "renamed"   // a metric that is gone while another came
	Status    Kind = "status"    // records that were ok, or are ok now
	Verdict   Kind = "verdict"   // an outcome of a claim
	Skipped   Kind = "skipped"   // data that could not be read or fetched
	Different Kind = "different" // seeds, versions, data and BLAS of the sides
)

// Finding is one thing that a person should know.
type Finding struct {
	Severity   Severity `json:"severity"`
	Kind       Kind     `json:"kind"`
	Experiment string   `json:"experiment"`
	Where      string   `json:"where,omitempty"` // data set, kernel, method, and sizes
	Metric     string   `json:"metric,omitempty"`
	Text       string   `json:"text"`         // what, and by how much
	Do         string   `json:"do,omitempty"` // what to do about it
}

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
	Findings   []Finding       `json:"findings"` // regressions first
}

// Compare holds runs against earlier ones. Tests are corrected over all pairs
// together; rng serves the bootstrap intervals of costs.
func Compare(pairs []Pair, o Options, rng *rand.Rand) Comparison {
	c := Comparison{Thresholds: o.Thresholds, Experiments: make([]Experiment, len(pairs)), Findings: []Finding{}}
	var tests []*Test
	for i, p := range pairs {
		c.Experiments[i] = compareOne(p, o, rng)
		for j := range c.Experiments[i].Tests {
			tests = append(tests, &c.Experiments[i].Tests[j])
		}
	}
	decide(tests, o.Thresholds)
	for i := range c.Experiments {
		c.Experiments[i].conclude(o)
	}
	return c
}

// compareOne does all but what depends on the correction over all tests.
func compareOne(p Pair, o Options, rng *rand.Rand) Experiment {
	e := Experiment{
		Experiment: p.New.Manifest.Experiment, Profile: p.New.Manifest.Profile,
		Base: p.Base.origin(), New: p.New.origin(), Tests: []Test{}, Findings: []Finding{},
	}
	all := matches(p)
	here := slices.DeleteFunc(slices.Clone(all), func(m match) bool { return p.absent(m.cell.Dataset) })
	e.structure(p, all, here)
	var same, other []match
	for _, m := range all {
		switch {
		case !m.onBoth():
			continue
		case m.sameKeys():
			same = append(same, m)
		default:
			other = append(other, m)
		}
	}
	e.Cells = len(same) + len(other)
	switch {
	case len(all) == 0:
		e.add(Finding{Severity: Regression, Kind: Untested, Text: "nothing could be compared: neither side has a record", Do: reference})
	case e.Cells == 0 && len(here) > 0:
		e.add(Finding{Severity: Regression, Kind: Untested, Text: "nothing could be compared: the sides have no cell in common", Do: reference})
	}
	if len(p.Base.Manifest.Keys) > len(p.Base.Records) && p.Base.Manifest.Filter == "" {
		e.add(Finding{Severity: Warning, Kind: Untested, Text: fmt.Sprintf("the base is incomplete: it has %d of %d records", len(p.Base.Records), len(p.Base.Manifest.Keys)),
			Do: "finish it by mercer run"})
	}
	e.numbers(p, same, o)
	e.Tests = slices.Concat(e.Tests, distributions(p, other, o), costs(p, slices.Concat(same, other), o, rng))
	e.uncompared(here, o)
	e.verdicts(p, len(same) == len(all) && e.Numbers.Drifted+e.Numbers.Tipped == 0)
	return e
}

// add notes a finding of the experiment.
func (e *Experiment) add(f Finding) {
	f.Experiment = e.Experiment
	e.Findings = append(e.Findings, f)
}

// severities are the gravest first.
var severities = []Severity{Regression, Undecided, Warning, Note}

// gravestFirst sorts findings by their severities.
func gravestFirst(all []Finding) {
	slices.SortStableFunc(all, func(a, b Finding) int {
		return slices.Index(severities, a.Severity) - slices.Index(severities, b.Severity)
	})
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
