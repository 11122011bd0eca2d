package configs

import (
	"encoding"
	"encoding/json"
	"reflect"
	"strconv"
	"strings"

	"github.com/invopop/jsonschema"
	"gopkg.in/yaml.v3"
)

// schemaMaker is how this package's own types describe themselves.
type schemaMaker interface {
	schema(b *schemaBuilder, tag reflect.StructTag) *jsonschema.Schema
}

// customSchema is how types of other packages do, by the convention of
// invopop/jsonschema.
type customSchema interface {
	JSONSchema() *jsonschema.Schema
}

// object is the schema of a struct; the fields of defaults, when it is valid,
// become default values.
func (b *schemaBuilder) object(t reflect.Type, defaults reflect.Value) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "object", AdditionalProperties: jsonschema.FalseSchema, Properties: jsonschema.NewProperties()}
	b.path[t] = true
	defer delete(b.path, t)
	for _, f := range fieldsOf(t) {
		var standard reflect.Value
		if defaults.IsValid() {
			standard = defaults.FieldByIndex(f.index)
		}
		p := b.typed(f.typ, f.tag, standard)
		if doc := f.tag.Get("doc"); doc != "" {
			described := *p // it may be shared
			described.Description = doc
			p = &described
		}
		s.Properties.Set(f.key, p)
		if f.tag.Get("required") == "true" {
			s.Required = append(s.Required, f.key)
		}
	}
	if isOneOf(t) {
		one := uint64(1)
		s.MinProperties, s.MaxProperties = &one, &one
	}
	if word, ok := s.Properties.Get(wordKey(t)); ok {
		return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{word, s}}
	}
	return s
}

// typed is the schema of a field's type with the limits of its tag.
func (b *schemaBuilder) typed(t reflect.Type, tag reflect.StructTag, standard reflect.Value) *jsonschema.Schema {
	if t.Kind() == reflect.Pointer {
		if standard.IsValid() {
			standard = standard.Elem() // invalid for nil
		}
		if !standard.IsValid() {
			standard = defaultsOf(t.Elem())
		}
		return b.typed(t.Elem(), tag, standard)
	}
	if s := b.custom(t, tag); s != nil {
		return s
	}
	if t == durationType {
		span := &jsonschema.Schema{Type: "string", Pattern: `^([0-9.]+(ns|us|µs|ms|s|m|h))+$`}
		return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{span, {Const: 0}}}
	}
	switch t.Kind() {
	case reflect.Struct:
		if b.path[t] {
			return &jsonschema.Schema{Type: "object"}
		}
		return b.object(t, standard)
	case reflect.Slice:
		s := &jsonschema.Schema{Type: "array", UniqueItems: tag.Get("unique") == "true"}
		s.MinItems, s.MaxItems = count(tag.Get("minlen")), count(tag.Get("maxlen"))
		s.Items = b.typed(t.Elem(), tag, reflect.Value{})
		if tag.Get("item") == "measure" {
			s.Items = ref("measure")
		}
		return s
	case reflect.Map:
		return &jsonschema.Schema{Type: "object", AdditionalProperties: b.typed(t.Elem(), tag, reflect.Value{})}
	case reflect.Interface:
		return &jsonschema.Schema{}
	}
	s := scalarSchema(t, tag)
	if standard.IsValid() && !standard.IsZero() {
		s.Default = standard.Interface()
	}
	return s
}

func (b *schemaBuilder) custom(t reflect.Type, tag reflect.StructTag) *jsonschema.Schema {
	switch x := reflect.New(t).Interface().(type) {
	case schemaMaker:
		return x.schema(b, tag)
	case customSchema:
		return x.JSONSchema()
	case yaml.Unmarshaler:
		return &jsonschema.Schema{}
	case encoding.TextUnmarshaler:
		return &jsonschema.Schema{Type: "string"}
	}
	return nil
}

