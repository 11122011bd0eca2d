package lloyd

import (
	"context"
	"runtime"
	"testing"
)

// A panic in a task is the caller's, whichever goroutine has the task.
func TestParallelPanics(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	for range 20 {
		func() {
			defer func() {
				if v := recover(); v != "bad" {
					t.Errorf("recovered %v", v)
				}
			}()
			_ = parallel(context.Background(), 40, 4, func(worker, _ int) {
				runtime.Gosched()
				if worker > 0 {
					panic("bad")
				}
			})
			panic("bad") // no other goroutine had a task
		}()
	}
}
