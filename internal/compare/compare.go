package compare

import (
	"fmt"
	"slices"

	"mercer/internal/lists"
)

// Thresholds are how much worse a run may be than an earlier one.
type Thresholds struct {
	Drift      float64 `json:"drift"`           // relative difference of numbers that should be identical
	Elsewhere  float64 `json:"drift_elsewhere"` // the same where machine or BLAS differ
	Worse      float64 `json:"worse"`           // least relative worsening of a distribution: 0.005 is half a percent
	Slower     float64 `json:"slower"`          // ratio of costs that is still allowed
	Confidence float64 `json:"confidence"`      // that no test of a comparison is a false alarm
}

// Standard are the thresholds where nobody gives others.
var Standard = Thresholds{Drift: 1e-9, Elsewhere: 1e-6, Worse: 0.005, Slower: 1.1, Confidence: 0.99}

// Comparison is what came of comparing runs, one or more experiments.
type Comparison struct {
	Thresholds  Thresholds   `json:"thresholds"`
	Experiments []Experiment `json:"experiments"`
	// Findings of no experiment that was compared: runs that are gone or new.
	Findings []Finding `json:"findings"`
}

// Experiment is what came of comparing the runs of one experiment.
type Experiment struct {
	Experiment string    `json:"experiment"`
	Profile    string    `json:"profile"`
	Base       Origin    `json:"base"`
	New        Origin    `json:"new"`
	Cells      int       `json:"cells"` // that both sides have
	Numbers    Numbers   `json:"numbers"`
	Tests      []Test    `json:"tests"` // distributions and costs
	Verdicts   Changes   `json:"verdicts"`
	Answers    Changes   `json:"answers"`  // to targets
	Findings   []Finding `json:"findings"` // regressions first
}

// Changes counts what both sides have.
type Changes struct {
	Same    int `json:"same"`
	Changed int `json:"changed"`
}

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

// Severity says how much attention a finding needs.
type Severity string

// Severities, the gravest first. A comparison passes if it has neither of the first two.
const (
	Regression Severity = "regression"
	Undecided  Severity = "undecided" // too few repeats, or no row that is ok on both sides, to say whether anything became worse
	Warning    Severity = "warning"
	Note       Severity = "note"
)

// Kind says what a finding is about.
type Kind string

// Kinds of findings.
const (
	Drift     Kind = "drift"     // numbers that should be identical differ
	Worse     Kind = "worse"     // a distribution moved the wrong way
	Changed   Kind = "changed"   // or any way, where none is right
	Slower    Kind = "slower"    // a cost grew
	Untested  Kind = "untested"  // what could not be compared, and why
	Dropped   Kind = "dropped"   // rows or metrics that are gone
	Added     Kind = "added"     // and that are new
	Status    Kind = "status"    // rows that were ok, or are ok now
	Verdict   Kind = "verdict"   // an outcome of a claim
	Answer    Kind = "answer"    // the least value that a target asks for
	Skipped   Kind = "skipped"   // data that could not be read or fetched
	Different Kind = "different" // seeds, profiles, versions, data and BLAS of the sides
)

// What to do about a finding that is no mistake.
const (
	renewal = "renew the base by mercer export RUN --format reference --out DIR"
	renew   = "if intended, " + renewal
	watch   = "to watch it, " + renewal
)

// Compare holds runs against earlier ones. Tests are corrected over all pairs together.
func Compare(pairs []Pair, o Thresholds) Comparison {
	c := Comparison{Thresholds: o, Experiments: make([]Experiment, len(pairs)), Findings: []Finding{}}
	var tests []*Test
	for i, p := range pairs {
		c.Experiments[i] = compareOne(p, o)
		for j := range c.Experiments[i].Tests {
			tests = append(tests, &c.Experiments[i].Tests[j])
		}
	}

	decide(tests, o)
	for i := range c.Experiments {
		e := &c.Experiments[i]
		e.changes(o)
		e.tooFew(o)
		gravestFirst(e.Findings)
	}
	return c
}

// compareOne does all but what depends on the correction over all tests.
func compareOne(p Pair, o Thresholds) Experiment {
	e := Experiment{
		Experiment: p.New.Spec.Name, Profile: p.New.Manifest.Profile,
		Base: p.Base.origin(), New: p.New.origin(), Tests: []Test{}, Findings: []Finding{},
	}
	all := matches(p)
	both := lists.Where(all, match.onBoth)
	same := lists.Where(both, match.sameRows)
	others := lists.Where(both, func(m match) bool { return !m.sameRows() })
	e.Cells = len(both)
	e.different(p, others)
	here := lists.Where(all, func(m match) bool { return !p.absent(m.cell.Text("dataset")) && (anyRun(m.base) || anyRun(m.new)) })
	e.structure(p, here)

	e.numbers(p, same, o)
	e.Tests = append(e.Tests, distributions(p, others, o)...)
	if sameMachine(p.Base.Manifest.Machine, p.New.Manifest.Machine) {
		e.Tests = append(e.Tests, costs(p, both, o)...)
	} else if slices.ContainsFunc(grouped(both), func(g []match) bool { return len(metricsOf(g, isTested)) > 0 }) {
		e.add(Finding{Severity: Note, Kind: Untested, Text: fmt.Sprintf("times are not compared: the machines differ (%s; %s)", e.Base.Machine, e.New.Machine)})
	}
	e.nothing(here)

	sameRows := e.Numbers.Drifted+e.Numbers.Tipped == 0 && len(same) == len(all)
	e.verdicts(p, sameRows)
	e.answers(p, sameRows)
	return e
}

// add notes a finding of the experiment.
func (e *Experiment) add(f Finding) {
	f.Experiment = e.Experiment
	e.Findings = append(e.Findings, f)
}

// All lists the findings of all experiments, the gravest first.
func (c Comparison) All() []Finding {
	all := slices.Clone(c.Findings)
	for _, e := range c.Experiments {
		all = append(all, e.Findings...)
	}
	gravestFirst(all)
	return all
}

// Count is the number of findings of a severity.
func (c Comparison) Count(s Severity) int {
	return len(lists.Where(c.All(), func(f Finding) bool { return f.Severity == s }))
}

// gravestFirst sorts findings by their severities.
func gravestFirst(all []Finding) {
	severities := []Severity{Regression, Undecided, Warning, Note}
	slices.SortStableFunc(all, func(a, b Finding) int {
		return slices.Index(severities, a.Severity) - slices.Index(severities, b.Severity)
	})
}
