package batch

import (
	"cmp"
	"context"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"mercer/internal/misuse"
)

// Engine is a way to have shards computed.
type Engine interface {
	// Available is what the engine offers a run in a folder with these settings. A
	// [misuse.Error] refuses the settings. Any other error says why jobs cannot be
	// submitted from this machine, and what to do; the offer is then the usual one. Where
	// the engine's commands are missing the error wraps [ErrAbsent].
	Available(ctx context.Context, s Settings, dir string) (Offer, error)
	// Submit queues the shards of an order, and after them the job that merges and
	// reports. It calls accepted for each job as soon as it is queued.
	Submit(ctx context.Context, o Order, accepted func(Job) error) error
	// Live lists what the engine knows of a plan's tasks: those that wait or run, and
	// those that ended a short time ago, oldest first.
	Live(ctx context.Context, plan string) ([]Task, error)
}

// Offer is what an engine offers a run.
type Offer struct {
	Queue  string        // name of what [Engine.Live] asks; "" where files alone say what is done
	Shards int           // that a run may have, at most
	Memory int64         // bytes that the settings give a shard, 0 where they give none
	Time   time.Duration // limit that the settings give a shard, 0 where they give none
}

// Engines are the known engines by the names that users give.
type Engines map[string]Engine

// choose is the engine that settings name; Slurm if none.
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
