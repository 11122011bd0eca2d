//go:build ignore

// The exported API of configs and configs/source as the rewrite makes it. This file is
// for those who build on it meanwhile: it is deleted when the code stands. What is not
// here (Claim, its kinds, Plot, Target, Answer, Repeats, Selection, Located, Keyed, Word,
// Words, Quantity, Problem, Problems, Errorf, Unknown, Nearest, Schema, Describe …) keeps
// its form.
package configs

// ---- the tree (node.go, json.go)

// Kind is the kind of a value in a spec, and of a value of a column.
type Kind uint8

const (
	None   Kind = iota // null in a file; of a column: the record does not use it (NA)
	Number             // as written, also one that no decoder accepts, such as .nan
	Text
	Bool
	List
	Map
)

// Node is a value of a spec as it was written, with its place.
type Node struct {
	Kind  Kind
	Text  string  // of a scalar, as written
	Items []*Node // of a list
	Pairs []Pair  // of a mapping: keys in the order written, each once
	Pos   Pos
}

type Pair struct {
	Key   string
	At    Pos // of the key
	Value *Node
}

func (n *Node) Get(key string) *Node                   // nil where there is none; a nil node has no keys
func (n *Node) MarshalJSON() ([]byte, error)           // keys in the order written, numbers canonical
func FromJSON(file string, text []byte) (*Node, error) // spec.json -> tree

// ---- spec (decode.go, spec.go)

// Decode decodes and checks a tree, and the trees that its profiles make of it. The error is
// a Problems with every mistake. Beside an error stands what of the spec is sound: entries
// of lists without a mistake; Incomplete names the sections that lack some. It is nil where
// the tree is no mapping.
func Decode(tree *Node) (*Spec, error)

// Spec has as further fields:
//	Tree       *Node            // what it was decoded from; resolved (profile, --set): spec.json
//	Incomplete map[string]bool  // sections with mistakes, see Decode
//	Warnings   []error
// Whole and WithProfile are gone: see source.Under. Profiles stays (CheckProfiles reads its names).

// Under is the tree as a run profile makes it: the overlay of its name applied, repeats capped by
// its MaxRepeats where the overlay says nothing, and without `profiles`.
func Under(tree *Node, profile RunProfile) (*Node, error)

// Set is a copy of the tree with a value in place of that at a path: repeats, grid.n,
// datasets.mix.sigma. Entries of lists are named by their ids. Values have the place that
// messages name, see source.Under.
func Set(tree *Node, path string, value *Node) (*Node, error)

func ProfileNames() []string

// ---- values of columns (scalar.go)

// Scalar is one value of a column: a number, a text, or none. Comparable.
type Scalar struct {
	Kind   Kind // None, Number or Text
	Number float64
	Text   string
}

func NumberOf(x float64) Scalar
func TextOf(text string) Scalar
func (s Scalar) String() string // as plain.Number writes it; "" for none

// Env has the values of names: grid variables at a point, constants of a data set.
type Env map[string]Scalar

func Numbers(values map[string]float64) Env
func (e Env) With(more Env) Env // a copy; more wins

// ---- grid (grid.go, points.go)

type Variable struct {
	Name    string
	Values  []Value
	Text    bool // its values are texts, not expressions: a component takes it by "=name"
	Derived bool // a single expression; else it is an axis ("free")
	Pos     Pos
}

type Grid struct {
	Vars     Variables
	Zip      []Variables
	ZipAfter int
	Skip     []Filter // over grid variables and constants
	Pos      Pos
}

func (g Grid) Names() []string
func (g Grid) Variable(name string) (Variable, bool)
func (g Grid) Kinds() map[string]Kind                      // of the variables: Number or Text; for CompileFilter
func (g Grid) Constants(variable string) ([]float64, bool) // as today

// Points lists the points of the grid for constants that are the same at all points.
func (g Grid) Points(constants map[string]float64) (*Points, error)

// PointsOf is Points for a data set whose parameters use grid variables: constants is called
// once for each distinct set of values of the variables uses (the data set's Params.Uses), which
// with all that they depend on may not use constants.
// The map that it gets has these variables alone.
func (g Grid) PointsOf(uses []string, constants func(Env) (map[string]float64, error)) (*Points, error)

type Points struct { /* compact */
}

func (p *Points) Len() int
func (p *Points) At(i int) Env // a copy
// Project groups the points by the values of some of the variables: of[i] is the group of
// point i, first[g] the first point of group g. Names that are no variables are left out.
func (p *Points) Project(names []string) (of []int32, first []int)

// ---- components and parameters (component.go, params.go)

// Component keeps its form. The sizes of a method at a point:
func (c Component) SizesAt(point Env, constants map[string]float64) (sizes.Sizes, error)

// Uses decodes the parameters without values: structure, plain values and the syntax of
// expressions are checked; a parameter with an expression keeps its default (a pointer is set).
// The names are those that expressions and "=name" use, sorted. into holds the defaults.
func (p Params) Uses(into any) (names []string, err error)

// Bind decodes parameters where names have the values of env. Every numeric scalar of into may be an
// expression, every text "=name"; fields tagged fixed:"true" take neither. The result are the parameters
// with values in place of expressions, whose Canonical text is for keys. Every problem has the place of the
// parameter, and " at n = 60, m = 20" where it depends on names. A nil Env knows no name.
func (p Params) Bind(into any, env Env) (Params, error)

func (p Params) Keys() []string
func (p Params) Pos(key string) Pos
func (p Params) String() string
func (p Params) Canonical() string
func (p Params) Equal(q Params) bool

// NodeDecoder is a type whose form in a spec is its own, such as data.MassesOption.
type NodeDecoder interface{ DecodeNode(n *Node, d *Decoder) }

func (d *Decoder) Decode(n *Node, into any)                // strictly, by struct tags
func (d *Decoder) Text(n *Node) (string, bool)             // with "=name"; reports what is no text
func (d *Decoder) Wrong(n *Node, want string)              // "... must be WANT, found ..."
func (d *Decoder) Errorf(n *Node, format string, a ...any) // "LABEL: ..."

// ---- expressions (value.go, filter.go)

// Value and Quantity keep their form (Text, Pos; Err, Number, Names, Check, Eval(map[string]float64)).

// Filter is a condition over numbers and texts.
type Filter struct {
	Text string
	Pos  Pos
}

// CompileFilter: columns are the known names with their kinds, Number or Text.
func CompileFilter(text string, columns map[string]Kind) (Filter, error)
func (f Filter) Names() []string
func (f Filter) Match(env Env) (bool, error)

// Match says whether conditions pick something whose columns have these values; false where it has
// no such column. None matches every value.
func (c Conditions) Match(column func(name string) (Scalar, bool)) bool

// ---- configs/source: the only package that reads YAML

//	source.File(path) ([]byte, error)                          was configs.ReadFile
//	source.Read(file, text) (*configs.Node, error)             the tree; beside an error what could be read, nil for nothing
//	source.Parse(file, text) (*configs.Spec, error)            was configs.Read and configs.Parse: Read and Decode; beside an error stands what is sound
//	source.Under(spec, profile string, set ...string) (*configs.Spec, error)   was Spec.WithProfile: Under, assignments "grid.n=[1000,2000]", Decode
//	source.Profile(name) (configs.RunProfile, error)           was configs.LoadProfile
//	source.Params(kind, owner, text) (configs.Params, error)   was configs.ParamsFrom
//	source.Conditions(text) (configs.Conditions, error)        was configs.ParseConditions
