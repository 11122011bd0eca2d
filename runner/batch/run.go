package batch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"mercer/internal/misuse"
	"mercer/internal/regular"
	"mercer/results"
	"mercer/runner/plan"
)

// Run is a run whose shards an engine computes.
type Run struct {
	Layout
	Keys   []string // of its records, in the order of the shards
	Engine Engine
	Done   bool // of a run in rounds: nothing needs more repeats

	jobs jobs
}

// jobs is what jobs.json keeps.
type jobs struct {
	Settings  Settings `json:"settings"`  // as given to the last submit
	Submitted []Job    `json:"submitted"` // all jobs, for the reader
}

// Submitted says whether the run in dir was submitted.
func Submitted(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, Folder, FrozenFile))
	return err == nil
}

// Open reads the run in dir as the last submit left it.
func Open(dir string, engines Engines) (*Run, error) {
	dir, err := realDir(dir)
	if err != nil {
		return nil, err
	}
	r := &Run{Layout: Layout{Dir: dir}}
	if r.Frozen, err = plan.ReadFrozen(r.Path(FrozenFile)); errors.Is(err, os.ErrNotExist) {
		return nil, misuse.Errorf("%s was not submitted: it has no %s; see mercer submit --help", dir, filepath.Join(Folder, FrozenFile))
	} else if err != nil {
		return nil, err
	}
	manifest, err := results.ReadManifest(dir)
	if err != nil {
		return nil, err
	}
	r.Keys, r.Experiment = manifest.Keys, manifest.Experiment
	if err := r.readJobs(); err != nil {
		return nil, err
	}
	r.Engine, err = engines.choose(r.jobs.Settings)
	return r, err
}

// readJobs reads jobs.json, if there is one.
func (r *Run) readJobs() error {
	text, err := regular.ReadFile(r.Path(JobsFile))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, &r.jobs); err != nil {
		return fmt.Errorf("%s is broken: %w; delete it: queued jobs are found by their names", r.Path(JobsFile), err)
	}
	return nil
}

func (r *Run) writeJobs() error {
	text, err := json.MarshalIndent(r.jobs, "", " ")
	if err != nil {
		return err
	}
	return results.WriteAtomic(r.Path(JobsFile), append(text, '\n'))
}

// lockPatience is how long another submit or merge of the run is waited for.
const lockPatience = time.Minute

// whenFree calls do until it does not fail with [results.ErrLocked], for
// lockPatience at most.
func whenFree(ctx context.Context, do func() error) error {
	for end := time.Now().Add(lockPatience); ; {
		err := do()
		if !errors.Is(err, results.ErrLocked) || time.Now().After(end) {
			return err
		}
		if err := pause(ctx, 200*time.Millisecond); err != nil {
			return err
		}
	}
}

// locked does something to a run while nobody else submits or merges it; a dry run
// changes nothing and waits for nobody.
func (r *Run) locked(ctx context.Context, dryRun bool, do func() error) error {
	if dryRun {
		return do()
	}
	if err := os.MkdirAll(r.Dir, 0o777); err != nil {
		return err
	}
	var err error
	if r.Dir, err = realDir(r.Dir); err != nil {
		return err
	}
	var store *results.Store
	err = whenFree(ctx, func() (err error) {
		store, err = results.Open(r.Dir)
		return err
	})
	if err != nil {
		return err
	}
	return errors.Join(do(), store.Close())
}

// pause waits for d, or until ctx ends, and then returns its cause.
func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(d):
		return nil
	}
}

func timestamp() string { return time.Now().UTC().Format(time.RFC3339) }
