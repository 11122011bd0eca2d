package configs

import (
	"fmt"
	"reflect"
)

// DefaultLevel is the confidence level of a claim that gives none.
const DefaultLevel = 0.95

// Claim is one statement to check; exactly one of its kinds is set.
type Claim struct {
	ID           string        `yaml:"id" required:"true" pattern:"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$" want:"letters, digits, dots, hyphens and underscores (at most 64)" doc:"Names the claim in verdicts; unique in the spec."`
	Says         string        `yaml:"says" doc:"The statement in words, for the reader."`
	Source       string        `yaml:"source" doc:"Where the statement stands; overrides the spec's source."`
	Theorem      string        `yaml:"theorem" doc:"Key of the theorem that the claim checks, as mercer list --theorems has it; a bound names its own."`
	Slope        *Slope        `yaml:"slope" doc:"The exponent of a power law: of ~ over^slope."`
	Ratio        *Ratio        `yaml:"ratio" doc:"The ratio of two methods, paired over repeats, at each grid point."`
	Order        *Order        `yaml:"order" doc:"An order of methods, or monotony along a grid variable."`
	Value        *ValueClaim   `yaml:"value" doc:"The mean of a metric over repeats, or each of its values."`
	Distribution *Distribution `yaml:"distribution" doc:"The law of a metric over repeats."`
	Bound        *Bound        `yaml:"bound" doc:"A finite-sample bound that holds with probability at least 1 - delta."`
	Pos          Pos           `yaml:"-"`
	IDPos        Pos           `yaml:"-"`
	TheoremPos   Pos           `yaml:"-"`
}

// ClaimKind is one kind of claim: a pointer to the struct under its key. Every
// field of Claim that is a pointer is a kind.
type ClaimKind interface {
	// Picked is the selection of records that the claim is about.
	Picked() *Selection
	// Quantity is what the claim reads from records; without text where the
	// claim's theorem says that.
	Quantity() Quantity
	// Confidence is where the confidence level stands; it is 0 before defaults.
	Confidence() *float64

	compared() []placed // ids of the methods that are compared with each other; nil for none
	values() []Value    // numbers and expressions
	check(c *checker, claim Claim, where string)
}

// kindFields are the fields of Claim that hold its kinds.
func kindFields() fieldList {
	var kinds fieldList
	for _, f := range fieldsOf(reflect.TypeFor[Claim]()) {
		if f.typ.Kind() != reflect.Pointer {
			continue
		}
		if !f.typ.Implements(reflect.TypeFor[ClaimKind]()) {
			panic(fmt.Sprintf("configs: %s, the kind of claim %q, is no ClaimKind", f.typ, f.key))
		}
		kinds = append(kinds, f)
	}
	return kinds
}

// ClaimKinds lists the names of all kinds of claims.
func ClaimKinds() []string { return kindFields().keys() }

// kinds are those that the claim sets, by name and in the order of ClaimKinds.
func (c Claim) kinds() (names []string, kinds []ClaimKind) {
	v := reflect.ValueOf(c)
	for _, f := range kindFields() {
		if kind := v.FieldByIndex(f.index); !kind.IsNil() {
			names, kinds = append(names, f.key), append(kinds, kind.Interface().(ClaimKind))
		}
	}
	return names, kinds
}

// Kinds lists which kinds the claim sets. A claim that came through Parse has
// exactly one.
func (c Claim) Kinds() []string {
	names, _ := c.kinds()
	return names
}

// Kind is the claim's kind and its name: the first that is set, nil where none is.
func (c Claim) Kind() (name string, kind ClaimKind) {
	if names, kinds := c.kinds(); len(kinds) > 0 {
		return names[0], kinds[0]
	}
	return "", nil
}

// Conditions fix columns of records: a column's name and the values it may
// have. Numbers stand as FormatNumber writes them.
type Conditions map[string][]string

// Selection picks records. Where fixes columns (dataset, kernel, method, n, m,
// d, ell or a grid variable) to one or several values. By splits the picked
// records into groups, each of which gets its own verdict; dataset, kernel and
// (but for ratio and order over methods) method always split.
type Selection struct {
	Where Conditions `yaml:"where" doc:"Columns fixed to one or several values: dataset, kernel, method, n, m, d, ell or a grid variable."`
	By    []string   `yaml:"by" unique:"true" doc:"Columns that split the records into groups, each with its own verdict."`

	WherePos map[string]Pos `yaml:"-"`
	ByPos    []Pos          `yaml:"-"`
}

// Picked is the selection itself, for what embeds it.
func (s *Selection) Picked() *Selection { return s }

// Checks is the key of the theorem that the claim checks, and where it stands;
// empty for a claim that names none.
func (c Claim) Checks() (string, Pos) {
	if c.Bound != nil {
		return c.Bound.Theorem, c.Bound.TheoremPos
	}
	return c.Theorem, c.TheoremPos
}

// Compared are the ids of the methods that the claim compares with each other;
// nil where it is about each method by itself.
func (c Claim) Compared() []string {
	var ids []string
	if _, kind := c.Kind(); kind != nil {
		for _, id := range kind.compared() {
			ids = append(ids, id.word)
		}
	}
	return ids
}

// methodIDs lists the ids of methods that the claim names, each with its place.
func (c Claim) methodIDs() []placed {
	_, kind := c.Kind()
	if kind == nil {
		return nil
	}
	s := kind.Picked()
	ids := kind.compared()
	for _, id := range s.Where["method"] {
		ids = append(ids, placed{id, s.WherePos["method"]})
	}
	return ids
}

// placed is a word and where it stands.
type placed struct {
	word string
	pos  Pos
}

// setDefaults fills in what a claim leaves out.
func (c *Claim) setDefaults() {
	_, kinds := c.kinds()
	for _, kind := range kinds {
		if level := kind.Confidence(); *level == 0 {
			*level = DefaultLevel
		}
	}
}

// given are the values that are set.
func given(values ...*Value) []Value {
	var set []Value
	for _, v := range values {
		if v != nil {
			set = append(set, *v)
		}
	}
	return set
}
