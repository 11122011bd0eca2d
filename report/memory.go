package report

import (
	"os"
	"path/filepath"

	"mercer/results"
)

// MemoryLimit is how many bytes of memory a report of the run in dir should do
// with, for runtime/debug.SetMemoryLimit before the run is loaded: garbage is
// collected rather than that more is taken. A million records fit in the least
// limit; that of more grows with their file, for what cannot be collected would
// keep the collector busy.
func MemoryLimit(dir string) int64 {
	const least, share = 700e6, 1.5 // of a file of 350 bytes a record, memory takes some 400
	info, err := os.Stat(filepath.Join(dir, results.RecordsFile))
	if err != nil { // said when it is read
		return least
	}
	return max(least, int64(share*float64(info.Size())))
}
