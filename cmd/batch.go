package cmd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"mercer/results"
	"mercer/runner"
	"mercer/runner/batch/slurm"
)

// Files of a run on Slurm, below its directory slurm.
const (
	batchFolder  = "slurm"
	frozenFile   = "plan.json"
	jobsFile     = "jobs.json"
	arrayScript  = "array.sh"
	reportScript = "report.sh"
	logFolder    = "logs"
	binaryFile   = "mercer"
)

// batch is a run that Slurm computes in shards.
type batch struct {
	dir    string // of the run, absolute
	frozen runner.Frozen
	keys   []string // of its records, in the order of the shards
	jobs   jobs
}

// jobs is what jobs.json keeps: it explains, and decides nothing. What is queued
// is Slurm's to say, what is done the records'.
type jobs struct {
	Name        string   `json:"name"`         // of the arrays, which carries the plan's digest
	MaxParallel int      `json:"max_parallel"` // shards that run at once, 0 for no limit
	Args        []string `json:"args"`         // further ones of sbatch
	Submitted   []job    `json:"submitted"`
}

type job struct {
	ID     string `json:"id"`
	Offset int    `json:"offset"`
	Shards []int  `json:"shards,omitempty"` // none for the report
	At     string `json:"at"`               // RFC 3339
}

func (b *batch) path(name string) string { return filepath.Join(b.dir, batchFolder, name) }

// jobName is that of a plan's arrays: two submits of one plan find one another.
func jobName(experiment, digest string) string {
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_.", r) {
			return r
		}
		return '_'
	}, experiment)
	return "mercer-" + name + "-" + digest[:12]
}

func (b *batch) reportName() string { return b.jobs.Name + "-report" }

// realDir is the one name of a directory, by which its jobs are known.
func realDir(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		return real, nil
	}
	return dir, nil // not there yet
}

// openBatch reads the run in dir as submit left it.
func openBatch(dir string) (*batch, error) {
	dir, err := realDir(dir)
	if err != nil {
		return nil, err
	}
	b := &batch{dir: dir}
	if b.frozen, err = runner.ReadFrozen(b.path(frozenFile)); errors.Is(err, os.ErrNotExist) {
		return nil, usage(fmt.Errorf("%s was not submitted to Slurm: it has no %s; see mercer submit --help", dir, filepath.Join(batchFolder, frozenFile)))
	} else if err != nil {
		return nil, err
	}
	manifest, err := results.ReadManifest(dir)
	if err != nil {
		return nil, err
	}
	b.keys = manifest.Keys
	b.jobs, err = b.readJobs(manifest.Experiment)
	return b, err
}

// readJobs reads jobs.json; without it only the explanations are lost.
func (b *batch) readJobs(experiment string) (jobs, error) {
	fresh := jobs{Name: jobName(experiment, b.frozen.Digest)}
	text, err := os.ReadFile(b.path(jobsFile))
	if errors.Is(err, os.ErrNotExist) {
		return fresh, nil
	}
	if err != nil {
		return fresh, err
	}
	var j jobs
	if err := json.Unmarshal(text, &j); err != nil {
		return fresh, fmt.Errorf("%s is broken: %w; delete it: jobs that are queued are found by their names", b.path(jobsFile), err)
	}
	j.Name = fresh.Name
	return j, nil
}

func (b *batch) writeJobs() error {
	text, err := json.MarshalIndent(b.jobs, "", " ")
	if err != nil {
		return err
	}
	return results.WriteAtomic(b.path(jobsFile), append(text, '\n'))
}

// queue is what Slurm knows of a run.
type queue struct {
	shards    map[int]slurm.Task // of each shard, a live task if there is one, else the last
	reports   []slurm.Task
	elsewhere map[string]bool // other run directories of the same plan with live tasks
}

// queue asks Slurm for the tasks of the run.
func (b *batch) queue(ctx context.Context) (queue, error) {
	q := queue{shards: map[int]slurm.Task{}, elsewhere: map[string]bool{}}
	tasks, err := slurm.Queue(ctx, b.jobs.Name, b.reportName())
	if err != nil {
		return q, fmt.Errorf("what is queued cannot be told: %w; try again when the controller answers", err)
	}
	slices.SortStableFunc(tasks, func(x, y slurm.Task) int { return slurm.CompareIDs(x, y) })
	for _, t := range tasks {
		if t.Dir != filepath.Join(b.dir, batchFolder) {
			if t.Live() {
				q.elsewhere[filepath.Dir(t.Dir)] = true
			}
			continue
		}
		if t.Number < 0 {
			q.reports = append(q.reports, t)
			continue
		}
		shard := t.Offset + t.Number
		if last, ok := q.shards[shard]; !ok || !last.Live() || t.Live() {
			q.shards[shard] = t
		}
	}
	return q, nil
}

