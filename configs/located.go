package configs

import (
	"reflect"
	"slices"

	"gopkg.in/yaml.v3"

	"mercer/internal/lists"
)

// Located is a value with its place in the file.
type Located[T any] struct {
	Value T
	Pos   Pos
}

// Given says whether the file has the value: a default has no place.
func (l Located[T]) Given() bool { return l.Pos.Line > 0 }

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

// Keyed is a mapping; the place of each value is that of its key.
type Keyed[T any] map[string]Located[T]

func (l *Located[T]) decodeNode(d *decoder, n *yaml.Node, at place) {
	l.Pos = d.pos(n)
	d.decode(n, reflect.ValueOf(&l.Value).Elem(), at)
}

func (k *Keyed[T]) decodeNode(d *decoder, n *yaml.Node, at place) {
	plain := map[string]T{}
	d.decode(n, reflect.ValueOf(&plain).Elem(), at)
	*k = Keyed[T]{}
	for key := range pairs(n) {
		if v, ok := plain[key.Value]; ok {
			(*k)[key.Value] = Located[T]{v, d.pos(key)}
		}
	}
}

func (*Located[T]) schema(tag reflect.StructTag) *JSONSchema {
	return schemaOf(reflect.TypeFor[T](), tag, reflect.Value{})
}

func (*Keyed[T]) schema(tag reflect.StructTag) *JSONSchema {
	return schemaOf(reflect.TypeFor[map[string]T](), tag, reflect.Value{})
}
