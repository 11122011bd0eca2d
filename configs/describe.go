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
	v := reflect.ValueOf(options)
	for v.Kind() == reflect.Pointer && !v.IsNil() {
		v = v.Elem()
	}
	if v.Kind() != reflect.Struct {
		return nil
	}
	return describeStruct("", v, 0)
}

func describeStruct(prefix string, v reflect.Value, depth int) []string {
	var lines []string
	for _, f := range fieldsOf(v.Type()) {
		line := prefix + f.key + ": " + takes(f.typ, f.tag)
		if standard := defaultText(v.FieldByIndex(f.index)); standard != "" {
			line += ", default " + standard
		}
		if f.tag.Get("required") == "true" {
			line += ", required"
		}
		if doc := f.tag.Get("doc"); doc != "" {
			line += ". " + doc
		}
		lines = append(lines, line)
		if inner, ok := nested(v.FieldByIndex(f.index)); ok && depth < 4 {
			lines = append(lines, describeStruct(prefix+f.key+".", inner, depth+1)...)
		}
	}
	return lines
}

// nested is the struct behind a field whose keys are described one by one.
func nested(v reflect.Value) (reflect.Value, bool) {
	t := v.Type()
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
		if v.IsValid() {
			v = v.Elem()
		}
	}
	if t.Kind() != reflect.Struct || decodesItself(t) {
		return v, false
	}
	if !v.IsValid() {
		v = defaultsOf(t)
	}
	if !v.IsValid() {
		v = reflect.Zero(t)
	}
	return v, true
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
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
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

// defaultText writes the default of a scalar; "" when there is none to tell
// from the zero value.
func defaultText(v reflect.Value) string {
	for v.Kind() == reflect.Pointer && !v.IsNil() {
		v = v.Elem()
	}
	if v.IsZero() {
		return ""
	}
	if v.Kind() == reflect.Struct {
		if f, ok := fieldsOf(v.Type()).byKey(wordKey(v.Type())); ok {
			return defaultText(v.FieldByIndex(f.index))
		}
	}
	switch v.Kind() {
	case reflect.Bool, reflect.String, reflect.Float32, reflect.Float64:
		return fmt.Sprint(v.Interface())
	}
	if v.CanInt() || v.CanUint() {
		return fmt.Sprint(v.Interface())
	}
	return ""
}
