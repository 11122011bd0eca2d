package batch

import (
	"testing"
	"time"

	"mercer/runner/plan"
)

// TestWarning: half of the time is left in any case.
func TestWarning(t *testing.T) {
	for _, c := range []struct {
		limit   time.Duration
		longest float64
		want    time.Duration
	}{{time.Minute, 0, 30 * time.Second}, {time.Minute, 100, 30 * time.Second}, {time.Hour, 0, time.Minute}, {time.Hour, 100, 400 * time.Second}, {time.Hour, 1000, 30 * time.Minute}} {
		if _, got := timeLimit(c.limit, []plan.Shard{{Seconds: c.longest, Longest: c.longest}}); got != c.want {
			t.Errorf("--time %s, longest fit %v s: %v, want %v", c.limit, c.longest, got, c.want)
		}
	}
}
