package runner

import (
	"math"
	"testing"

	"mercer/internal/linalg"
	"mercer/internal/linalg/backendtest"
	"mercer/results"
	"mercer/runner/plan/plantest"
)

// TestBackEndsAgree runs one spec on every back end: all agree. A sum of terms of the order tr Σ² ≈
// 1 that cancel to T is rounded at 1e−15 a term in some hundred terms, whatever
// T is: 1e−9 of the value and 1e−13 are allowed.
func TestBackEndsAgree(t *testing.T) {
	reference := map[string]results.Record{}
	backendtest.Each(t, func(t *testing.T) {
		plan := planOf(t, plantest.Small, "")
		run, _ := runIn(t, t.TempDir(), plan, Options{Workers: 1})
		for _, r := range run.Records {
			if r.BLAS != linalg.Backend() {
				t.Fatalf("record says %q, in use is %q", r.BLAS, linalg.Backend())
			}
			want, ok := reference[r.Key]
			if !ok {
				reference[r.Key] = r
				continue
			}
			for name, m := range r.Metrics.All() {
				if w := want.Metrics.Value(name); math.Abs(m.Value-w) > 1e-9*math.Abs(w)+1e-13 {
					t.Errorf("%s n=%d ell=%d: %s = %v, gonum gives %v", r.Method, r.N, r.Ell, name, m.Value, w)
				}
			}
		}
	})
}
