// Package backendtest runs tests on every linear-algebra back end present:
// gonum's pure Go, this program's own kernels, and a BLAS library where the
// system has one, alone and beside own kernels.
package backendtest

import (
	"strings"
	"testing"

	"mercer/internal/linalg"
	"mercer/internal/linalg/openblas"
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
	if info.Path == "" {
		t.Run("library", func(t *testing.T) {
			t.Skip(strings.Join(append([]string{"SKIPPED, no BLAS library is tested:", info.Advice}, info.Warnings...), " "))
		})
		return
	}
	t.Run("as found", f)
	t.Setenv(openblas.Variable, info.Path)
	alone, err := linalg.Use()
	if err != nil {
		t.Fatal(err)
	}
	if alone.Name != info.Name {
		t.Run("library", f)
	}
}
