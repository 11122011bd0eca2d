package metrics

import (
	"mercer/internal/cost"
	"mercer/internal/lists"
)

// Measure is something a spec can ask for.
type Measure struct {
	Family
	Doc       string
	Reference string
	Cost      string   // in kernel values, flops or passes
	Unit      string   // of every output; empty for a dimensionless number
	Outputs   []Output // eigenvalue_1 … eigenvalue_ell for eigenvalues, which names the first

	// Cancels says that outputs are small differences of large numbers, or functions
	// of them: they lose digits, and rounding moves them relatively more.
	Cancels bool
	// Steps says that rounding may tip outputs from one value to another: those of
	// clusterings, at near ties, and of numerical ranks.
	Steps bool
	eigen bool                   // compares with the population's ℓ-eigenspace
	each  bool                   // and with each of its eigenfunctions
	forms func(l Load) cost.Cost // beside the functions' values and what measures share, where that is larger than a few times n·ℓ

	compute formula // nil for what the runner measures
}

// Values are numbers by the names of metrics.
type Values = map[string]float64

// formula adds the outputs of a measure at ell.
type formula func(e *evaluation, ell int, into Values) error

// Output is a number that a measure gives.
type Output struct {
	Name     string // of the metric in rows
	Label    string // in figures and headings, which have room for a few words
	Better   Better
	Rounding Rounding
}

// Metrics are the names of the outputs.
func (m Measure) Metrics() []string {
	return lists.Map(m.Outputs, func(o Output) string { return o.Name })
}

// approximationOf says which approximation of the kernel matrix is measured.
const approximationOf = "K̂ projects the k(·,x_i) onto the whole span in which components are sought (nystrom, randomized-kpca) or onto an isometric embedding, " +
	"and is ZZᵀ for all random features Z and for every other embedding Z; where the leading directions alone are taken (ekpca, space: centred and programs: ℓ components; kpca-subsample and nystrom-embedding of rank d), K̂ is another quantity, with metrics that end in _cut"

// Capabilities is what a data set has for measures.
type Capabilities struct {
	Population bool // one is declared
	HeldOut    bool // it is uniform on given points
	Self       bool // the sample is drawn from these points
	Response   bool // points have responses, of a known regression function
	Responses  bool // points have responses that were measured
	Classes    bool // regression predicts classes
}

// Better says which values of a metric speak for a method.
type Better string

// Neither is for what describes and does not judge: spectra, floors, parts of
// errors, and what methods measure in spaces of their own, where no value of one
// can be held against one of another.
const (
	Neither Better = ""
	Less    Better = "less"
	More    Better = "more"
)

// Load is the size of what a model is measured on.
type Load struct {
	Shape   string  // of the model
	N       float64 // points of the sample
	Support float64 // points or random features that the model's functions are sums over
	Columns float64 // coordinates of the sample in the model's span or features
	Span    bool    // the model projects onto a span in H: K − K̂ is positive
	Width   float64 // functions of the model
	// Points are those of an empirical population, 0 where there is none. Closed says
	// that it has a closed form instead, under a kernel of so high a rank, 0 for none
	// that is finite, and that so many functions carry its operators.
	Points, Rank, Functions float64
	Closed                  bool
}

// exhausted says that the population's functions carry the kernel, all of it.
func (l Load) exhausted() bool { return l.Closed && l.Rank > 0 && l.Functions == l.Rank }
