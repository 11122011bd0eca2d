package batch

import (
	"fmt"
	"path/filepath"

	"mercer/results"
)

// ShardDir is where a shard of the run in dir keeps its records.
func ShardDir(dir string, index int) string {
	return filepath.Join(dir, Folder, "shards", fmt.Sprintf("%04d", index))
}

// sources are the directories of the run's shards.
func (r *Run) sources() []results.Source {
	var sources []results.Source
	for i := range r.Frozen.Shards {
		sources = append(sources, results.Source{Name: fmt.Sprintf("shard %d", i), Dir: ShardDir(r.Dir, i)})
	}
	return sources
}

// shardState says what of a shard is there.
type shardState struct {
	Index  int
	Due    int // records
	Final  int // of these, ok or skipped
	Failed int // not ok, in their last attempt
	Reason string
}

// Complete says that nothing is left to do.
func (s shardState) Complete() bool { return s.Final == s.Due }

// states say what of each shard is there, in the run's directory or in those of its
// shards, by the keys of the run's manifest.
func (r *Run) states() ([]shardState, error) {
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
	states := make([]shardState, len(r.Frozen.Shards))
	for i, s := range r.Frozen.Shards {
		states[i] = shardState{Index: i, Due: s.To - s.From}
		for _, key := range r.Keys[s.From:s.To] {
			if tally.Final[key] {
				states[i].Final++
			} else if failed, ok := tally.Failed[key]; ok {
				states[i].Failed++
				states[i].Reason = fmt.Sprintf("%s: %s", failed.Status, failed.Reason)
			}
		}
	}
	return states, nil
}
