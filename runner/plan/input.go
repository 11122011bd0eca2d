package plan

import "time"

// Input is all that a plan is made of, so that another process, here or on
// another machine, can make the same one. What it leaves out are the data
// themselves and the environment in which they are looked for ($MERCER_DATA, the
// cache directory).
type Input struct {
	File    string   `json:"file"` // what errors call the spec
	Spec    string   `json:"spec"` // its YAML text
	Dir     string   `json:"dir"`  // that relative paths in it start from
	Profile string   `json:"profile"`
	Set     []string `json:"set,omitempty"` // assignments that change it under the profile, see source.Under
	Filter  string   `json:"filter,omitempty"`
	// UntilDecided adds repeats until the verdicts are decided, up to MaxRepeats, or as
	// the spec has it where that is 0.
	UntilDecided bool   `json:"until_decided,omitempty"`
	MaxRepeats   int    `json:"max_repeats,omitempty"`
	Due          []Due  `json:"due,omitempty"`      // repeats that are due now, where these are not all
	Optional     bool   `json:"optional,omitempty"` // absent data sets are skipped
	Stream       bool   `json:"stream,omitempty"`   // every fit streams that can
	Timing       Timing `json:"timing"`
	Memory       int64  `json:"memory,omitempty"` // bytes that reading a data file may take; 0: files.DefaultMemory
}

// Due are the repeats of each cell that are due of a data set with a kernel: the first ones.
type Due struct {
	Dataset string `json:"dataset"`
	Kernel  string `json:"kernel"`
	Repeats []int  `json:"repeats"` // by Cell.Number
}

// Timing is how timed cells are run; it enters their keys.
type Timing struct {
	Threads int // 0 means 1
	Warmup  int // fits before the one that counts
}

// Shard is a part of a plan that one process computes: the records From to To,
// To excluded, in the order of Plan.Keys.
type Shard struct {
	From    int     `json:"from"`
	To      int     `json:"to"`
	Seconds float64 `json:"seconds"` // estimated, on one processor of nominal speed
	Longest float64 `json:"longest"` // of them, of the longest fit
	Bytes   int64   `json:"bytes"`   // estimated memory of its largest group
	Digest  string  `json:"digest"`  // of its records, as Plan.Digest; Freeze sets it
}

// Same says that two shards of a plan are of the same records.
func (s Shard) Same(other Shard) bool { return s.From == other.From && s.To == other.To }

// Origin says what a plan was made from, so that another process can make it again.
type Origin struct {
	Input   Input
	Shard   *Shard        // the part that was made, nil for all
	Digest  string        // of the records that were made, see Plan.Digest
	Elapsed time.Duration // that making the plan took
}
