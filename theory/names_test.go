package theory_test

import (
	"slices"
	"testing"

	"mercer/methods"
	"mercer/metrics"
	"mercer/theory"
)

// Theorems name metrics, methods and sizes as records have them, and every open
// parameter says what it is.
func TestNamesAreThoseOfRecords(t *testing.T) {
	outputs := map[string]metrics.Measure{}
	for _, m := range metrics.Registry {
		for _, name := range m.Outputs {
			outputs[name] = m
		}
	}
	for _, key := range theory.Keys() {
		th := theory.Registry[key]
		if th.Reference == "" || th.Says == "" || len(th.Methods) == 0 {
			t.Errorf("%s: no reference, statement or method", key)
		}
		for _, name := range append([]string{th.Metric}, th.Uses...) {
			if _, known := outputs[name]; !known {
				t.Errorf("%s: no measure gives %q", key, name)
			}
		}
		for _, method := range th.Methods {
			if _, known := methods.Registry[method]; !known {
				t.Errorf("%s: no method %q", key, method)
			}
		}
		for _, size := range th.Sizes {
			if !slices.Contains([]string{"n", "m", "d", "ell", "k"}, size) {
				t.Errorf("%s: no size %q", key, size)
			}
		}
		for name := range th.Defaults {
			if th.Open[name] == "" {
				t.Errorf("%s: a default of %s, which is not open", key, name)
			}
		}
		if th.Bound != nil && th.Rate != nil {
			t.Errorf("%s is a bound and a rate", key)
		}
	}
}
