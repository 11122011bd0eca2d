package configs

import (
	"fmt"
	"reflect"
	"strings"

	"mercer/internal/lists"
	"mercer/internal/plain"
)

// field is one key of a struct that is decoded or described by a schema.
type field struct {
	key   string
	index []int
	typ   reflect.Type
	tag   reflect.StructTag
}

type fieldList []field

// fieldsOf lists the keys of a struct type in the order of its fields.
func fieldsOf(t reflect.Type) fieldList {
	var fields fieldList
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		if name == "-" || (!f.IsExported() && !f.Anonymous) {
			continue
		}
		if f.Type.Kind() == reflect.Struct && name == "" && (f.Anonymous || options == "inline") {
			for _, inner := range fieldsOf(f.Type) {
				inner.index = append([]int{i}, inner.index...)
				fields = append(fields, inner)
			}
			continue
		}
		if name == "" {
			name = strings.ToLower(f.Name)
		}
		fields = append(fields, field{key: name, index: []int{i}, typ: f.Type, tag: f.Tag})
	}
	return fields
}

func (l fieldList) byKey(key string) (field, bool) {
	for _, f := range l {
		if f.key == key {
			return f, true
		}
	}
	return field{}, false
}

func (l fieldList) keys() []string {
	return lists.Map(l, func(f field) string { return f.key })
}

// choices are the words that the key takes, for a message that ends with them.
func (f field) choices() string {
	if words := f.tag.Get("enum"); words != "" {
		return "; it takes " + strings.ReplaceAll(words, ",", ", ")
	}
	return ""
}

// example is a mapping of these keys that what was written in its place probably stands
// for: of "median" {median: 1}, of 2 {rms: 2} or {median: 2}; else its keys are named.
func (l fieldList) example(written *Node) string {
	var numbers []string
	for _, f := range l {
		if f.isNumber() {
			numbers = append(numbers, fmt.Sprintf("{%s: %s}", f.key, written.Text))
		}
	}
	f, ok := l.byKey(written.Text)
	switch {
	case written.Kind == Text && ok && f.isNumber():
		return fmt.Sprintf(" such as {%s: 1}", f.key)
	case written.Kind == Text && ok:
		return fmt.Sprintf(" such as {%s: …}", f.key)
	case written.Kind == Number && len(numbers) > 0:
		return " such as " + strings.Join(numbers[:min(2, len(numbers))], " or ")
	}
	return " with " + plain.Some(l.keys(), mostKeys)
}

func (f field) isNumber() bool {
	return f.typ.Kind() == reflect.Float64 || f.typ.Kind() == reflect.Pointer && f.typ.Elem().Kind() == reflect.Float64
}

// mostKeys is how many keys of a mapping are named where one is missing.
const mostKeys = 8

// blankTag is a tag of a blank field of a struct, or of one that it embeds; "" where there is none.
func blankTag(t reflect.Type, key string) string {
	for i := range t.NumField() {
		f := t.Field(i)
		tag := f.Tag.Get(key)
		if f.Anonymous && f.Type.Kind() == reflect.Struct {
			tag = blankTag(f.Type, key)
		}
		if (f.Name == "_" || f.Anonymous) && tag != "" {
			return tag
		}
	}
	return ""
}
