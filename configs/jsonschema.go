package configs

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
)

// schemaVersion is the version of JSON Schema.
const schemaVersion = "https://json-schema.org/draft/2020-12/schema"

// JSONSchema is the part of JSON Schema (draft 2020-12) that schemas of specs use.
// Fields are the keywords of the standard; those that are zero are not written. One
// that is empty is written as true: it accepts everything.
type JSONSchema struct {
	Version     string                 `json:"$schema,omitempty"`
	Ref         string                 `json:"$ref,omitempty"`
	Definitions map[string]*JSONSchema `json:"$defs,omitempty"`

	AllOf []*JSONSchema `json:"allOf,omitempty"`
	AnyOf []*JSONSchema `json:"anyOf,omitempty"`
	OneOf []*JSONSchema `json:"oneOf,omitempty"`
	Not   *JSONSchema   `json:"not,omitempty"`
	If    *JSONSchema   `json:"if,omitempty"`
	Then  *JSONSchema   `json:"then,omitempty"`

	Items         *JSONSchema `json:"items,omitempty"`
	Properties    Properties  `json:"properties,omitempty"`
	Additional    any         `json:"additionalProperties,omitempty"` // a *JSONSchema or false
	PropertyNames *JSONSchema `json:"propertyNames,omitempty"`

	Type             string      `json:"type,omitempty"`
	Enum             []string    `json:"enum,omitempty"`
	Const            any         `json:"const,omitempty"`
	Maximum          json.Number `json:"maximum,omitempty"`
	ExclusiveMaximum json.Number `json:"exclusiveMaximum,omitempty"`
	Minimum          json.Number `json:"minimum,omitempty"`
	ExclusiveMinimum json.Number `json:"exclusiveMinimum,omitempty"`
	Pattern          string      `json:"pattern,omitempty"`
	MaxItems         int         `json:"maxItems,omitempty"`
	MinItems         int         `json:"minItems,omitempty"`
	UniqueItems      bool        `json:"uniqueItems,omitempty"`
	MinProperties    int         `json:"minProperties,omitempty"`
	Required         []string    `json:"required,omitempty"`

	Title       string `json:"title,omitempty"`
	Description string `json:"description,omitempty"`
	Default     any    `json:"default,omitempty"`
}

// MarshalJSON writes the keywords that are set, in the order of the fields.
func (s *JSONSchema) MarshalJSON() ([]byte, error) {
	if reflect.ValueOf(s).Elem().IsZero() {
		return []byte("true"), nil
	}
	type plain JSONSchema // without this method
	return json.Marshal((*plain)(s))
}

// Properties are the keys of an object, in the order in which editors offer them.
type Properties []Property

// Property is a key and what its value may be.
type Property struct {
	Key    string
	Schema *JSONSchema
}

// Get is the schema of a key, nil where there is none.
func (p Properties) Get(key string) *JSONSchema {
	if i := slices.IndexFunc(p, func(q Property) bool { return q.Key == key }); i >= 0 {
		return p[i].Schema
	}
	return nil
}

// Set adds a key at the end, or changes it where it is.
func (p *Properties) Set(key string, s *JSONSchema) {
	if i := slices.IndexFunc(*p, func(q Property) bool { return q.Key == key }); i >= 0 {
		(*p)[i].Schema = s
		return
	}
	*p = append(*p, Property{key, s})
}

// MarshalJSON writes an object whose keys keep their order.
func (p Properties) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	for i, q := range p {
		key, err := json.Marshal(q.Key)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(q.Schema)
		if err != nil {
			return nil, err
		}
		b.WriteByte("{,"[min(i, 1)])
		b.Write(key)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}
