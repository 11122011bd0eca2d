package configs

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"mercer/internal/lists"
)

// keyDoc is one key of a mapping, for a reader.
type keyDoc struct {
	Name  string // keys of nested mappings are written decay.power
	Takes string // what fits, with its limits, its default, and whether it is required
	Doc   string // the doc tag
}

// Describe lists the keys of an options struct for a reader, a line each: the
// key, what it takes, its limits, its default when the struct holds one, and
// its doc tag.
//
//	ridge: a number, at least 0, default 1e-08. Added to the diagonal.
func Describe(options any) []string {
	if options == nil {
		return nil
	}
	v := settled(reflect.ValueOf(options))
	var lines []string
	for _, k := range objectSchema(v.Type(), v).keys("") {
		line := k.Name + ": " + k.Takes
		if k.Doc != "" {
			line += ". " + k.Doc
		}
		lines = append(lines, line)
	}
	return lines
}

// keys describes the keys of an object, or of that which a word may stand for.
func (s *JSONSchema) keys(prefix string) []keyDoc {
	var keys []keyDoc
	for _, name := range s.order {
		p := s.Properties[name]
		key := keyDoc{prefix + name, p.takes(), p.Description}
		if standard := p.standard(); standard != nil {
			key.Takes += fmt.Sprintf(", default %v", standard)
		}
		if slices.Contains(s.Required, name) {
			key.Takes += ", required"
		}
		keys = append(append(keys, key), p.keys(prefix+name+".")...)
	}
	for _, form := range s.AnyOf {
		keys = append(keys, form.keys(prefix)...)
	}
	return keys
}

// standard is the default of a scalar, or of the word that stands for a mapping.
func (s *JSONSchema) standard() any {
	if len(s.AnyOf) > 0 {
		return s.AnyOf[0].Default
	}
	return s.Default
}

// takes says in words what fits the schema.
func (s *JSONSchema) takes() string {
	if forms := slices.Concat(s.AnyOf, s.OneOf); len(forms) > 0 && s.Type == "" {
		return strings.Join(slices.Compact(lists.Map(forms, (*JSONSchema).takes)), ", or ")
	}
	switch {
	case s.Ref == ref("measure").Ref:
		return "a name"
	case s.Ref == expressionSchema.Ref:
		return "an expression"
	case s.Ref != "":
		return "a mapping"
	case s == durationSchema:
		return `a duration such as "90s"`
	case s.Const != nil:
		return fmt.Sprint(s.Const)
	case s.Enum != nil:
		return "one of " + strings.Join(s.Enum, ", ")
	case s.Type == "array":
		return "a list, each " + s.Items.takes()
	case s.Type == "":
		return "a word or a mapping"
	}
	text := map[string]string{"boolean": "true or false", "string": "text", "object": "a mapping", "number": "a number", "integer": "a whole number"}[s.Type]
	for i, bound := range []json.Number{s.Minimum, s.Maximum, s.ExclusiveMinimum, s.ExclusiveMaximum} {
		if bound != "" {
			text += fmt.Sprintf(", %s %s", limits[i].words, bound)
		}
	}
	return text
}
