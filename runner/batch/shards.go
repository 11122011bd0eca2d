package batch

import (
	"fmt"

	"mercer/results"
)

// ShardStatus is what is there of a shard.
type ShardStatus struct {
	Shard  int    `json:"shard"`
	Due    int    `json:"due"`              // records
	Final  int    `json:"final"`            // of these, ok or skipped
	Failed int    `json:"failed"`           // not ok, in their last attempt
	Reason string `json:"reason,omitempty"` // of the last failure
	Slurm  string `json:"slurm,omitempty"`  // its state; "unknown" where Slurm knows no job of it, or does not answer; "" without Slurm
	Job    string `json:"job,omitempty"`
	Node   string `json:"node,omitempty"`

	Explained string `json:"-"` // what Slurm says, in words
}

// Complete says that nothing of the shard is left to do.
func (s ShardStatus) Complete() bool { return s.Final == s.Due }

// sources are the directories of the run's shards.
func (r *Run) sources() []results.Source {
	var sources []results.Source
	for i := range r.Frozen.Shards {
		sources = append(sources, results.Source{Name: fmt.Sprintf("shard %d", i), Dir: shardDir(r.Dir, i)})
	}
	return sources
}

// stored says what of each shard's records is there, in the run's directory or in
// those of its shards, by the keys of the run's manifest.
func (r *Run) stored() ([]ShardStatus, error) {
	if len(r.Keys) != r.Frozen.Records {
		return nil, fmt.Errorf("the manifest of %s lists %d records and its frozen plan %d: submit the run again", r.Dir, len(r.Keys), r.Frozen.Records)
	}
	dirs := []string{r.Dir}
	for _, source := range r.sources() {
		dirs = append(dirs, source.Dir)
	}
	tally, err := results.Survey(dirs...)
	if err != nil {
		return nil, err
	}
	shards := make([]ShardStatus, len(r.Frozen.Shards))
	for i, s := range r.Frozen.Shards {
		shards[i] = ShardStatus{Shard: i, Due: s.To - s.From}
		for _, key := range r.Keys[s.From:s.To] {
			if tally.Final[key] {
				shards[i].Final++
			} else if failed, ok := tally.Failed[key]; ok {
				shards[i].Failed++
				shards[i].Reason = fmt.Sprintf("%s: %s", failed.Status, failed.Reason)
			}
		}
	}
	return shards, nil
}

// missing are the shards that are neither complete nor live.
func (q queue) missing(stored []ShardStatus) []int {
	var shards []int
	for _, s := range stored {
		if !s.Complete() && !q.shards[s.Shard].Live {
			shards = append(shards, s.Shard)
		}
	}
	return shards
}
