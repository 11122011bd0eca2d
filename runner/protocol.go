package runner

import (
	"time"

	"mercer/results"
	"mercer/runner/plan"
)

// order is what a run asks of a worker.
type order struct {
	Setup *setup // the first order has nothing else

	Group   int      // of the plan's, by number
	Fits    []int    // those of the group that are computed as one of their own, by number; nil for all
	Pass    int      // of the group's, by number
	Cells   []string // keys of those that are pending
	Stop    bool     // end the current pass before its next fit
	Release bool     // forget the current group
}

// setup is what a worker needs once.
type setup struct {
	Input      plan.Input
	Shard      *plan.Shard // of the plan that is made from it, nil for all
	Digest     string      // of what they make
	BLAS       string
	Processors int
	Memory     int64         // bytes that the process should stay below
	Limit      time.Duration // of a cell, 0 for none
}

// message is what a worker says. One that begins comes before the first fit of a
// pass, one that ends after the last.
type message struct {
	Ready, Begin, End bool
	Error             string  // why the worker gives up
	CPU               float64 // seconds that the process has taken so far, where something begins or is finished

	Task   int // number of a finished task among those ordered
	Lines  [][]byte
	Points []pointsMessage
}

type pointsMessage struct {
	Key    string
	Points results.Points
}
