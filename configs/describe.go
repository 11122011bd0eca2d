package configs

import (
	"fmt"
	"reflect"
	"strings"

	"gopkg.in/yaml.v3"
)

// Describe lists the keys of an options struct for a reader, a line each: the
// key, what it takes, its limits, its default when the struct holds one, and
// its doc tag. Keys of nested structs are written decay.power.
//
//	ridge: a number, at least 0, default 1e-08. Added to the diagonal.
func Describe(options any) []string {
	if options == nil {
		return nil
	}
	return describeStruct("", settled(reflect.ValueOf(options)))
}

func describeStruct(prefix string, v reflect.Value) []string {
	var lines []string
	for _, f := range fieldsOf(v.Type()) {
		value := settled(v.FieldByIndex(f.index))
		line := prefix + f.key + ": " + takes(value.Type(), f.tag)
		if standard := defaultText(value); standard != "" {
			line += ", default " + standard
		}
		if f.tag.Get("required") == "true" {
			line += ", required"
		}
		if doc := f.tag.Get("doc"); doc != "" {
			line += ". " + doc
		}
		lines = append(lines, line)
		if value.Kind() == reflect.Struct && !decodesItself(value.Type()) {
			lines = append(lines, describeStruct(prefix+f.key+".", value)...)
		}
	}
	return lines
}

func decodesItself(t reflect.Type) bool {
	switch reflect.New(t).Interface().(type) {
	case nodeDecoder, yaml.Unmarshaler:
		return true
	}
	return false
}

// takes says in words what a key takes.
func takes(t reflect.Type, tag reflect.StructTag) string {
	switch {
	case t.Kind() == reflect.Struct && wordKey(t) != "":
		f, _ := fieldsOf(t).byKey(wordKey(t))
		return takes(f.typ, f.tag) + ", or a mapping"
	case t == reflect.TypeFor[Value]():
		return "a number or an expression" + limitsOf(tag)
	case t == durationType:
		return `a duration such as "90s"`
	case decodesItself(t):
		return "a word or a mapping"
	}
	switch k := t.Kind(); {
	case k == reflect.Bool:
		return "true or false"
	case k == reflect.String && tag.Get("enum") != "":
		return "one of " + strings.ReplaceAll(tag.Get("enum"), ",", ", ")
	case k == reflect.String:
		return "text"
	case k == reflect.Float32 || k == reflect.Float64:
		return "a number" + limitsOf(tag)
	case k == reflect.Slice:
		return "a list, each " + takes(t.Elem(), tag)
	case k == reflect.Map, k == reflect.Struct:
		return "a mapping"
	}
	return "a whole number" + limitsOf(tag)
}

func limitsOf(tag reflect.StructTag) string {
	text := ""
	for _, limit := range limits {
		if bound := tag.Get(limit.tag); bound != "" {
			text += fmt.Sprintf(", %s %s", limit.words, bound)
		}
	}
	return text
}

// defaultText writes the default of a scalar, or of the word that stands for a mapping;
// "" for what cannot be distinguished from the zero value.
func defaultText(v reflect.Value) string {
	if v.Kind() == reflect.Struct {
		f, ok := fieldsOf(v.Type()).byKey(wordKey(v.Type()))
		if !ok {
			return ""
		}
		v = v.FieldByIndex(f.index)
	}
	if v.IsZero() || v.Kind() == reflect.Slice || v.Kind() == reflect.Map {
		return ""
	}
	return fmt.Sprint(v.Interface())
}
