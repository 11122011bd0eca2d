package configs

import (
	"encoding/json"
	"reflect"
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
	If    *JSONSchema   `json:"if,omitempty"`
	Then  *JSONSchema   `json:"then,omitempty"`

	Items         *JSONSchema            `json:"items,omitempty"`
	Properties    map[string]*JSONSchema `json:"properties,omitempty"`
	Additional    any                    `json:"additionalProperties,omitempty"` // a *JSONSchema or false
	PropertyNames *JSONSchema            `json:"propertyNames,omitempty"`

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

	order []string // of the properties in the struct that they are fields of
}

// MarshalJSON writes the keywords that are set, in the order of the fields.
func (s *JSONSchema) MarshalJSON() ([]byte, error) {
	if reflect.ValueOf(s).Elem().IsZero() {
		return []byte("true"), nil
	}
	type plain JSONSchema // without this method
	return json.Marshal((*plain)(s))
}
