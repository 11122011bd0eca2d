package process

import (
	"os"
	"testing"
)

// TestCPUOf: of this process it is what getrusage says of it and its children, which
// counts no whole hundredths: each of four numbers may be short of one.
func TestCPUOf(t *testing.T) {
	for sum, begun := 0.0, CPU(); CPU() < begun+0.2; {
		for i := range 1000 {
			sum += float64(i)
		}
	}
	before, found, after := CPU(), CPUOf(os.Getpid()), CPU()
	if found < before-0.05 || found > after+0.01 || found < 0.15 {
		t.Errorf("%g s, want between %g and %g", found, before, after)
	}
	if gone := CPUOf(1 << 30); gone != 0 {
		t.Errorf("of no process: %g s", gone)
	}
}
