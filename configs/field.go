package configs

import (
	"reflect"
	"strings"

	"mercer/internal/lists"
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
