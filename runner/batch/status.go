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

// Status counts the records by the files, and asks the engine for the rest. It
// changes nothing.
func (r *Run) Status(ctx context.Context, notes io.Writer) (Status, error) {
	shards, err := r.stored()
	if err != nil {
		return Status{}, err
	}
	q, name := r.ask(ctx, notes)
	s := Status{Shards: shards, Records: r.Frozen.Records, Queue: q.count()}
	for i := range shards {
		one := &shards[i]
		if name != "" {
			one.Slurm, one.Explained = "unknown", q.explain(i, name)
		}
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
