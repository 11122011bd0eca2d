package runner

import (
	"math"
	"runtime"
	"runtime/debug"
	"strings"
	"unsafe"

	"mercer/internal/process"
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
	// 4 MiB, and freed memory stays mapped: mapping it again costs 10 % of a small fit.
	// Each of the groups side by side, up to mostBallasts, brings its own.
	ballast      = 128 << 20
	mostBallasts = 8
	// ballastPart is made at once, and is what of it memory holds for a moment.
	ballastPart = 8 << 20
)

// tuneGC has the collector keep garbage low while groups run side by side that may take
// so many bytes together, with ballasts for so many of them, and returns what undoes
// that. Timed fits keep Go's own pace, by which times have been measured.
func tuneGC(memory int64, ballasts int, timed bool) (undo func()) {
	var untouched [][]byte
	heap, limit := max(memory, leastHeap), debug.SetMemoryLimit(-1)
	most := limit
	percent := debug.SetGCPercent(-1) // no collection while the ballast grows
	if !timed {
		for range min(ballasts, mostBallasts) * (ballast / ballastPart) {
			part := unwritten(ballastPart)
			process.Discard(part) // it may lie in memory that was used before
			untouched = append(untouched, part)
			heap += min(ballastPart, math.MaxInt64-heap)
			most += min(ballastPart, math.MaxInt64-most) // $GOMEMLIMIT is about memory, of which it takes none
		}
	}
	debug.SetMemoryLimit(min(heap, most))
	if timed {
		debug.SetGCPercent(percent)
		return func() { debug.SetMemoryLimit(limit) }
	}
	pace := garbagePercent
	if percent >= 0 {
		pace = min(pace, percent) // $GOGC asks for less
	}
	debug.SetGCPercent(pace)
	return func() {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
		runtime.KeepAlive(untouched)
		untouched = nil
		runtime.GC() // else the ballast counts as live until garbage has doubled it
	}
}

// unwritten is so many bytes, which are not made zero as make does: that takes a tenth of a
// second for what the groups of a short run bring.
func unwritten(size int) []byte {
	var b strings.Builder
	b.Grow(size)
	b.WriteByte(0) // of an empty text there is no address
	return unsafe.Slice(unsafe.StringData(b.String()), size)
}
