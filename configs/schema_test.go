package configs

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func testSchemas() ComponentSchemas {
	return ComponentSchemas{
		Datasets: map[string]ComponentSchema{"series": {Doc: "A population with a known spectrum.", Options: struct {
			Decay decay `yaml:"decay" required:"true" doc:"How eigenvalues fall."`
		}{}}},
		Kernels:  map[string]ComponentSchema{"gaussian": {Doc: "exp(-d²/(2σ²))"}},
		Methods:  map[string]ComponentSchema{"nystrom": {Doc: "Nyström.", Options: defaults()}, "ekpca": {Doc: "Exact."}},
		Measures: []MeasureSchema{{"recon_h", "Reconstruction error in H."}, {"time", "Wall time."}},
	}
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
	const file = "testdata/schema.json"
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("schema (-want +got):\n%s", diff)
	}
}

// walkTo follows keys into decoded JSON.
func walkTo(t *testing.T, v any, keys ...string) any {
	t.Helper()
	for _, key := range keys {
		object, ok := v.(map[string]any)
		if !ok || object[key] == nil {
			t.Fatalf("the schema has no %q of %v", key, keys)
		}
		v = object[key]
	}
	return v
}

// The keys that decoding accepts are those that the schema has.
func TestSchemaStructure(t *testing.T) {
	text, err := Schema(testSchemas())
	var root any
	if err := errors.Join(err, json.Unmarshal(text, &root)); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		path []string
		want any
	}{
		{[]string{"$schema"}, "https://json-schema.org/draft/2020-12/schema"},
		{[]string{"additionalProperties"}, false},
		{[]string{"required"}, []any{"name", "seed", "repeats", "datasets", "grid", "methods", "measure"}},
		{[]string{"properties", "repeats", "minimum"}, 1.0},
		{[]string{"properties", "methods", "items", "$ref"}, "#/$defs/method"},
		{[]string{"properties", "measure", "items", "$ref"}, "#/$defs/measure"},
		{[]string{"$defs", "method", "properties", "use", "enum"}, []any{"ekpca", "nystrom"}},
		{[]string{"$defs", "method", "required"}, []any{"id", "use"}},
		{[]string{"$defs", "method.nystrom", "additionalProperties"}, false},
		{[]string{"$defs", "method.ekpca", "additionalProperties"}, false},
		{[]string{"$defs", "method.nystrom", "properties", "landmarks", "enum"}, []any{"uniform", "first", "leverage"}},
		{[]string{"$defs", "method.nystrom", "properties", "landmarks", "default"}, "uniform"},
		{[]string{"$defs", "method.nystrom", "properties", "landmarks", "description"}, "How landmarks are chosen."},
		{[]string{"$defs", "method.nystrom", "properties", "decay", "required"}, []any{"power"}},
		{[]string{"$defs", "dataset.series", "required"}, []any{"id", "use", "decay"}},
		{[]string{"properties", "profiles", "properties", "smoke", "additionalProperties"}, false},
	} {
		if diff := cmp.Diff(test.want, walkTo(t, root, test.path...)); diff != "" {
			t.Errorf("%v (-want +got):\n%s", test.path, diff)
		}
	}
	properties := walkTo(t, root, "$defs", "method.nystrom", "properties").(map[string]any)
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
