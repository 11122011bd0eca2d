package configs

import (
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
)

// SchemaMaker is a type that describes itself: one whose form in a spec is its own.
type SchemaMaker interface {
	JSONSchema(tag reflect.StructTag) *JSONSchema
}

// objectSchema is the schema of a struct; the fields of defaults, when it is valid,
// become default values.
func objectSchema(t reflect.Type, defaults reflect.Value) *JSONSchema {
	s := &JSONSchema{Type: "object", Additional: false, Properties: map[string]*JSONSchema{}}
	for _, f := range fieldsOf(t) {
		var standard reflect.Value
		if defaults.IsValid() {
			standard = defaults.FieldByIndex(f.index)
		}
		p := schemaOf(f.typ, f.tag, standard)
		if doc := f.tag.Get("doc"); doc != "" {
			described := *p // it may be shared
			described.Description = doc
			p = &described
		}
		s.Properties[f.key], s.order = p, append(s.order, f.key)
		if f.tag.Get("required") == "true" {
			s.Required = append(s.Required, f.key)
		}
	}
	if choice := blankTag(t, "oneof"); choice != "" {
		for _, key := range strings.Split(choice, ",") {
			s.OneOf = append(s.OneOf, &JSONSchema{Required: []string{key}})
		}
	}
	if word := s.Properties[blankTag(t, "word")]; word != nil {
		return &JSONSchema{AnyOf: []*JSONSchema{word, s}}
	}
	return s
}

var durationSchema = &JSONSchema{Type: "string", Pattern: `^([0-9.]+(ns|us|µs|ms|s|m|h))+$`}

// schemaOf is the schema of a field's type with the limits of its tag.
func schemaOf(t reflect.Type, tag reflect.StructTag, standard reflect.Value) *JSONSchema {
	if t.Kind() == reflect.Pointer {
		if !standard.IsValid() {
			standard = reflect.Zero(t)
		}
		return schemaOf(t.Elem(), tag, settled(standard))
	}
	switch own := reflect.New(t).Interface().(type) {
	case SchemaMaker:
		return own.JSONSchema(tag)
	case NodeDecoder:
		return &JSONSchema{}
	}
	if t == durationType {
		return &JSONSchema{AnyOf: []*JSONSchema{durationSchema, {Const: 0}}}
	}
	switch t.Kind() {
	case reflect.Struct:
		return objectSchema(t, standard)
	case reflect.Slice:
		s := &JSONSchema{Type: "array", UniqueItems: tag.Get("unique") == "true"}
		s.MinItems, s.MaxItems = count(tag.Get("minlen")), count(tag.Get("maxlen"))
		s.Items = schemaOf(t.Elem(), tag, reflect.Value{})
		if tag.Get("item") == "measure" {
			s.Items = ref("measure")
		}
		return s
	case reflect.Map:
		s := &JSONSchema{Type: "object", Additional: schemaOf(t.Elem(), tag, reflect.Value{})}
		if tag.Get("names") == "profile" {
			s.PropertyNames = &JSONSchema{Enum: ProfileNames()}
		}
		return s
	}
	s := scalarSchema(t, tag)
	if standard.IsValid() && !standard.IsZero() {
		s.Default = standard.Interface()
	}
	return s
}

func scalarSchema(t reflect.Type, tag reflect.StructTag) *JSONSchema {
	s := &JSONSchema{}
	switch k := t.Kind(); {
	case k == reflect.Bool:
		s.Type = "boolean"
	case k == reflect.String:
		s.Type, s.Pattern = "string", tag.Get("pattern")
		if enum := tag.Get("enum"); enum != "" {
			s.Enum = strings.Split(enum, ",")
		}
	case k == reflect.Float32 || k == reflect.Float64:
		s.Type = "number"
	default:
		s.Type = "integer"
	}
	for name, target := range map[string]*json.Number{
		"min": &s.Minimum, "max": &s.Maximum, "above": &s.ExclusiveMinimum, "below": &s.ExclusiveMaximum,
	} {
		if limit := tag.Get(name); limit != "" {
			*target = json.Number(limit)
		}
	}
	return s
}

// count is the number in a tag, 0 where it has none.
func count(text string) int {
	n, _ := strconv.Atoi(text)
	return n
}

// orList is a schema or a list of what it describes.
func orList(s *JSONSchema) *JSONSchema {
	return &JSONSchema{AnyOf: []*JSONSchema{s, {Type: "array", Items: s, MinItems: 1}}}
}

func ref(name string) *JSONSchema { return &JSONSchema{Ref: "#/$defs/" + name} }
