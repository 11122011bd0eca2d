package report

import (
	"os"
	"path/filepath"
	"runtime/debug"

	"mercer/results"
)

// LimitMemory holds the memory of a report of the run in dir to a limit, from
// before the run is loaded until undo: garbage is collected rather than that more
// is taken, but below the limit less often than Go does by itself, for the records
// are many and each collection looks at all of them. What the user has set by
// GOMEMLIMIT or GOGC stays.
func LimitMemory(dir string) (undo func()) {
	const percent = 200 // of what is in use may be garbage
	var steps []func()
	if os.Getenv("GOMEMLIMIT") == "" {
		before := debug.SetMemoryLimit(memoryLimit(dir))
		steps = append(steps, func() { debug.SetMemoryLimit(before) })
	}
	if os.Getenv("GOGC") == "" {
		before := debug.SetGCPercent(percent)
		steps = append(steps, func() { debug.SetGCPercent(before) })
	}
	return func() {
		for _, step := range steps {
			step()
		}
	}
}

// memoryLimit is how many bytes a report of the run in dir should do with. A million
// records take half of the least limit; that of more grows with their file, for what
// cannot be collected would keep the collector busy.
func memoryLimit(dir string) int64 {
	const least, share = 850e6, 1.5 // of a file of 350 bytes a record, memory takes some 400
	info, err := os.Stat(filepath.Join(dir, results.RecordsFile))
	if err != nil { // said when it is read
		return least
	}
	return max(least, int64(share*float64(info.Size())))
}
