package runner

import (
	"testing"
	"time"
)

func TestProgressInWords(t *testing.T) {
	p := Progress{Done: 1234, Total: 4800, Failed: 12, WorkDone: 1, WorkTotal: 13, Elapsed: 65 * time.Second}
	if got := p.String(); got != "1234/4800 rows, 1m5s, about 13m0s left, 12 failed" {
		t.Error(got)
	}
	p.Done, p.Failed, p.WorkDone = 4800, 0, 13
	if got := p.String(); got != "4800/4800 rows, took 1m5s" {
		t.Errorf("at the end: %q", got)
	}
}
