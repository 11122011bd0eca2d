package cmd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"mercer/configs"
	"mercer/internal/linalg"
	"mercer/results"
	"mercer/runner"
	"mercer/runner/batch"
	"mercer/runner/batch/slurm"
	"mercer/runner/plan"
)

func newShard() *cobra.Command {
	var file string
	var index, offset int
	c := &cobra.Command{
		Use:    "shard",
		Hidden: true, // jobs call it; docs/slurm.md describes it
		Short:  "Compute one shard of a submitted run; the jobs of mercer submit call this",
		Long: `Compute one shard of a run that mercer submit has frozen, into its own directory
RUN/slurm/shards/NNNN. It first checks that this mercer and the data are those of the
plan. It does not compute stored records again. If Slurm has restarted the job, it does
not try cells again that failed in it before. A shard needs no Slurm: any machine that
sees RUN can compute it.

On Slurm the shard uses the processors and memory of its job. When Slurm warns it
before the time limit, it finishes the current fit and requeues itself.

Exit codes: 0 done; 1 a cell failed, or the plan cannot run here; 130 stopped before
the end.`,
		Example: `  RUN/slurm/mercer shard --plan RUN/slurm/plan.json --index 7`,
		Args:    arguments(cobra.NoArgs),
		RunE:    func(c *cobra.Command, _ []string) error { return runShard(c, file, offset+index) },
	}
	c.Flags().StringVar(&file, "plan", "", "frozen plan: RUN/slurm/plan.json")
	c.Flags().IntVar(&index, "index", 0, "number of the shard, from 0")
	c.Flags().IntVar(&offset, "offset", 0, "added to the number")
	for _, name := range []string{"plan", "index"} {
		if err := c.MarkFlagRequired(name); err != nil {
			panic(err)
		}
	}
	return c
}

func runShard(c *cobra.Command, file string, index int) error {
	ctx, warned, stop := warnable(c.Context())
	defer stop()
	frozen, err := plan.ReadFrozen(file)
	if err != nil {
		return usage(err)
	}
	if index < 0 || index >= len(frozen.Shards) {
		return usage(fmt.Errorf("--index %d: the plan has shards 0 to %d", index, len(frozen.Shards)-1))
	}
	own, err := os.Executable()
	if err != nil {
		return err
	}
	if err := frozen.Program.Check(own); err != nil {
		return err
	}
	if _, err := linalg.Use(); err != nil {
		return usage(err)
	}
	p, err := frozen.Plan(ctx, c.ErrOrStderr(), index)
	if err != nil {
		return err
	}
	file, err = filepath.Abs(file)
	if err != nil {
		return err
	}
	dir := filepath.Dir(filepath.Dir(file)) // RUN/slurm/plan.json
	given, err := leaveFailed(p, batch.ShardDir(dir, index))
	if err != nil {
		return err
	}
	r := frozen.Input
	manifest := runner.NewManifest(p, r.Profile, r.Spec, frozen.Command, version(), runner.ThisMachine())
	manifest.File, manifest.Dir = r.File, r.Dir
	progress := newProgress(c.ErrOrStderr(), false)
	progress.note(fmt.Sprintf("shard %d of %d, %d records, on %s", index, len(frozen.Shards), p.Records(), hostname()))
	workers, memory := allotted(frozen)
	cellMemory, err := configs.ParseMemory(frozen.CellMemory, runner.ThisMachine().Memory)
	if err != nil {
		return err
	}
	worker, err := workerCommand()
	if err != nil {
		return err
	}
	options := runner.Options{
		Dir: batch.ShardDir(dir, index), Workers: workers, Memory: memory,
		CellTimeout: frozen.CellTimeout, CellMemory: int64(cellMemory), Isolate: runner.Isolate(frozen.Isolate), Worker: worker, Progress: progress.update,
	}
	summary, err := runWaiting(ctx, progress, p, manifest, options)
	progress.close()
	for _, warning := range summary.Warnings {
		progress.note(warning)
	}
	if err != nil {
		return err
	}
	if left := summary.Total - summary.Resumed - summary.Written; left > 0 {
		return unfinished(c, summary, warned.Load(), dir)
	}
	if failed := summary.Failed + given; failed > 0 {
		return exit{exitFailed, fmt.Errorf("%d of %d records failed; to try them again: mercer submit %s", failed, summary.Total+given, quoteWord(dir))}
	}
	return nil
}

