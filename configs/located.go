package configs

import (
	"reflect"
	"slices"

	"mercer/internal/lists"
)

// Located is a value with its place in the file.
type Located[T any] struct {
	Value T
	Pos   Pos
}

// Given says whether the spec has the value: a default has no place.
func (l Located[T]) Given() bool { return l.Pos != Pos{} }

// Word is a name or a number as text.
type Word = Located[string]

// Words is a list of words, each with its place.
type Words []Word

// Has says whether one of the words is text.
func (ws Words) Has(text string) bool {
	return slices.ContainsFunc(ws, func(w Word) bool { return w.Value == text })
}

// Texts are the words without their places; nil for nil.
func (ws Words) Texts() []string {
	if ws == nil {
		return nil
	}
	return lists.Map(ws, func(w Word) string { return w.Value })
}

// Keyed is a mapping to values, each with its place.
type Keyed[T any] = map[string]Located[T]

// DecodeNode keeps the place of the value.
func (l *Located[T]) DecodeNode(n *Node, d *Decoder) {
	l.Pos = n.Pos
	d.Decode(n, &l.Value)
	if text, ok := any(l.Value).(string); ok && d.tag.Get("names") != "" {
		d.lookup(d.tag.Get("names"), Word{text, n.Pos})
	}
}

// Takes says in words what the value takes.
func (*Located[T]) Takes(tag reflect.StructTag) string { return takes(reflect.TypeFor[T](), tag) }
