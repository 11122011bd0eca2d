package batch

import (
	"context"
	"errors"
	"io"
	"slices"
)

// Engine is a scheduler that computes shards.
type Engine interface {
	// Available says why jobs cannot be submitted from this machine. Where the
	// engine's commands are missing the error wraps [ErrAbsent].
	Available() error
	// Submit queues the shards of an order, and after them the job that merges and
	// reports. It calls accepted for each job as soon as it is queued.
	Submit(ctx context.Context, o Order, accepted func(Job) error) error
	// Live lists what the engine knows of a plan's tasks: those that wait or run, and
	// those that ended a short time ago, oldest first.
	Live(ctx context.Context, plan string) ([]Task, error)
}

// ErrAbsent is wrapped by the error of [Engine.Available] where the engine's
// commands are missing.
var ErrAbsent = errors.New("no scheduler here")

// Misuse is an error of the caller: a flag or an argument that cannot be meant.
type Misuse struct{ Err error }

func (m Misuse) Error() string { return m.Err.Error() }

// Unwrap returns the error that Misuse marks.
func (m Misuse) Unwrap() error { return m.Err }

// Stopped is the error of what was stopped before its end; nil where all is said.
type Stopped struct{ Err error }

func (s Stopped) Error() string {
	if s.Err == nil {
		return ""
	}
	return s.Err.Error()
}

// Order is what an engine is to queue.
type Order struct {
	Run       *Run
	Shards    []int
	Settings  Settings
	Resources Resources // of a shard, where the scripts are written anew
	Override  Settings  // given for these shards alone, over the scripts that are there
	Keep      bool      // the scripts that are there are in use, and stay
	DryRun    bool      // print scripts and commands to Out; write and queue nothing
	Out       io.Writer // what is queued
}

// Settings are what each shard gets, as the engine reads it. Zero values are the
// defaults.
type Settings struct {
	CPUs        int      `json:"cpus,omitempty"`         // processors of a shard
	Mem         string   `json:"mem,omitempty"`          // memory of a shard
	Time        string   `json:"time,omitempty"`         // time limit of a shard
	Partition   string   `json:"partition,omitempty"`    // of the cluster
	Setup       string   `json:"setup,omitempty"`        // shell lines that each job begins with
	MaxParallel int      `json:"max_parallel,omitempty"` // shards that run at once, 0 for no limit
	Args        []string `json:"args,omitempty"`         // further arguments of the engine's command
}

// over returns s with what o gives in its place.
func (o Settings) over(s Settings) Settings {
	if o.CPUs > 0 {
		s.CPUs = o.CPUs
	}
	if o.Mem != "" {
		s.Mem = o.Mem
	}
	if o.Time != "" {
		s.Time = o.Time
	}
	if o.Partition != "" {
		s.Partition = o.Partition
	}
	if o.Setup != "" {
		s.Setup = o.Setup
	}
	if o.MaxParallel > 0 {
		s.MaxParallel = o.MaxParallel
	}
	if len(o.Args) > 0 {
		s.Args = slices.Clone(o.Args)
	}
	return s
}

// Job is a job that an engine has queued.
type Job struct {
	ID     string `json:"id"`
	Shards []int  `json:"shards,omitempty"` // none for the report
	At     string `json:"at"`               // RFC 3339
}

// Task is what an engine knows of one shard, or of the report.
type Task struct {
	Dir     string // run folder that it belongs to
	Shard   int    // -1 for the report
	ID      string
	State   string // in the engine's words
	Reason  string // why it waits or ended, in the engine's words
	Waiting bool   // queued, not running
	Live    bool   // waits or runs: it may still bring records
	Node    string
	Note    string // what to do about it
}