// leaveFailed takes from a task that Slurm has started again, so that it gets on,
// the records that failed in an earlier life of its own, and returns how many.
// A task that was submitted anew tries them again.
func leaveFailed(p *plan.Plan, dir string) (int, error) {
	if restarts, err := strconv.Atoi(os.Getenv("SLURM_RESTART_COUNT")); err != nil || restarts < 1 {
		return 0, nil
	}
	tally, err := results.Survey(dir)
	if err != nil {
		return 0, err
	}
	before := p.Records()
	p.Keep(func(key string) bool { _, failed := tally.Failed[key]; return !failed })
	return before - p.Records(), nil
}

// warnable is a context that Slurm's warning before the time limit ends, too.
func warnable(parent context.Context) (ctx context.Context, warned *atomic.Bool, stop func()) {
	ctx, cancel := context.WithCancel(parent)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, slurm.Warning)
	warned = new(atomic.Bool)
	go func() {
		select {
		case <-signals:
			fmt.Fprintln(os.Stderr, "the time limit is near: stopping as soon as the current work is finished and stored")
			warned.Store(true)
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, warned, func() {
		cancel()
		signal.Stop(signals)
	}
}

// runWaiting runs a shard; where an earlier life of it, on a node that Slurm has
// lost sight of, still holds its directory, it waits for that to end.
func runWaiting(ctx context.Context, shown *progress, p *plan.Plan, manifest results.Manifest, o runner.Options) (runner.Summary, error) {
	told := false
	for {
		summary, err := runner.Run(ctx, p, manifest, o)
		if !errors.Is(err, results.ErrLocked) {
			return summary, err
		}
		if !told {
			shown.note(fmt.Sprintf("%v; waiting for it", err))
			told = true
		}
		if batch.Pause(ctx, time.Second) != nil {
			return summary, err
		}
	}
}

// allotted are the workers and the bytes that a shard's job has, else the plan's.
func allotted(frozen plan.Frozen) (workers int, memory int64) {
	workers, memory = frozen.Workers, frozen.Memory
	cpus, err := strconv.Atoi(os.Getenv("SLURM_CPUS_PER_TASK"))
	if err == nil && cpus > 0 {
		workers = cpus
	}
	if megabytes, err := strconv.ParseInt(os.Getenv("SLURM_MEM_PER_NODE"), 10, 64); err == nil && megabytes > 0 {
		memory = megabytes << 20
	}
	if memory > 0 {
		memory = max(1, memory-batch.ProcessMemory/2)
	}
	return workers, memory
}

// unfinished ends a shard that was stopped. After a warning of the time limit it
// puts its task back into the queue, if this start got anywhere: a record that
// takes longer than the limit would be begun again for ever. One that failed is
// nowhere, for it is not done.
func unfinished(c *cobra.Command, s runner.Summary, warned bool, dir string) error {
	state := fmt.Sprintf("stopped with %d of %d records", s.Resumed+s.Written, s.Total)
	again := "to continue: mercer submit " + quoteWord(dir)
	array, task := os.Getenv("SLURM_ARRAY_JOB_ID"), os.Getenv("SLURM_ARRAY_TASK_ID")
	number, err := strconv.Atoi(task)
	if !warned || array == "" || err != nil {
		return exit{exitInterrupted, fmt.Errorf("%s; %s", state, again)}
	}
	if s.Written == s.Failed {
		return exit{exitFailed, fmt.Errorf("%s, and none was finished within the time limit: give it more by mercer submit %s --time TIME", state, quoteWord(dir))}
	}
	fmt.Fprintf(c.ErrOrStderr(), "%s; requeued as %s_%s\n", state, array, task)
	if err := slurm.Requeue(context.WithoutCancel(c.Context()), array, number); err != nil {
		return exit{exitInterrupted, fmt.Errorf("%w\n%s", err, again)}
	}
	return exit{exitInterrupted, nil}
}

func hostname() string {
	if node := os.Getenv("SLURMD_NODENAME"); node != "" {
		return "node " + node
	}
	name, err := os.Hostname()
	if err != nil {
		return "this machine"
	}
	return name
}
