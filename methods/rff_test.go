package methods_test

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"mercer/internal/kernel"
	"mercer/methods"
)

// The enum of the schema is the registry of feature maps.
func TestFeaturesAreThoseOfTheRegistry(t *testing.T) {
	field, _ := reflect.TypeFor[methods.RFFOptions]().FieldByName("Features")
	listed := strings.Split(field.Tag.Get("enum"), ",")
	slices.Sort(listed)
	if want := slices.Sorted(maps.Keys(kernel.Maps)); !slices.Equal(listed, want) {
		t.Errorf("the schema lists %q, the registry holds %q", listed, want)
	}
}
