package configs

import "fmt"

// Spec is one experiment: data, methods, a grid, and what the theory claims of
// the outcome. A Spec comes from Parse, which has checked its structure; the
// parameters of datasets, kernels and methods stay undecoded in Params until
// the package that owns the `use` name decodes them.
type Spec struct {
	Name     string      `yaml:"name" json:"name" required:"true" pattern:"^[a-z0-9][a-z0-9-]{0,63}$" want:"lower-case letters, digits and hyphens, at most 64" doc:"Name of the experiment; names its folder of results."`
	Title    string      `yaml:"title" json:"title,omitempty" doc:"One line that says what is to be seen."`
	Source   string      `yaml:"source" json:"source,omitempty" doc:"The paper and theorem, figure or table that is held against the measurements."`
	Question string      `yaml:"question" json:"question,omitempty" doc:"What a reader of the report wants to know."`
	Notes    []string    `yaml:"notes" json:"notes,omitempty" maxlen:"100" pattern:"\\S" want:"a paragraph of text" doc:"Short paragraphs for the reader of the report: settings that the source leaves open, and why numbers differ from its own."`
	Seed     uint64      `yaml:"seed" json:"seed" required:"true" doc:"Seed of every random stream."`
	Repeats  int         `yaml:"repeats" json:"repeats" required:"true" min:"1" max:"1000000" doc:"Seeded draws of each cell."`
	Datasets []Component `yaml:"datasets" json:"datasets" required:"true" minlen:"1" maxlen:"1000" item:"dataset" doc:"Where samples come from."`
	Kernels  []Component `yaml:"kernels" json:"kernels,omitempty" minlen:"1" maxlen:"1000" item:"kernel" doc:"Kernels; left out where every dataset is a population that brings its own."`
	Grid     Grid        `yaml:"grid" json:"grid" required:"true" doc:"Sizes and further variables, as a product."`
	Methods  []Component `yaml:"methods" json:"methods" required:"true" minlen:"1" maxlen:"1000" item:"method" doc:"The estimators."`
	Measure  []string    `yaml:"measure" json:"measure" required:"true" minlen:"1" unique:"true" item:"measure" doc:"The error measures; see mercer list --measures."`
	Claims   []Claim     `yaml:"claims" json:"claims,omitempty" maxlen:"1000" item:"claim" doc:"What the theory or the figure says, to be checked."`
	Plots    []Plot      `yaml:"plots" json:"plots,omitempty" maxlen:"200" item:"plot" doc:"Figures of the report, beside those of the claims."`
	Budgets  []Budget    `yaml:"budgets" json:"budgets,omitempty" maxlen:"50" item:"budget" doc:"Comparisons of methods at equal cost, such as equal time or equal memory."`
	Profiles Overlays    `yaml:"profiles" json:"profiles,omitempty" doc:"What a run profile changes in this spec."`

	File       string `yaml:"-" json:"-"` // where the spec was read from; names it in errors
	Text       string `yaml:"-" json:"-"` // the YAML as read
	NamePos    Pos    `yaml:"-" json:"-"`
	RepeatsPos Pos    `yaml:"-" json:"-"`
	MeasurePos []Pos  `yaml:"-" json:"-"` // of each entry of Measure
	Pos        Pos    `yaml:"-" json:"-"`

	// Warnings are what is in vain in the spec, though no mistake.
	Warnings []error `yaml:"-" json:"-"`

	// Incomplete are the sections with mistakes, of which only the sound entries are
	// here; none in a spec of Parse. See Read.
	Incomplete map[string]bool `yaml:"-" json:"-"`
}

// Component is a dataset, a kernel or a method: an id that names it in
// results, the registered name it uses, and that entry's own parameters.
type Component struct {
	ID    string           // unique within its list
	Use   string           // registry name
	Sizes map[string]Value // methods only: n, m, d, ell in place of the grid's
	// Optional data sets (optional: true) that cannot be had are skipped, and the
	// rest is run.
	Optional bool
	Params   Params // all further keys
	Kind     string // dataset, kernel or method
	UsePos   Pos    // of the value of `use`, for an unknown name
	Pos      Pos
}

// String names the component in messages: method "nystrom".
func (c Component) String() string { return fmt.Sprintf("%s %q", c.Kind, c.ID) }

// IDs lists the ids of components in their order.
func IDs(components []Component) []string {
	ids := make([]string, len(components))
	for i, c := range components {
		ids[i] = c.ID
	}
	return ids
}

// Value is a number or an expression over grid variables and dataset constants.
type Value struct {
	Text string // as written: "250", "min(n, ceil(n^theta * log(n)))"
	Pos  Pos
}

// Grid is the product of its variables in the order written, the first one
// slowest; each zip group advances its variables together and counts as one
// variable; points for which Skip is true are left out. Equal points are kept
// once.
type Grid struct {
	Vars     []Variable
	Zip      [][]Variable
	ZipAfter int // how many of Vars are written before `zip:`; the rest vary faster than the zip groups
	Skip     []Value
	Pos      Pos
}

// Variable is one grid variable with its values; a single value, often an
// expression over other variables, is a list of one.
type Variable struct {
	Name   string
	Values []Value
	Pos    Pos
}

// Variables is a list of grid variables without zip and skip, written as a
// mapping from name to value or values.
type Variables []Variable

// Overlays is the `profiles` of a spec, written as a mapping from the name of a
// run profile to what it changes.
type Overlays []Overlay

// Changes are parameters of components, written as a mapping from id to the keys
// that change.
type Changes []Change

// Change is what changes in the component of an id.
type Change struct {
	ID     string
	Params Params // replace those of the same keys, or are added
	Pos    Pos    // of the id
}

// Overlay is what a run profile changes in a spec.
type Overlay struct {
	Profile    string    `yaml:"-"` // name of the run profile: smoke, ci, paper, timing
	Parameters Changes   `yaml:"parameters" doc:"Parameters of datasets, by id: each key given replaces that of the dataset, with all that is in it."`
	Repeats    int       `yaml:"repeats" min:"1" max:"1000000" doc:"Seeded draws of each cell."`                                      // 0: as in the spec
	Grid       Variables `yaml:"grid" doc:"Variables that replace those of the same name."`                                           // replace the variables of these names
	Measure    []string  `yaml:"measure" minlen:"1" unique:"true" item:"measure" doc:"Replaces the error measures."`                  // replaces the list when given
	Datasets   []string  `yaml:"datasets" minlen:"1" unique:"true" doc:"Ids of the datasets that are kept."`                          // keeps only these ids when given
	Methods    []string  `yaml:"methods" minlen:"1" unique:"true" doc:"Ids of the methods that are kept."`                            // keeps only these ids when given
	Claims     []string  `yaml:"claims" unique:"true" doc:"Ids of the claims that are kept; an empty list leaves all of them out."`   // keeps only these ids when given (not nil)
	Plots      []string  `yaml:"plots" unique:"true" doc:"Ids of the plots that are kept; an empty list leaves all of them out."`     // keeps only these ids when given (not nil)
	Budgets    []string  `yaml:"budgets" unique:"true" doc:"Ids of the budgets that are kept; an empty list leaves all of them out."` // keeps only these ids when given (not nil)
	Pos        Pos       `yaml:"-"`

	RepeatsPos  Pos   `yaml:"-"`
	MeasurePos  []Pos `yaml:"-"`
	DatasetsPos []Pos `yaml:"-"`
	MethodsPos  []Pos `yaml:"-"`
	ClaimsPos   []Pos `yaml:"-"`
	PlotsPos    []Pos `yaml:"-"`
	BudgetsPos  []Pos `yaml:"-"`
}
