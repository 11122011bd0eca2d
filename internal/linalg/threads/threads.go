// Package threads shares the processors among the goroutines that compute: those
// that RegisterWorker announced, and those that For and Reserve account for. Together they
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

// RegisterWorker announces a goroutine that will compute side by side with others, and
// returns what takes that back. While as many have entered as GOMAXPROCS allows,
// each works on one thread. One that is alone need not enter.
func RegisterWorker() (leave func()) {
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
	Together(others, func(worker int) {
		if worker > 0 {
			defer Release(1)
		}
		for i := next.Add(1) - 1; i < int64(count); i = next.Add(1) - 1 {
			f(int(i))
		}
	})
}

// Together calls work(0) on the caller's goroutine and work(1) … work(others) each on
// another, for which the caller has reserved room, and returns when all are done. A
// panic in one of them is raised again in the caller.
func Together(others int, work func(worker int)) {
	if others < 1 {
		work(0)
		return
	}
	var group gathering
	for i := range others {
		group.wait.Go(func() { group.guard(work, i+1) })
	}
	group.guard(work, 0)
	group.wait.Wait()
	if group.panicked {
		panic(group.value)
	}
}

// gathering is what goroutines that work together share: one allocation.
type gathering struct {
	wait     sync.WaitGroup
	once     sync.Once
	panicked bool
	value    any // of the first panic
}

func (g *gathering) guard(work func(int), worker int) {
	defer func() {
		if v := recover(); v != nil {
			g.once.Do(func() { g.panicked, g.value = true, v })
		}
	}()
	work(worker)
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
