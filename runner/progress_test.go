package runner

import (
	"testing"
	"time"
)

// The state leaves out what is least needed first, and always fits.
func TestProgressWithin(t *testing.T) {
	p := Progress{Done: 1234, Total: 4800, Failed: 12, WorkDone: 1, WorkTotal: 13, Elapsed: 65 * time.Second}
	for width, want := range map[int]string{
		80: "1234/4800 rows, 1m5s, about 13m0s left, 12 failed",
		59: "1234/4800, 1m5s, about 13m0s left, 12 failed",
		39: "1234/4800, about 13m0s left, 12 failed",
		33: "1234/4800, 13m0s left, 12 failed",
		25: "1234/4800, 12 failed",
		15: "1234/4800",
	} {
		if got := p.Within(width); got != want {
			t.Errorf("%d columns: %q, want %q", width, got, want)
		}
	}
	p.Done, p.Failed, p.WorkDone = 4800, 0, 13
	if got := p.String(); got != "4800/4800 rows, took 1m5s" {
		t.Errorf("at the end: %q", got)
	}
}
