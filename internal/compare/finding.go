package compare

import "slices"

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
	AllowUndecided bool // what is undecided is a warning
}

// Severity says how much attention a finding needs.
type Severity string

// Severities, the gravest first. A comparison passes if it has neither of the first two.
const (
	Regression Severity = "regression"
	Undecided  Severity = "undecided" // too few rows are ok to say whether anything became worse
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
	Status    Kind = "status"    // rows that were ok, or are ok now
	Verdict   Kind = "verdict"   // an outcome of a claim
	Answer    Kind = "answer"    // the least value that a target asks for
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

// severities are the gravest first.
var severities = []Severity{Regression, Undecided, Warning, Note}

// gravestFirst sorts findings by their severities.
func gravestFirst(all []Finding) {
	slices.SortStableFunc(all, func(a, b Finding) int {
		return slices.Index(severities, a.Severity) - slices.Index(severities, b.Severity)
	})
}

const (
	reference = "if intended: make reference"
	shownOnes = 5 // of a kind that are named
)
