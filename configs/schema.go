package configs

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"mercer/internal/sizes"
)

// ComponentSchema describes one entry of a registry.
type ComponentSchema struct {
	Doc     string // one sentence
	Options any    // the options struct, preferably with its defaults; nil when there are none
}

// Schema is the JSON Schema (draft 2020-12) of a spec, for editors and for
// checks outside of mercer. It is made from the same struct tags by which specs
// are decoded; each component's keys depend on its `use`. The text is the same
// for the same arguments, and has no final newline. Components come by what they are (dataset, kernel or
// method) and by their `use` name, the documentation of measures by their name.
//
// A schema cannot see everything that Parse sees: unique ids, expressions and
// references between parts are left to Parse.
func Schema(components map[string]map[string]ComponentSchema, measures map[string]string) ([]byte, error) {
	root := objectSchema(reflect.TypeFor[Spec](), reflect.Value{})
	root.Version = schemaVersion
	root.Title = "mercer spec"
	root.Description = "One experiment of mercer: data, methods, a grid, error measures, and what the theory claims."
	measure := &JSONSchema{Type: "string"}
	for _, name := range slices.Sorted(maps.Keys(measures)) {
		measure.OneOf = append(measure.OneOf, &JSONSchema{Const: name, Description: measures[name]})
	}
	root.Definitions = map[string]*JSONSchema{"measure": measure,
		"expression": {Type: "string", Description: "An expression over grid variables and constants of the dataset."}}
	for kind, entries := range components {
		addComponents(root.Definitions, kind, entries)
	}
	text, err := json.MarshalIndent(root, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("writing the JSON Schema: %w", err)
	}
	return text, nil
}

// addComponents defines a kind of component: id and use, and for each use its
// own keys.
func addComponents(defs map[string]*JSONSchema, kind string, entries map[string]ComponentSchema) {
	general := objectSchema(reflect.TypeFor[Component](), reflect.Value{})
	general.Additional = nil
	delete(general.Properties, "optional")
	use := general.Properties["use"]
	use.Description = "Name of the registered " + kind + "."

	for _, name := range slices.Sorted(maps.Keys(entries)) {
		use.Enum = append(use.Enum, name)
		definition := kind + "." + name
		defs[definition] = componentSchema(kind, name, entries[name])
		condition := &JSONSchema{Required: []string{"use"}, Properties: map[string]*JSONSchema{"use": {Const: name}}}
		general.AllOf = append(general.AllOf, &JSONSchema{If: condition, Then: ref(definition)})
	}
	defs[kind] = general
}

// componentSchema is the schema of one entry of a registry.
func componentSchema(kind, name string, entry ComponentSchema) *JSONSchema {
	s := objectSchema(reflect.TypeFor[Component](), reflect.Value{})
	s.Description = entry.Doc
	s.Properties["use"] = &JSONSchema{Const: name}
	if kind != "dataset" {
		delete(s.Properties, "optional")
	}

	if entry.Options != nil {
		v := settled(reflect.ValueOf(entry.Options))
		if v.Kind() != reflect.Struct {
			panic(fmt.Sprintf("configs: options of %s %q are a %s, not a struct", kind, name, v.Type()))
		}
		own := objectSchema(v.Type(), v)
		own.forParameters()
		maps.Copy(s.Properties, own.Properties)
		s.Required, s.OneOf = append(s.Required, own.Required...), own.OneOf
	}
	if kind == "method" {
		for _, size := range sizes.Names {
			v := valueSchema()
			v.Description = "In place of the grid's " + size + "; a number or an expression."
			s.Properties[size] = v
		}
	}
	return s
}

// forParameters lets every number be an expression, and every choice of words "=name".
func (s *JSONSchema) forParameters() {
	or := expressionSchema
	switch {
	case s.Enum != nil:
		or = &JSONSchema{Type: "string", Pattern: "^="}
	case s.Type != "number" && s.Type != "integer":
		inner := slices.Concat(s.AnyOf, s.OneOf)
		inner = slices.AppendSeq(inner, maps.Values(s.Properties))
		if values, ok := s.Additional.(*JSONSchema); ok {
			inner = append(inner, values)
		}
		if s.Items != nil {
			inner = append(inner, s.Items)
		}
		for _, one := range inner {
			one.forParameters()
		}
		return
	}
	plain := *s
	plain.Description, plain.Default = "", nil
	*s = JSONSchema{AnyOf: []*JSONSchema{&plain, or}, Description: s.Description, Default: s.Default}
}
