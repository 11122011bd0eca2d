package plan

import (
	"testing"

	"mercer/runner/plan/plantest"
)

// TestPassFlops: the plan counts a pass once, at its largest n, whatever a filter
// leaves of it.
func TestPassFlops(t *testing.T) {
	for filter, largest := range map[string]int{"": 200, "n < 200": 120, "n == 60": 60} {
		plan := planOf(t, plantest.Passes, filter)
		fitting, want := 0.0, 0.0
		for _, g := range plan.Groups {
			for _, f := range g.Fits {
				if len(f.Cells) == 0 || f.Method == "rff" {
					continue
				}
				fitting += f.Flops - f.measuring
				if f.Sizes.N == largest {
					want += plan.Methods[f.Method].Method.Cost(nil, f.Sizes, 1).Flops
				}
			}
		}
		if fitting < want*(1-1e-12) || fitting > want*(1+1e-12) {
			t.Errorf("filter %q: %v flops of fits, want %v", filter, fitting, want)
		}
	}
}
