package configs

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"

	"mercer/internal/lists"
	"mercer/internal/sizes"
)

// ComponentSchema describes one entry of a registry.
type ComponentSchema struct {
	Doc     string // one sentence
	Options any    // the options struct, preferably with its defaults; nil when there are none
}

// schema is a part of a JSON Schema.
type schema = map[string]any

// Schema is a JSON Schema (draft 2020-12) of a spec, by which an editor completes its keys and words
// and shows what they mean. It refuses next to nothing: mercer validate does that. It is made from the
// same struct tags by which specs are decoded. Components come by what they are (dataset, kernel or method)
// and by their `use` name, the documentation of measures by their name.
func Schema(components map[string]map[string]ComponentSchema, measures map[string]string) ([]byte, error) {
	root := object(keysOf(reflect.TypeFor[Spec](), reflect.Value{}))
	root["$schema"], root["title"] = "https://json-schema.org/draft/2020-12/schema", "mercer spec"
	properties := root["properties"].(schema)
	for kind, entries := range components {
		properties[kind+"s"].(schema)["items"] = componentsSchema(kind, entries)
	}
	properties["measure"].(schema)["items"] = schema{"anyOf": append(lists.Map(slices.Sorted(maps.Keys(measures)), func(name string) schema {
		return schema{"const": name, "description": measures[name]}
	}), schema{"type": "object", "description": "A measure of your own: docs/exec.md."})}
	properties["grid"].(schema)["properties"] = ofSizes()
	return json.MarshalIndent(root, "", "  ")
}

// componentsSchema is the schema of a component of a kind, whose keys depend on its use.
func componentsSchema(kind string, entries map[string]ComponentSchema) schema {
	s := object(keysOf(reflect.TypeFor[Component](), reflect.Value{}))
	properties := s["properties"].(schema)
	if kind != "dataset" {
		delete(properties, "optional")
	}
	if kind == "method" {
		maps.Copy(properties, ofSizes())
	}
	names := slices.Sorted(maps.Keys(entries))
	properties["use"] = schema{"description": "Name of the registered " + kind + ".", "enum": names}
	s["allOf"] = lists.Map(names, func(name string) schema {
		then := schema{}
		if options := entries[name].Options; options != nil {
			v := settled(reflect.ValueOf(options))
			then = object(keysOf(v.Type(), v))
		}
		then["description"] = entries[name].Doc
		return schema{"if": schema{"properties": schema{"use": schema{"const": name}}, "required": []string{"use"}}, "then": then}
	})
	return s
}

func ofSizes() schema {
	all := schema{}
	for _, size := range sizes.Names {
		all[size] = schema{"description": "The size " + size + ": a number, an expression, or in a grid a list of these."}
	}
	return all
}

// object is the schema of a mapping.
func object(keys []key) schema {
	properties := schema{}
	for _, k := range keys {
		s := schema{}
		if k.Keys != nil {
			s = object(k.Keys)
		}
		if k.Items != nil {
			s["items"] = object(k.Items)
		}
		if k.Named != nil {
			s["additionalProperties"] = object(k.Named)
		}
		if k.Words != nil {
			s["anyOf"] = []schema{{"enum": k.Words}, {"pattern": "^="}}
		}
		s["description"] = k.Takes
		if k.Doc != "" {
			s["description"] = k.Takes + ". " + k.Doc
		}
		properties[k.Name] = s
	}
	return schema{"properties": properties}
}
