//go:build system

package methods_test

import (
	"maps"
	"slices"
	"testing"

	"mercer/internal/linalg/backendtest"
	"mercer/methods"
	"mercer/methods/methodtest"
)

// TestConformanceOnBackEnds is TestConformance on every back end, of those variants
// whose linear algebra is not that of another.
func TestConformanceOnBackEnds(t *testing.T) {
	all := variants(t)
	backendtest.Each(t, func(t *testing.T) {
		for _, name := range slices.Sorted(maps.Keys(all)) {
			if !all[name].once() {
				t.Run(name, func(t *testing.T) { methodtest.Run(t, all[name].build(t)) })
			}
		}
	})
}

// once says whether one back end is enough.
func (v variant) once() bool {
	switch o := v.options.(type) {
	case *methods.NystromOptions:
		return !slices.Contains(thorough, o.Landmarks.Rule)
	case *methods.RFFOptions:
		return o.Pool > 0 || o.Features != "fourier" && o.Features != "mercer"
	case *methods.EKPCAOptions, *methods.KPCAOptions, *methods.IncompleteCholeskyOptions:
		return false
	}
	return true
}
