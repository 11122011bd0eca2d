package batch

import (
	"cmp"
	"context"
	"errors"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"mercer/internal/misuse"
)

// Engine is a way to have shards computed.
type Engine interface {
	// Queue is the name of what [Engine.Live] asks; "" where nobody can be asked, so that
	// files alone say what is done.
	Queue() string
	// Available says why jobs cannot be submitted from this machine. Where the
	// engine's commands are missing the error wraps [ErrAbsent].
	Available() error
	// Check refuses settings that the engine would not take for a run in a folder, and
	// reads the memory (bytes) and the time limit that they give a shard; 0 where they
	// give none.
	Check(s Settings, dir string) (memory int64, limit time.Duration, err error)
	// MostShards is how many shards a run may have. Where the engine does not answer,
	// it returns its usual limit and why.
	MostShards(ctx context.Context) (int, error)
	// Submit queues the shards of an order, and after them the job that merges and
	// reports. It calls accepted for each job as soon as it is queued.
	Submit(ctx context.Context, o Order, accepted func(Job) error) error
	// Live lists what the engine knows of a plan's tasks: those that wait or run, and
	// those that ended a short time ago, oldest first.
	Live(ctx context.Context, plan string) ([]Task, error)
	// Here is what the engine says of the job that this process belongs to.
	Here() Place
}

// Place is the job that a process belongs to; the zero value outside of any.
type Place struct {
	CPUs      int       // 0 where the engine does not say
	Memory    int64     // bytes, 0 where the engine does not say
	Node      string    // its name
	Restarted bool      // by the engine itself: the job was not submitted anew
	Warning   os.Signal // that the engine sends before the time limit
	Task      string    // the engine's name for a job that can be put back into the queue
	Requeue   func(ctx context.Context) error
}

// Engines are the known engines by the names that users give.
type Engines map[string]Engine

// of is the engine that settings name; Slurm if none.
func (e Engines) choose(s Settings) (Engine, error) {
	engine, ok := e[cmp.Or(s.Engine, "slurm")]
	if !ok {
		return nil, misuse.Errorf("--engine %q: known are %s; on one machine: mercer run", s.Engine, strings.Join(slices.Sorted(maps.Keys(e)), " and "))
	}
	return engine, nil
}

// ErrAbsent is wrapped by the error of [Engine.Available] where the engine's
// commands are missing.
var ErrAbsent = errors.New("no scheduler here")

// Order is what an engine is to queue.
type Order struct {
	Layout
	Shards    []int
	Settings  Settings
	Resources Resources // of a shard; where the scripts stay, only what Override sets
	Override  Settings  // given for these shards alone, over the scripts that are there
	Keep      bool      // the scripts that are there are in use, and stay
	DryRun    bool      // print scripts and commands to Out; write and queue nothing
	Out       io.Writer // what is queued
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
