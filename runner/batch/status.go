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
	Due    int    `json:"due"`
	Final  int    `json:"final"`
	Failed int    `json:"failed"`
	Reason string `json:"reason,omitempty"`
	Slurm  string `json:"slurm"` // its state; "unknown" where Slurm knows no job of it, or does not answer
	Job    string `json:"job,omitempty"`
	Node   string `json:"node,omitempty"`

	Explained string `json:"-"` // what Slurm says, in words
}

// Complete says that nothing of the shard is left to do.
func (s ShardStatus) Complete() bool { return s.Final == s.Due }

// Status counts the records by the files, and asks the engine for the rest. It
// changes nothing.
func (r *Run) Status(ctx context.Context, notes io.Writer) (Status, error) {
	states, err := r.states()
	if err != nil {
		return Status{}, err
	}
	q, _ := r.ask(ctx, notes)
	s := Status{Records: r.Frozen.Records, Queue: q.count()}
	for _, state := range states {
		one := ShardStatus{
			Shard: state.Index, Due: state.Due, Final: state.Final, Failed: state.Failed, Reason: state.Reason,
			Slurm: "unknown", Explained: q.explain(state.Index),
		}
		if t, ok := q.shards[state.Index]; ok {
			one.Slurm, one.Job, one.Node = t.State, t.ID, t.Node
		}
		s.Final += one.Final
		if one.Complete() {
			s.Complete++
		}
		s.Shards = append(s.Shards, one)
	}
	return s, nil
}
