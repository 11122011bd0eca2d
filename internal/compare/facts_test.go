package compare

import (
	"testing"

	"mercer/internal/metrics"
)

// The facts of a metric are those of its measure, and it is that of one measure only.
func TestMetricFacts(t *testing.T) {
	seen := map[string]string{}
	for name, m := range metrics.Registry {
		for _, output := range m.Outputs {
			if other, twice := seen[output]; twice {
				t.Errorf("%s is an output of %s and of %s", output, name, other)
			}
			seen[output] = name
			if got := MetricOf(output); got.Better != metrics.BetterOf(output) || got.Steps != m.Steps {
				t.Errorf("%s: %+v", output, got)
			}
		}
	}
	if got := MetricOf("eigenvalue_12"); got.Better != Neither || got.Scale != "eigenvalue_1" {
		t.Errorf("eigenvalue_12: %+v", got)
	}
}
