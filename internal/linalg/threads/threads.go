// Package threads shares the processors among the goroutines that compute: those
// that Enter announced, and those that For and Reserve account for. Together they
// stay within GOMAXPROCS, which Go's scheduler alone cannot see to: a thread inside
// a library's call holds a processor that it takes for free. Only what was started
// before another entered runs on to its end.
package threads

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// entered were announced, started are reserved.
var entered, started atomic.Int64

// Enter announces a goroutine that will compute side by side with others, and
// returns what takes that back. While as many have entered as GOMAXPROCS allows,
// each works on one thread. One that is alone need not enter.
func Enter() (leave func()) {
	entered.Add(1)
	return func() { entered.Add(-1) }
}

// For calls f(0) … f(count−1) on the caller's goroutine and as many others
// as GOMAXPROCS leaves room for, and returns when all are done. The calls must
// not depend on each other. A panic in one of them is raised again in the
// caller.
func For(count int, f func(i int)) {
	others := Reserve(count - 1)
	if others == 0 {
		for i := range count {
			f(i)
		}
		return
	}
	var next atomic.Int64
	var once sync.Once
	var failure any
	work := func() {
		defer func() {
			if v := recover(); v != nil {
				once.Do(func() { failure = v })
			}
		}()
		for i := next.Add(1) - 1; i < int64(count); i = next.Add(1) - 1 {
			f(int(i))
		}
	}
	var wait sync.WaitGroup
	for range others {
		wait.Go(func() {
			defer Release(1)
			work()
		})
	}
	work()
	wait.Wait()
	if failure != nil {
		panic(failure)
	}
}

// Reserve returns for how many goroutines there is room beside the caller's, at most
// most, and keeps it until Release.
func Reserve(most int) int {
	for most > 0 {
		now := started.Load()
		free := min(int64(most), int64(runtime.GOMAXPROCS(0))-max(1, entered.Load())-now)
		if free <= 0 {
			break
		}
		if started.CompareAndSwap(now, now+free) {
			return int(free)
		}
	}
	return 0
}

// Release gives back the room of so many goroutines.
func Release(count int) { started.Add(-int64(count)) }
