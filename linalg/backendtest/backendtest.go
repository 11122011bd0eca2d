// Package backendtest runs tests on every linear-algebra back end present:
// gonum's pure Go, this program's own kernels, and a BLAS library where the
// system has one.
package backendtest

import (
	"strings"
	"testing"

	"mercer/linalg"
)

// Each runs f on each back end and leaves gonum's in use. It says loudly where
// no library could be tested. Tests that use it must not run in parallel.
func Each(t *testing.T, f func(t *testing.T)) {
	t.Helper()
	t.Cleanup(linalg.UseGonum)
	linalg.UseOwn()
	t.Run("own", f)
	linalg.UseGonum()
	t.Run("gonum", f)
	info, err := linalg.Use()
	if err != nil {
		t.Fatal(err)
	}
	t.Run("library", func(t *testing.T) {
		if info.Path == "" {
			t.Skip(strings.Join(append([]string{"SKIPPED, no BLAS library is tested:", info.Advice}, info.Warnings...), " "))
		}
		f(t)
	})
}
