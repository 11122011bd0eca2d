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
