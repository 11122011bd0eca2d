package configs

import (
	"reflect"
	"slices"
)

// DefaultLevel is the confidence level of a claim that gives none.
const DefaultLevel = 0.95

// ClaimKind is one kind of claim: a pointer to the struct under its key. Every
// field of Claim that is a pointer is a kind.
type ClaimKind interface {
	// Picked is the selection of records that the claim is about.
	Picked() *Selection
	// Quantity is what the claim reads from records; without text where the
	// claim's theorem says that.
	Quantity() Quantity
	// Confidence is where the confidence level stands.
	Confidence() *float64

	compared() Words // ids of the methods that are compared with each other; nil for none
}

// Judgement is how sure the verdict on a claim must be, and what it is about. Kinds embed it.
type Judgement struct {
	Level float64 `yaml:"level" min:"0.5" below:"1" doc:"Confidence level; 0.95 when left out."`
}

// Confidence is where the confidence level stands.
func (j *Judgement) Confidence() *float64 { return &j.Level }

func (j *Judgement) compared() Words { return nil }

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
		if f.typ.Kind() == reflect.Pointer {
			kinds = append(kinds, f)
		}
	}
	return kinds
}

// ClaimKinds lists the names of all kinds of claims.
func ClaimKinds() []string { return kindFields().keys() }

// Kind is the claim's kind and its name: the one that is set, nil where none is. A claim
// of a spec has exactly one.
func (c Claim) Kind() (name string, kind ClaimKind) {
	v := reflect.ValueOf(c)
	for _, f := range kindFields() {
		if kind := v.FieldByIndex(f.index); !kind.IsNil() {
			return f.key, kind.Interface().(ClaimKind)
		}
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

// about are the methods that the claim is about, of all.
func (c Claim) about(all []string) []string {
	_, kind := c.Kind()
	if ids := append(kind.compared().Texts(), kind.Picked().Where["method"].Value...); len(ids) > 0 {
		return ids
	}
	return all
}

func (c *Claim) check(d *Decoder) {
	_, kind := c.Kind()
	if kind == nil {
		return
	}
	of := kind.Quantity()
	if level := kind.Confidence(); *level == 0 {
		*level = DefaultLevel
	}
	c.Check = d.tag.Get("item") == "check"
	if slices.Contains(d.leftOut["target"], of.Text) {
		d.lookup("target", Word{of.Text, of.Pos})
		return
	}
	c.OnTarget = slices.Contains(d.ids["target"], of.Text)
	for _, t := range d.targets {
		switch {
		case t.ID == of.Text:
			c.checkOnTarget(d, t)
		case !c.OnTarget:
			c.checkSought(d, t)
		}
	}
	switch {
	case c.Check && c.Control:
		d.add(c.Pos, "%s is a control; put it under claims, or leave out `control`", d.label)
	case c.Bound != nil && c.Theorem.Given():
		d.add(c.Theorem.Pos, "%s is a bound, whose theorem stands under bound; remove this one", d.label)
	}
}
