package runner

import "time"

// Options steer a run; they change no result.
type Options struct {
	Dir     string // the run directory
	Workers int    // groups computed side by side, and the limit of processors

	CellTimeout time.Duration // longest time of one cell; 0 is no limit
	CellMemory  string        // most memory of a cell, each then in a process of its own; "" is that of all cells
	Isolate     string        // one of Isolations; "" is auto

	Worker   []string // the command line of a process that calls Serve
	Fresh    bool     // forget the rows of earlier starts
	Progress func(Progress)
	// Extend is called when all that is due is computed. It may read the run directory, makes
	// more repeats due, and says whether it did. Nil ends the run.
	Extend func() (more bool, err error)

	cellMemory int64 // CellMemory in bytes; 0 for no limit of its own
}

// Isolate says which groups are computed in processes of their own, so that one that goes
// past its limits can be killed, and its processor time and memory are known. Results are
// the same, bit for bit, whichever is chosen.
const (
	// IsolateAuto isolates groups that are timed, all groups where cells have a memory
	// limit of their own, and the larger ones where cells have a time limit.
	IsolateAuto    = "auto"
	IsolateProcess = "process" // all groups
	IsolateNone    = "none"
)

// Isolations are the values of Isolate.
var Isolations = []string{IsolateAuto, IsolateProcess, IsolateNone}

// Summary says how a run ended.
type Summary struct {
	Dir                     string
	Total, Resumed, Written int
	Failed                  int // rows that are neither ok nor skipped
	Interrupted             bool
	Warnings                []string
}
