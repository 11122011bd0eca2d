package configs

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"reflect"
	"strings"
	"testing"
)

func testSchemas() (components map[string]map[string]ComponentSchema, measures map[string]string) {
	return map[string]map[string]ComponentSchema{
		"dataset": {"series": {Doc: "A population with a known spectrum.", Options: struct {
			Decay decay `yaml:"decay" required:"true" doc:"How eigenvalues fall."`
		}{}}},
		"kernel": {"gaussian": {Doc: "exp(-d²/(2σ²))"}},
		"method": {"nystrom": {Doc: "Nyström.", Options: defaults()}, "ekpca": {Doc: "Exact."}},
	}, map[string]string{"recon_h": "Reconstruction error in H.", "time": "Wall time."}
}

func TestSchemaGolden(t *testing.T) {
	got, err := Schema(testSchemas())
	if err != nil {
		t.Fatal(err)
	}
	again, _ := Schema(testSchemas())
	if !bytes.Equal(got, again) {
		t.Error("two calls give different schemas")
	}
	Golden(t, "testdata/schema.json", string(got))
}

// TestSchemaKeys: the keys that decoding accepts are those that the schema has.
func TestSchemaKeys(t *testing.T) {
	text, err := Schema(testSchemas())
	type part struct{ Properties map[string]any }
	var root struct {
		Properties struct {
			Methods struct {
				Items struct {
					part
					AllOf []struct{ If, Then part }
				}
			}
		}
	}
	if err := errors.Join(err, json.Unmarshal(text, &root)); err != nil {
		t.Fatal(err)
	}
	items := root.Properties.Methods.Items
	properties := items.Properties
	for _, one := range items.AllOf {
		if use, ok := one.If.Properties["use"].(map[string]any); ok && use["const"] == "nystrom" {
			maps.Copy(properties, one.Then.Properties)
		}
	}
	for _, key := range append(fieldsOf(reflect.TypeFor[options]()).keys(), "id", "use", "n", "m", "d", "ell", "k") {
		if properties[key] == nil {
			t.Errorf("the schema of nystrom has no %q", key)
		}
		delete(properties, key)
	}
	for key := range properties {
		t.Errorf("the schema of nystrom has %q, which does not decode", key)
	}
}

// TestKindsAreOneOf: a claim has exactly one of all its kinds.
func TestKindsAreOneOf(t *testing.T) {
	if of, kinds := blankTag(reflect.TypeFor[Claim](), "oneof"), strings.Join(ClaimKinds(), ","); of != kinds {
		t.Errorf("one of %s, kinds %s", of, kinds)
	}
}
