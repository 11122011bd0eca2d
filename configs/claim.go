package configs

import (
	"fmt"
	"reflect"
	"strings"
)

// DefaultLevel is the confidence level of a claim that gives none.
const DefaultLevel = 0.95

// Ignore is what Failures may be.
const Ignore = "ignore"

// Claim is one statement to check; exactly one of its kinds is set.
type Claim struct {
	ID           string        `yaml:"id" required:"true" pattern:"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$" want:"letters, digits, dots, hyphens and underscores (at most 64)" doc:"Names the claim in verdicts; unique in the spec."`
	Says         string        `yaml:"says" doc:"The statement in words, for the reader."`
	Source       string        `yaml:"source" doc:"Where the statement stands; overrides the spec's source."`
	Theorem      Word          `yaml:"theorem" doc:"Key of the theorem that the claim checks, as mercer list --theorems has it; a bound names its own."`
	Control      bool          `yaml:"control" doc:"The statement is known to be false: a run must violate it, and fails where it holds."`
	Failures     string        `yaml:"failures" enum:"ignore" doc:"ignore: repeats that give no value are left out. Else a claim with such repeats is not decided, since failure may depend on the draw."`
	Slope        *Slope        `yaml:"slope" doc:"The exponent of a power law: of ~ over^slope."`
	Ratio        *Ratio        `yaml:"ratio" doc:"The ratio of two methods, paired over repeats, at each grid point."`
	Dispersion   *Dispersion   `yaml:"dispersion" doc:"The ratio of two methods' standard deviations over repeats, paired, at each grid point."`
	Order        *Order        `yaml:"order" doc:"An order of methods, or monotony along a grid variable."`
	Value        *ValueClaim   `yaml:"value" doc:"The mean of a metric over repeats, or each of its values."`
	Distribution *Distribution `yaml:"distribution" doc:"The law of a metric over repeats."`
	Bound        *Bound        `yaml:"bound" doc:"A finite-sample bound that holds with probability at least 1 - delta."`
	Check        bool          `yaml:"-"` // it stands under checks: it tests the code, not the theory
	OnTarget     bool          `yaml:"-"` // its quantity is a target of the spec: it is judged by the answers
	Pos          Pos           `yaml:"-"`
}

// Name is the claim as messages call it: claim "rate", or check "rate".
func (c Claim) Name() string {
	if c.Check {
		return "check " + quote(c.ID)
	}
	return "claim " + quote(c.ID)
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

// Kind is the claim's kind and its name: the one that is set, nil where none is. A claim
// that came through Parse has exactly one.
func (c Claim) Kind() (name string, kind ClaimKind) {
	if names, kinds := c.kinds(); len(kinds) > 0 {
		return names[0], kinds[0]
	}
	return "", nil
}

// Checks is the key of the theorem that the claim checks; empty for a claim that names
// none.
func (c Claim) Checks() Word {
	if c.Bound != nil {
		return c.Bound.Theorem
	}
	return c.Theorem
}

// Compared are the ids of the methods that the claim compares with each other;
// nil where it is about each method by itself.
func (c Claim) Compared() []string {
	if _, kind := c.Kind(); kind != nil {
		return kind.compared().Texts()
	}
	return nil
}

func (c Claim) id() string { return c.ID }

func (c Claim) where() Conditions {
	if _, kind := c.Kind(); kind != nil {
		return kind.Picked().Where
	}
	return nil
}

// methodIDs lists the ids of methods that the claim names.
func (c Claim) methodIDs() Words {
	if _, kind := c.Kind(); kind != nil {
		return append(kind.compared(), c.where().methodIDs()...)
	}
	return nil
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

func (c Claim) check(checker *checker) {
	where := c.Name()
	names, kinds := c.kinds()
	switch len(kinds) {
	case 0:
		checker.report(c.Pos, "%s says nothing to check; give it one of %s", where, strings.Join(ClaimKinds(), ", "))
		return
	case 1:
	default:
		checker.report(c.Pos, "%s has the kinds %s; make each a claim of its own", where, strings.Join(names, " and "))
		return
	}
	if c.Check && c.Control {
		checker.report(c.Pos, "%s is a control; put it under claims, or leave out `control`", where)
	}
	if c.Bound != nil && c.Theorem.Value != "" {
		checker.report(c.Theorem.Pos, "%s is a bound, which names its own theorem; remove this one", where)
	}
	if c.OnTarget {
		kinds[0].check(checker, where)
		return // see checkOnTargets
	}
	checker.checkKind(kinds[0], where)
}

// checkKind checks what all kinds of claims have, and what is the kind's own.
func (c *checker) checkKind(kind ClaimKind, where string) {
	c.lookupAll("method", kind.compared(), where, c.methods)
	c.checkSelection(*kind.Picked(), where)
	c.checkQuantities(kind.Quantity())
	c.checkConstants(kind.values())
	kind.check(c, where)
}

// schema adds to a claim's keys that exactly one kind is given.
func (*Claim) schema(_ reflect.StructTag) *JSONSchema {
	s := objectSchema(reflect.TypeFor[Claim](), reflect.Value{})
	for _, kind := range ClaimKinds() {
		s.OneOf = append(s.OneOf, &JSONSchema{Required: []string{kind}})
	}
	return s
}
