package batch

import (
	"context"
	"io"
)

// Status is what is there of a run.
type Status struct {
	Shards   []ShardStatus
	Complete int    // shards
	Final    int    // records that are ok or skipped
	Records  int    // of the whole run
	Queue    string // how many shards wait, run and have ended; "" where the engine knows none
}

// ShardStatus is what is there of a shard.
type ShardStatus struct {
	Shard  int    `json:"shard"`
	Due    int    `json:"due"`              // records
	Final  int    `json:"final"`            // of these, ok or skipped
	Failed int    `json:"failed"`           // not ok, in their last attempt
	Reason string `json:"reason,omitempty"` // of the last failure
	Slurm  string `json:"slurm"`            // its state; "unknown" where Slurm knows no job of it, or does not answer
	Job    string `json:"job,omitempty"`
	Node   string `json:"node,omitempty"`

	Explained string `json:"-"` // what Slurm says, in words
}

// Complete says that nothing of the shard is left to do.
func (s ShardStatus) Complete() bool { return s.Final == s.Due }

// Status counts the records by the files, and asks the engine for the rest. It
// changes nothing.
func (r *Run) Status(ctx context.Context, notes io.Writer) (Status, error) {
	shards, err := r.stored()
	if err != nil {
		return Status{}, err
	}
	q := r.ask(ctx, notes)
	s := Status{Shards: shards, Records: r.Frozen.Records, Queue: q.count()}
	for i := range shards {
		one := &shards[i]
		one.Slurm, one.Explained = "unknown", q.explain(i)
		if t, ok := q.shards[i]; ok {
			one.Slurm, one.Job, one.Node = t.State, t.ID, t.Node
		}
		s.Final += one.Final
		if one.Complete() {
			s.Complete++
		}
	}
	return s, nil
}
