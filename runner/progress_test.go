package runner

import (
	"testing"
	"time"
)

func TestProgressInWords(t *testing.T) {
	p := Progress{Done: 1234, Total: 4800, Failed: 12, Resumed: 34, Elapsed: 60 * time.Second}
	if got := p.String(); got != "1234/4800 rows, 1m0s, about 2m58s left, 12 failed" {
		t.Error(got)
	}
	p.Done, p.Failed = 4800, 0
	if got := p.String(); got != "4800/4800 rows, took 1m0s" {
		t.Errorf("at the end: %q", got)
	}
}
