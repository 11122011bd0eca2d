package threads

import (
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// TestForStaysWithinProcessors: however deep and wide calls nest, at most
// GOMAXPROCS run at once, all are made once, and nothing stays reserved.
func TestForStaysWithinProcessors(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	var running, most, calls atomic.Int64
	leaf := func(int) {
		now := running.Add(1)
		for old := most.Load(); now > old && !most.CompareAndSwap(old, now); old = most.Load() {
		}
		runtime.Gosched()
		calls.Add(1)
		running.Add(-1)
	}
	// The first call waits for another beside it, which on a busy machine may come late.
	For(10, func(i int) {
		if i == 0 {
			running.Add(1)
			for end := time.Now().Add(time.Minute); most.Load() < 2 && time.Now().Before(end); {
				runtime.Gosched()
			}
			running.Add(-1)
		}
		For(20, leaf)
	})
	if calls.Load() != 200 || most.Load() > 4 || most.Load() < 2 {
		t.Errorf("alone: %d calls of 200, %d at once of 2 to 4", calls.Load(), most.Load())
	}
	most.Store(0)
	calls.Store(0)
	var group sync.WaitGroup
	leave := []func(){RegisterWorker(), RegisterWorker(), RegisterWorker()}
	for i := range leave {
		group.Go(func() {
			defer leave[i]()
			For(10, func(int) { For(20, leaf) })
		})
	}
	group.Wait()
	if calls.Load() != 600 || most.Load() > 4 {
		t.Errorf("three entered: %d calls of 600, %d at once of at most 4", calls.Load(), most.Load())
	}
	if entered.Load() != 0 || started.Load() != 0 {
		t.Errorf("%d entered and %d started are left", entered.Load(), started.Load())
	}
}

func TestForPanics(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(3))
	for _, bad := range []int{0, 7, 19} {
		func() {
			defer func() {
				if v, _ := recover().(string); !strings.Contains(v, "bad") {
					t.Errorf("recovered %v, want the panic of call %d", v, bad)
				}
			}()
			For(20, func(i int) {
				if i == bad {
					panic("bad")
				}
			})
		}()
	}
	if started.Load() != 0 {
		t.Errorf("%d started are left", started.Load())
	}
}

// A panic on any of the goroutines, the caller's among them, is the caller's, once
// all others are done.
func TestTogetherPanics(t *testing.T) {
	for bad := range 4 {
		var done atomic.Int64
		func() {
			defer func() {
				if v := recover(); v != bad || done.Load() != 3 {
					t.Errorf("recovered %v after %d others were done, want %d after 3", v, done.Load(), bad)
				}
			}()
			Together(3, func(worker int) {
				if worker == bad {
					panic(bad)
				}
				runtime.Gosched()
				done.Add(1)
			})
			t.Errorf("the panic of %d is lost", bad)
		}()
	}
}

// BenchmarkTogether is what it costs to begin and end work on other goroutines.
func BenchmarkTogether(b *testing.B) {
	for b.Loop() {
		Together(1, func(int) {})
	}
}