func scalarSchema(t reflect.Type, tag reflect.StructTag) *jsonschema.Schema {
	s := &jsonschema.Schema{}
	switch k := t.Kind(); {
	case k == reflect.Bool:
		s.Type = "boolean"
	case k == reflect.String:
		s.Type, s.Pattern = "string", tag.Get("pattern")
		if enum := tag.Get("enum"); enum != "" {
			for _, word := range strings.Split(enum, ",") {
				s.Enum = append(s.Enum, word)
			}
		}
	case k == reflect.Float32 || k == reflect.Float64:
		s.Type = "number"
	default:
		s.Type = "integer"
		if reflect.Zero(t).CanUint() {
			s.Minimum = "0"
		}
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

func count(text string) *uint64 {
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return nil
	}
	return &n
}

func valueSchema() *jsonschema.Schema {
	return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{
		{Type: "number"},
		{Type: "string", Description: "An expression over grid variables and constants of the dataset."},
	}}
}

// orList is a schema or a list of what it describes.
func orList(s *jsonschema.Schema) *jsonschema.Schema {
	one := uint64(1)
	return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{s, {Type: "array", Items: s, MinItems: &one}}}
}

func (*Value) schema(*schemaBuilder, reflect.StructTag) *jsonschema.Schema { return valueSchema() }

func (*Conditions) schema(*schemaBuilder, reflect.StructTag) *jsonschema.Schema {
	word := &jsonschema.Schema{AnyOf: []*jsonschema.Schema{{Type: "number"}, {Type: "string"}}}
	return &jsonschema.Schema{Type: "object", AdditionalProperties: orList(word)}
}

func (*Component) schema(_ *schemaBuilder, tag reflect.StructTag) *jsonschema.Schema {
	return ref(tag.Get("item"))
}

func (*Variables) schema(*schemaBuilder, reflect.StructTag) *jsonschema.Schema {
	return &jsonschema.Schema{
		Type:                 "object",
		PropertyNames:        &jsonschema.Schema{Pattern: variablePattern.String()},
		AdditionalProperties: orList(valueSchema()),
	}
}

func (*Grid) schema(b *schemaBuilder, tag reflect.StructTag) *jsonschema.Schema {
	one := uint64(1)
	s := (*Variables)(nil).schema(b, tag)
	s.MinProperties = &one
	s.Properties = jsonschema.NewProperties()
	for _, size := range sizeNames {
		v := orList(valueSchema())
		v.Description = "The " + size + " of each point; a number, an expression or a list of these."
		s.Properties.Set(size, v)
	}
	group := &jsonschema.Schema{
		Type: "object", MinProperties: &one,
		PropertyNames:        &jsonschema.Schema{Pattern: variablePattern.String()},
		AdditionalProperties: orList(valueSchema()),
	}
	s.Properties.Set("zip", &jsonschema.Schema{Type: "array", Items: group,
		Description: "Groups of variables that advance together; their lists are equally long."})
	skip := orList(&jsonschema.Schema{Type: "string"})
	skip.Description = `Conditions such as "m > n"; points where one is true are left out.`
	s.Properties.Set("skip", skip)
	return s
}

func (*Changes) schema(*schemaBuilder, reflect.StructTag) *jsonschema.Schema {
	one := uint64(1)
	fixed := &jsonschema.Schema{}
	for _, key := range fixedKeys {
		fixed.Enum = append(fixed.Enum, key)
	}
	keys := &jsonschema.Schema{Type: "object", MinProperties: &one, PropertyNames: &jsonschema.Schema{Not: fixed}}
	return &jsonschema.Schema{Type: "object", PropertyNames: &jsonschema.Schema{Pattern: idPattern.String()}, AdditionalProperties: keys}
}

func (*Overlays) schema(b *schemaBuilder, _ reflect.StructTag) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "object", AdditionalProperties: jsonschema.FalseSchema, Properties: jsonschema.NewProperties()}
	for _, name := range ProfileNames() {
		s.Properties.Set(name, b.object(reflect.TypeFor[Overlay](), reflect.Value{}))
	}
	return s
}

// schema adds to a claim's keys that exactly one kind is given.
func (*Claim) schema(b *schemaBuilder, _ reflect.StructTag) *jsonschema.Schema {
	s := b.object(reflect.TypeFor[Claim](), reflect.Value{})
	for _, kind := range []string{"slope", "ratio", "order", "value", "distribution", "bound"} {
		s.OneOf = append(s.OneOf, &jsonschema.Schema{Required: []string{kind}})
	}
	return s
}
