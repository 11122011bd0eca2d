package runner

import (
	"context"
	"time"

	"mercer/configs"
	"mercer/runner/plan"
)

// Options steer a run; they change no result.
type Options struct {
	Dir     string // the run directory
	Workers int    // groups computed side by side, and the limit of processors
	Memory  int64  // bytes that they may take together; 0 for no limit
	configs.CellLimits
	Worker   []string // the command line of a process that calls Serve
	Fresh    bool     // forget the records of earlier starts
	Progress func(Progress)
	// Extend is called when the plan is carried out, and returns it with more cells, or
	// nil if the run is to end. It may read the run directory. Nil ends the run.
	Extend func() (*plan.Plan, error)

	cellMemory int64 // CellMemory in bytes; 0 for no limit of its own

	watch func(admission) admission // for tests: stands before the memory that groups wait for
	ready time.Duration             // for tests: that a worker may take to get ready, 0 for the default
}

// Isolate says which cells run in processes of their own, so that one that goes past
// its limits can be killed, and its processor time and memory are known. Results are
// the same, bit for bit, whichever is chosen.
const (
	// IsolateAuto isolates cells that are timed, all cells where one has a memory
	// limit of its own, the larger ones where cells have a time limit, and those that
	// may outgrow the memory of the run.
	IsolateAuto    = "auto"
	IsolateProcess = "process" // all cells
	IsolateNone    = "none"
)

// Summary says how a run ended.
type Summary struct {
	Dir                     string
	Total, Resumed, Written int
	Failed                  int // records that are neither ok nor skipped
	Interrupted             bool
	Warnings                []string
}

// admission is where groups wait for memory.
type admission interface {
	Acquire(ctx context.Context, bytes int64) error
	TryAcquire(bytes int64) bool
	Release(bytes int64)
}
