package runner

import (
	"math"
	"testing"

	"mercer/internal/linalg"
	"mercer/internal/linalg/backendtest"
	"mercer/results"
)

// TestBackEndsAgree runs one spec on every back end: all agree. A sum of terms of the order tr Σ² ≈
// 1 that cancel to T is rounded at 1e−15 a term in some hundred terms, whatever
// T is: 1e−9 of the value and 1e−13 are allowed.
func TestBackEndsAgree(t *testing.T) {
	reference := map[string]results.Row{}
	backendtest.Each(t, func(t *testing.T) {
		plan := planOf(t, smallSpec, "")
		run, _ := runIn(t, t.TempDir(), plan, Options{Workers: 1})
		for _, r := range run.Rows {
			if r.BLAS != linalg.Backend() {
				t.Fatalf("record says %q, in use is %q", r.BLAS, linalg.Backend())
			}
			want, ok := reference[r.ID]
			if !ok {
				reference[r.ID] = r
				continue
			}
			for name, m := range r.Metrics.All() {
				if w := want.Metrics[name]; math.Abs(m-w) > 1e-9*math.Abs(w)+1e-13 {
					t.Errorf("%s: %s = %v, gonum gives %v", r.At, name, m, w)
				}
			}
		}
	})
}
