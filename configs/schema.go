package configs

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"mercer/internal/sizes"
)

// ComponentSchemas is what Schema has to know of the registries.
type ComponentSchemas struct {
	Datasets map[string]ComponentSchema // by `use` name
	Kernels  map[string]ComponentSchema
	Methods  map[string]ComponentSchema
	Measures []MeasureSchema
}

// ComponentSchema describes one entry of a registry.
type ComponentSchema struct {
	Doc     string // one sentence
	Options any    // the options struct, preferably with its defaults; nil when there are none
}

// MeasureSchema describes one error measure.
type MeasureSchema struct {
	Name string
	Doc  string
}

// Schema is the JSON Schema (draft 2020-12) of a spec, for editors and for
// checks outside of mercer. It is made from the same struct tags by which specs
// are decoded; each component's keys depend on its `use`. The text is the same
// for the same arguments, and has no final newline.
//
// A schema cannot see everything that Parse sees: unique ids, expressions and
// references between parts are left to Parse.
func Schema(kinds ComponentSchemas) ([]byte, error) {
	root := objectSchema(reflect.TypeFor[Spec](), reflect.Value{})
	root.Version = schemaVersion
	root.Title = "mercer spec"
	root.Description = "One experiment of mercer: data, methods, a grid, error measures, and what the theory claims."
	measure := &JSONSchema{Type: "string"}
	for _, m := range kinds.Measures {
		measure.OneOf = append(measure.OneOf, &JSONSchema{Const: m.Name, Description: m.Doc})
	}
	root.Definitions = map[string]*JSONSchema{"measure": measure,
		"expression": {Type: "string", Description: "An expression over grid variables and constants of the dataset."}}
	addComponents(root.Definitions, "dataset", kinds.Datasets)
	addComponents(root.Definitions, "kernel", kinds.Kernels)
	addComponents(root.Definitions, "method", kinds.Methods)
	text, err := json.MarshalIndent(root, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("writing the JSON Schema: %w", err)
	}
	return text, nil
}

// addComponents defines a kind of component: id and use, and for each use its
// own keys.
func addComponents(defs map[string]*JSONSchema, kind string, entries map[string]ComponentSchema) {
	names := slices.Sorted(maps.Keys(entries))
	use := &JSONSchema{Type: "string", Description: "Name of the registered " + kind + "."}
	general := &JSONSchema{Type: "object", Required: []string{"id", "use"}, Properties: map[string]*JSONSchema{"id": idSchema(), "use": use}}
	for _, name := range names {
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
	s := &JSONSchema{Type: "object", Additional: false, Properties: map[string]*JSONSchema{}}
	if entry.Options != nil {
		v := settled(reflect.ValueOf(entry.Options))
		if v.Kind() != reflect.Struct {
			panic(fmt.Sprintf("configs: options of %s %q are a %s, not a struct", kind, name, v.Type()))
		}
		s = objectSchema(v.Type(), v)
		s.forParameters()
	}
	s.Description = entry.Doc
	s.Properties["id"] = idSchema()
	s.Properties["use"] = &JSONSchema{Const: name}
	s.Required = append([]string{"id", "use"}, s.Required...)
	if kind == "dataset" {
		s.Properties["optional"] = &JSONSchema{Type: "boolean", Description: "Where the data are absent, skip this data set and run the rest (default false)."}
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

func idSchema() *JSONSchema {
	return &JSONSchema{Type: "string", Pattern: idPattern, Description: "Names the entry in results; unique in its list."}
}
