package runner

import (
	"testing"
	"time"
)

// TestReadyTime: many workers of a plan that took long do not hang for days.
func TestReadyTime(t *testing.T) {
	for _, tt := range []struct {
		workers int
		making  time.Duration
		want    time.Duration
	}{
		{1, 0, 2 * time.Minute},
		{4, 3 * time.Second, 4 * time.Minute},
		{64, 10 * time.Minute, time.Hour},
		{1, 45 * time.Minute, 90 * time.Minute},
	} {
		if got := readyTime(tt.workers, tt.making); got != tt.want {
			t.Errorf("%d workers, %v for the plan: %v, want %v", tt.workers, tt.making, got, tt.want)
		}
	}
}