// live are the shards that wait or run.
func (q queue) live() []int {
	var live []int
	for shard, t := range q.shards {
		if t.Live() {
			live = append(live, shard)
		}
	}
	slices.Sort(live)
	return live
}

// busy says that a job of the run waits or runs.
func (q queue) busy() bool {
	return len(q.live()) > 0 || slices.ContainsFunc(q.reports, slurm.Task.Live)
}

// missing are the shards that are neither complete nor live.
func missing(states []runner.ShardState, q queue) []int {
	var shards []int
	for _, s := range states {
		if !s.Complete() && !q.shards[s.Index].Live() {
			shards = append(shards, s.Index)
		}
	}
	return shards
}

// send submits arrays of shards, and the report that waits for them, and keeps
// the jobs' ids; or it only prints the commands. Further arguments of sbatch go to
// both, limits to the shards alone.
func (b *batch) send(ctx context.Context, w io.Writer, shards []int, args, limits []string, dryRun bool) error {
	args = append(slices.Clone(b.jobs.Args), args...)
	array := slurm.Array{
		Name: b.jobs.Name, Dir: filepath.Join(b.dir, batchFolder), Script: b.path(arrayScript),
		Tasks: shards, MaxParallel: b.jobs.MaxParallel, Args: append(slices.Clone(args), limits...),
	}
	size, err := slurm.MaxArraySize(ctx)
	if err != nil && dryRun {
		size = slurm.DefaultMaxArraySize
		fmt.Fprintf(w, "# Slurm does not answer; arrays are cut as by default, MaxArraySize=%d\n", size)
	} else if err != nil {
		return err
	}
	dependency := "afterany"
	for _, s := range array.Submissions(size) {
		if dryRun {
			fmt.Fprintln(w, slurm.Line(append([]string{"sbatch", "--parsable"}, s.Args...)))
			dependency += ":<id>"
			continue
		}
		id, err := slurm.Submit(ctx, s.Args)
		if err != nil {
			return fmt.Errorf("%w\n%s\nwhat was submitted goes on; to submit the rest: mercer resume %s", err,
				"a limit on jobs (MaxSubmitJobs, MaxJobCount) is met by fewer and longer --shards", quoteWord(b.dir))
		}
		dependency += ":" + id
		b.jobs.Submitted = append(b.jobs.Submitted, job{ID: id, Offset: s.Offset, Shards: s.Tasks, At: timestamp()})
		if err := b.writeJobs(); err != nil {
			return err
		}
		fmt.Fprintf(w, "submitted job %s: %s\n", id, shardsText(s.Tasks))
	}
	report := append(args, "--job-name="+b.reportName(), "--chdir="+array.Dir, "--dependency="+dependency, b.path(reportScript))
	if dryRun {
		fmt.Fprintln(w, slurm.Line(append([]string{"sbatch", "--parsable"}, report...)))
		return nil
	}
	id, err := slurm.Submit(ctx, report)
	if err != nil {
		return fmt.Errorf("%w\nthe shards are submitted; when they are done: mercer merge %s", err, quoteWord(b.dir))
	}
	b.jobs.Submitted = append(b.jobs.Submitted, job{ID: id, At: timestamp()})
	fmt.Fprintf(w, "submitted job %s: merge and report, when all of these have ended\n", id)
	return b.writeJobs()
}

func timestamp() string { return time.Now().UTC().Format(time.RFC3339) }

// shardsText names shards in few words.
func shardsText(shards []int) string {
	if len(shards) == 1 {
		return fmt.Sprintf("shard %d", shards[0])
	}
	return fmt.Sprintf("%d shards, %s", len(shards), slurm.Ranges(shards, 0))
}

// explain says what Slurm knows of a shard.
func (q queue) explain(shard int) string {
	t, ok := q.shards[shard]
	if !ok {
		return "unknown to Slurm"
	}
	text := "job " + t.ID() + " " + t.State
	if t.Reason != "" {
		text += " (" + t.Reason + ")"
	}
	if t.Node != "" {
		text += " on " + t.Node
	}
	if t.Held() {
		text += ", held: scontrol release " + t.ID()
	}
	return text
}

// openWaiting opens the store of a run, which keeps others from submitting or
// merging it meanwhile; it waits for one that is at it.
func openWaiting(ctx context.Context, dir string, patience time.Duration) (*results.Store, error) {
	for end := time.Now().Add(patience); ; {
		store, err := results.Open(dir)
		if !errors.Is(err, results.ErrLocked) || time.Now().After(end) {
			return store, err
		}
		if err := pause(ctx, 200*time.Millisecond); err != nil {
			return nil, err
		}
	}
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(d):
		return nil
	}
}
