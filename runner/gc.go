package runner

import (
	"math"
	"runtime"
	"runtime/debug"
	"strings"
)

const (
	// leastHeap is the smallest limit that is set to the heap, in bytes.
	leastHeap = 1 << 30
	// garbagePercent is by how much dead objects may add to live ones before the
	// collector frees them, in percent: marking large matrices costs nothing, and
	// Go's own 100 would have every large fit take twice what it holds.
	garbagePercent = 25
	// ballast counts as live and is never touched, so that it takes no memory. With it
	// the collector runs when garbage reaches ballast·garbagePercent, in place of Go's
	// 4 MiB.
	ballast = 128 << 20
)

// tuneGC has the collector keep the heap of a run below so many bytes, and its garbage low,
// and returns what undoes that. Timed fits keep Go's own pace.
func tuneGC(memory int64, timed bool) (undo func()) {
	limit := debug.SetMemoryLimit(-1)
	debug.SetMemoryLimit(min(limit, max(memory, leastHeap)))
	if timed {
		return func() { debug.SetMemoryLimit(limit) }
	}
	var untouched strings.Builder // which, unlike make, does not set what it allocates to zero
	untouched.Grow(ballast)
	debug.SetMemoryLimit(min(limit, max(min(memory, math.MaxInt64-ballast), leastHeap)+ballast))
	percent := debug.SetGCPercent(garbagePercent)
	return func() {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
		runtime.KeepAlive(&untouched)
	}
}
