package vector

import (
	"sync/atomic"
	"testing"
)

// A panic in a task is the caller's, whichever worker has the task.
func TestParallelPanics(t *testing.T) {
	for bad := range 40 {
		var others atomic.Int64
		func() {
			defer func() {
				if v := recover(); v != bad || others.Load() != 39 {
					t.Errorf("recovered %v after %d other tasks, want %d after 39", v, others.Load(), bad)
				}
			}()
			each(nil, 4, 40, func(index int, _ *scratch) {
				if index == bad {
					panic(bad)
				}
				others.Add(1)
			})
		}()
	}
}
