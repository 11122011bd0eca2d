package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/spf13/cobra"

	"mercer/configs"
	"mercer/internal/linalg"
	"mercer/results"
	"mercer/runner"
	"mercer/runner/batch/slurm"
)

type submitFlags struct {
	runFlags
	engine      string
	shards      int
	maxParallel int
	cpus        int
	mem         string
	time        string
	partition   string
	setup       string
	sbatch      []string
	dryRun      bool
	wait        bool
}

func newSubmit() *cobra.Command {
	var f submitFlags
	c := &cobra.Command{
		Use:   "submit SPEC",
		Short: "Run an experiment on a cluster: shards as a Slurm job array, then the report",
		Long: `Run an experiment on a Slurm cluster. The plan is frozen and cut into shards, parts
of about equal time; a job array computes them, each into a file of its own, and a
job after it merges them, judges the claims and writes the report. The command
returns as soon as all is queued; nothing depends on it, or on the terminal, any more.

Below RUN/slurm/ lie the frozen plan, a copy of this mercer (what you build
meanwhile changes no queued job), the scripts, to be read and kept, the logs and
the shards. The results are those of mercer run, bit for bit, on machines of one kind.

What is there already is not computed again, and what is queued is not submitted
again: give the command as often as you like. Shards that are killed, requeued or
run into their time limit go on where they stood. RUN must lie on a file system
that all nodes share, and so must the data (MERCER_DATA, MERCER_CACHE).

Without flags: a shard is about 10 minutes of one processor; memory is that of
the plan's largest group, half more, and 1 GiB; the time limit four times the
longest shard and half an hour. Where time is measured a shard has its node to
itself (--exclusive). See docs/slurm.md.

Exit codes: 0 submitted, or nothing to submit; 1 Slurm refused; 2 the command line
or the spec is wrong; with --wait those of mercer run.`,
		Example: `  mercer submit my.yaml --dry-run
  mercer submit my.yaml --shards 200 --max-parallel 50 --partition short --time 4:00:00
  mercer submit my.yaml --setup 'module load openblas' --sbatch-arg=--account=math --sbatch-arg=--constraint=icelake
  mercer submit my.yaml --wait && mercer export my > errors.csv`,
		Args:              arguments(cobra.ExactArgs(1)),
		ValidArgsFunction: completeSpecs,
		RunE:              func(c *cobra.Command, args []string) error { return f.submit(c, args[0]) },
	}
	f.add(c)
	flags := c.Flags()
	flags.StringVar(&f.engine, "engine", "slurm", "what runs the shards: slurm")
	flags.IntVar(&f.shards, "shards", 0, "parts to cut the plan into, at most (default: one for 10 minutes)")
	flags.IntVar(&f.maxParallel, "max-parallel", 0, "shards that run at once, at most (default: as many as the cluster lets)")
	flags.IntVar(&f.cpus, "cpus", 0, "processors of a shard (default: 1, or what a timed fit may use)")
	flags.StringVar(&f.mem, "mem", "", "memory of a shard, as sbatch reads it, such as 8G")
	flags.StringVar(&f.time, "time", "", "time limit of a shard, as sbatch reads it, such as 4:00:00 or 2-0")
	flags.StringVar(&f.partition, "partition", "", "partition of the cluster (default: its own)")
	flags.StringVar(&f.setup, "setup", "", "shell lines that each job begins with, such as 'module load openblas'")
	flags.StringArrayVar(&f.sbatch, "sbatch-arg", nil, "further argument of sbatch, such as --account=math; may be given again")
	flags.BoolVar(&f.dryRun, "dry-run", false, "print the scripts and commands; write and submit nothing")
	flags.BoolVar(&f.wait, "wait", false, "wait to the end, then judge and report; stopping to wait stops no job")
	flags.IntVar(&f.threads, "threads", 0, "processors that a timed fit may use, where time or memory is measured; 0 takes the profile's")
	f.cells.add(c)
	flags.StringVarP(&f.out, "out", "o", "", "run directory (default: <results>/<experiment>/<profile>)")
	flags.StringVar(&f.root, "results", resultsRoot, "directory that holds all runs")
	flags.BoolVar(&f.strict, "strict", false, "with --wait, exit with 5 if a claim is inconclusive")
	flags.BoolVar(&f.optional, "skip-missing-data", false, "skip data sets that cannot be had, as if the spec called them optional")
	if err := c.RegisterFlagCompletionFunc("engine", cobra.FixedCompletions([]string{"slurm"}, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err)
	}
	return c
}

// ownArguments are those of sbatch that mercer needs for itself, or, as another
// cluster's, would lose sight of its jobs by.
var ownArguments = []string{"--array", "-a", "--job-name", "-J", "--comment", "--chdir", "-D", "--wrap", "--parsable", "--wait", "-W", "--test-only", "--no-requeue", "--clusters", "-M"}

// alone are the short options of sbatch that take no value, so that further ones
// may follow in the same word.
const alone = "hHIkOQsuvV"

// isOwn says that sbatch may read a word as one of ownArguments: it takes beginnings
// of long options, and values and further options right after short ones.
func isOwn(arg string) bool {
	if strings.HasPrefix(arg, "--") {
		name, _, _ := strings.Cut(arg, "=")
		return slices.ContainsFunc(ownArguments, func(own string) bool { return strings.HasPrefix(own, name) })
	}
	for _, letter := range strings.TrimPrefix(arg, "-") {
		if slices.Contains(ownArguments, "-"+string(letter)) {
			return true
		}
		if !strings.ContainsRune(alone, letter) {
			break // its value
		}
	}
	return false
}

// check refuses what cannot be meant, before anything is done.
func (f *submitFlags) check() error {
	if f.engine != "slurm" {
		return fmt.Errorf("--engine %q: %s", f.engine, "only slurm is known; on one machine: mercer run")
	}
	for name, v := range map[string]int{"shards": f.shards, "max-parallel": f.maxParallel, "cpus": f.cpus, "threads": f.threads} {
		if v < 0 {
			return fmt.Errorf("--%s %d: must not be negative", name, v)
		}
	}
	if f.time != "" {
		if _, err := slurm.ParseTime(f.time); err != nil {
			return fmt.Errorf("--time: %w", err)
		}
	}
	if f.mem != "" {
		if _, err := slurm.ParseMemory(f.mem); err != nil {
			return fmt.Errorf("--mem: %w", err)
		}
	}
	for name, text := range map[string]string{"partition": f.partition, "mem": f.mem, "time": f.time} {
		if strings.ContainsAny(text, " \t\n'\"") {
			return fmt.Errorf("--%s %q: must have no blanks or quotes", name, text)
		}
	}
	for _, arg := range f.sbatch {
		if len(arg) < 2 || arg[0] != '-' || isOwn(arg) {
			return fmt.Errorf("--sbatch-arg %q: %s", arg, "must be an option such as --account=math, and none of "+strings.Join(ownArguments, " "))
		}
	}
	return nil
}

func (f *submitFlags) submit(c *cobra.Command, name string) error {
	if err := errors.Join(f.check(), slurm.OneCluster()); err != nil {
		return usage(err)
	}
	profile, err := configs.LoadProfile(f.profile)
	if err != nil {
		return usage(err)
	}
	if err := f.cells.over(&profile); err != nil {
		return usage(err)
	}
	if f.threads > 0 {
		profile.Threads = f.threads
	}
	if !f.dryRun {
		if err := slurm.Available(); err != nil {
			return err
		}
	}
	if _, err := linalg.Use(); err != nil {
		return usage(err)
	}
	s, err := readSpec(name)
	if err != nil {
		return err
	}
	if s.dir, err = filepath.Abs(s.dir); err != nil {
		return err
	}
	recipe := f.recipe(s, runner.Timing{Threads: profile.Threads, Warmup: profile.Warmup})
	plan, err := recipe.Prepare(c.Context(), c.ErrOrStderr())
	if err != nil {
		return err
	}
	for _, note := range plan.Notes {
		fmt.Fprintln(c.ErrOrStderr(), "note:", note)
	}
	if f.out == "" {
		f.out = runner.DefaultDir(f.root, plan.Spec.Name, f.profile)
	}
	b := &batch{keys: plan.Keys()}
	if b.dir, err = realDir(f.out); err != nil {
		return err
	}
	if strings.ContainsFunc(b.dir, unicode.IsControl) {
		return usage(fmt.Errorf("the run directory %q has a control character, such as a line feed, in its name, by which squeue lists its jobs: choose another with --out", b.dir))
	}
	f.out = b.dir // so that the command in the manifest works anywhere
	b.frozen = plan.Freeze(recipe, firstPositive(f.shards, f.defaultShards(plan)))
	if err := f.resources(b, plan, profile); err != nil {
		return usage(err)
	}
	b.frozen.Command = f.command(c, name)
	manifest := plan.Manifest(f.profile, string(s.text), b.frozen.Command, version(), runner.ThisMachine())
	manifest.Dir, manifest.Keys, manifest.Cells, manifest.Started = s.dir, b.keys, len(b.keys), timestamp()
	if f.dryRun {
		return f.place(c, b, plan, manifest)
	}
	err = b.locked(c.Context(), func() error { return f.place(c, b, plan, manifest) })
	if err != nil || !f.wait {
		return err
	}
	return b.finish(c, f.strict || profile.Strict)
}

// locked does something to a run while nobody else submits or merges it.
func (b *batch) locked(ctx context.Context, do func() error) error {
	if err := os.MkdirAll(b.dir, 0o777); err != nil {
		return err
	}
	var err error
	if b.dir, err = realDir(b.dir); err != nil {
		return err
	}
	store, err := openWaiting(ctx, b.dir, time.Minute)
	if err != nil {
		return err
	}
	return errors.Join(do(), store.Close())
}

// shardSeconds is the time that a shard is to take by default: long against its
// start, short against a time limit and what a lost node costs.
const shardSeconds = 600

func (f *submitFlags) defaultShards(plan *runner.Plan) int {
	return int(math.Ceil(plan.Seconds() / shardSeconds / float64(f.workers(plan))))
}

// workers are the groups that a shard computes side by side.
func (f *submitFlags) workers(plan *runner.Plan) int {
	if plan.Timed {
		return 1
	}
	return max(1, f.cpus)
}

const (
	// processMemory is what a process takes beside its groups, in bytes.
	processMemory = 1 << 30
	// memoryMargin is by how much an estimate of memory may be wrong.
	memoryMargin = 1.5
)

// resources says what each shard gets.
func (f *submitFlags) resources(b *batch, plan *runner.Plan, profile configs.RunProfile) error {
	if f.cpus == 0 {
		f.cpus = 1
		if plan.Timed {
			f.cpus = max(1, plan.Timing.Threads)
		}
	}
	var largest int64
	for _, s := range b.frozen.Shards {
		largest = max(largest, s.Bytes)
	}
	workers := f.workers(plan)
	if f.mem == "" {
		need := processMemory + float64(workers)*(memoryMargin*float64(largest)+float64(plan.SharedBytes))
		f.mem = fmt.Sprintf("%.0fM", math.Ceil(need/(1<<20)))
	}
	memory, err := slurm.ParseMemory(f.mem)
	if err != nil {
		return fmt.Errorf("--mem: %w", err)
	}
	if memory > 0 && largest+plan.SharedBytes+processMemory/2 > memory {
		return fmt.Errorf("--mem %s: a group of this plan needs about %.3g GiB, and mercer itself half a GiB; give more, or take smaller n, m or population",
			f.mem, float64(largest+plan.SharedBytes)/(1<<30))
	}
	b.frozen.Workers, b.frozen.Memory = workers, memory
	b.frozen.CellTimeout, b.frozen.CellMemory, b.frozen.Isolate = profile.CellTimeout, profile.CellMemory, runner.Isolate(profile.Isolate)
	return nil
}

// place puts the files of a run into its directory and submits what is missing.
func (f *submitFlags) place(c *cobra.Command, b *batch, plan *runner.Plan, manifest results.Manifest) error {
	var err error
	earlier, err := runner.ReadFrozen(b.path(frozenFile))
	switch {
	case errors.Is(err, os.ErrNotExist):
	case err != nil:
		fmt.Fprintln(c.ErrOrStderr(), "note:", err)
	case earlier.Digest == b.frozen.Digest:
		if f.shards > 0 && !slices.EqualFunc(earlier.Shards, b.frozen.Shards, runner.Shard.Same) {
			return usage(fmt.Errorf("%s is cut into %d shards already: leave --shards out, or choose another directory with --out", b.dir, len(earlier.Shards)))
		}
		b.frozen.Cut(earlier.Shards, b.keys)
	default:
		before := &batch{dir: b.dir, jobs: jobs{Name: jobName(plan.Spec.Name, earlier.Digest)}}
		if q, err := before.queue(c.Context()); err != nil && !f.dryRun {
			return err
		} else if live := q.live(); len(live) > 0 {
			return fmt.Errorf("an earlier plan of %s is still queued (%s): scancel --name=%s, or choose another directory with --out", b.dir, shardsText(live), before.jobs.Name)
		}
	}
	if b.jobs, err = b.readJobs(plan.Spec.Name); err != nil {
		return err
	}
	q, err := b.queue(c.Context())
	if err != nil && !f.dryRun {
		return err
	}
	for _, dir := range slices.Sorted(maps.Keys(q.elsewhere)) {
		fmt.Fprintf(c.ErrOrStderr(), "note: the same plan is queued for %s too\n", dir)
	}
	states, err := b.frozen.States(b.dir, b.keys)
	if err != nil {
		return err
	}
	live, due := q.live(), missing(states, q)
	if len(live) > 0 {
		if earlier.Digest != b.frozen.Digest {
			return fmt.Errorf("%s are queued, and their plan %s cannot be read: scancel --name=%s, then submit again", shardsText(live), b.path(frozenFile), b.jobs.Name)
		}
		if err := f.asQueued(c, b, earlier); err != nil {
			return err
		}
		fmt.Fprintf(c.OutOrStdout(), "already queued: %s of %s\n", shardsText(live), b.dir)
		b.frozen = earlier // with the mercer and the scripts that its jobs use
	}
	if len(due) == 0 {
		if len(live) == 0 {
			fmt.Fprintf(c.OutOrStdout(), "nothing to submit: all %d records are there\n", b.frozen.Records)
		}
		return b.next(c)
	}
	if f.dryRun && len(live) > 0 {
		fmt.Fprintf(c.OutOrStdout(), "# by the scripts in %s\n", b.path(""))
		return b.send(c.Context(), c.OutOrStdout(), due, nil, nil, true)
	}
	if f.dryRun {
		return f.show(c, b, plan, due)
	}
	if len(live) == 0 {
		b.jobs.MaxParallel, b.jobs.Args = f.maxParallel, f.sbatch
		if err := f.write(b, plan, manifest); err != nil {
			return err
		}
	}
	longest := 0.0
	for _, s := range b.frozen.Shards {
		longest = math.Max(longest, s.Seconds)
	}
	fmt.Fprintf(c.OutOrStdout(), "%d records in %d shards, the longest about %s on one processor, %s of memory each\n",
		b.frozen.Records, len(b.frozen.Shards), duration(longest), f.mem)
	if err := b.send(c.Context(), c.OutOrStdout(), due, nil, nil, false); err != nil {
		return err
	}
	return b.next(c)
}

// asQueued refuses flags that say something else than the scripts and the frozen
// plan of tasks that are queued: those stay as they are while a task may use them.
// The memory becomes that of the script.
func (f *submitFlags) asQueued(c *cobra.Command, b *batch, earlier runner.Frozen) error {
	text, err := os.ReadFile(b.path(arrayScript))
	if err != nil {
		return err
	}
	option := func(name string) string {
		for line := range strings.Lines(string(text)) {
			if value, ok := strings.CutPrefix(strings.TrimSpace(line), "#SBATCH --"+name+"="); ok {
				return value
			}
		}
		return ""
	}
	setup := "other lines"
	if s := strings.TrimSpace(f.setup); s != "" && strings.Contains(string(text), "\n"+s+"\nexec ") {
		setup = f.setup
	}
	for _, flag := range []struct {
		name        string
		given, here any
	}{
		{"mem", f.mem, option("mem")}, {"time", f.time, option("time")}, {"partition", f.partition, option("partition")},
		{"cpus", fmt.Sprint(f.cpus), option("cpus-per-task")}, {"setup", f.setup, setup},
		{"cell-timeout", b.frozen.CellTimeout, earlier.CellTimeout}, {"cell-memory", b.frozen.CellMemory, earlier.CellMemory}, {"isolate", b.frozen.Isolate, earlier.Isolate},
		{"max-parallel", f.maxParallel, b.jobs.MaxParallel}, {"sbatch-arg", strings.Join(f.sbatch, " "), strings.Join(b.jobs.Args, " ")},
	} {
		if c.Flags().Changed(flag.name) && flag.given != flag.here {
			return usage(fmt.Errorf("--%s: shards of %s are queued with %q, which a submit cannot change: leave it out; or submit those that are not queued by mercer resume %s --mem ... --time ...; or end them all first by scancel --name=%s",
				flag.name, b.dir, fmt.Sprint(flag.here), quoteWord(b.dir), b.jobs.Name))
		}
	}
	f.mem = option("mem")
	return nil
}

// next says what may be done now.
func (b *batch) next(c *cobra.Command) error {
	dir := quoteWord(b.dir)
	_, err := fmt.Fprintf(c.OutOrStdout(), `next:
  mercer status %s    what is there, and what Slurm says of the rest
  mercer resume %s    should anything stop: submit what is missing
  mercer merge %s     gather what is there, judge and report, at any time
`, dir, dir, dir)
	return err
}

// write writes what the jobs need.
func (f *submitFlags) write(b *batch, plan *runner.Plan, manifest results.Manifest) error {
	if err := os.MkdirAll(b.path(logFolder), 0o777); err != nil {
		return err
	}
	var err error
	if b.frozen.Program, err = copyProgram(b.path(binaryFile)); err != nil {
		return fmt.Errorf("copy of mercer: %w", err)
	}
	if before, err := results.ReadManifest(b.dir); err == nil {
		if slices.Equal(before.Keys, b.keys) {
			manifest = before
		} else {
			manifest.Starts = before.Starts // of records that may be wanted still
		}
	}
	if err := results.WriteManifest(b.dir, manifest); err != nil {
		return err
	}
	if err := b.frozen.Write(b.path(frozenFile)); err != nil {
		return err
	}
	for name, text := range map[string]string{arrayScript: f.arrayText(b, plan).Text(), reportScript: f.reportText(b).Text()} {
		if err := results.WriteAtomic(b.path(name), []byte(text)); err != nil {
			return err
		}
	}
	return b.writeJobs()
}

// copyProgram copies the running binary, unless the copy is the same already.
func copyProgram(path string) (runner.Program, error) {
	p := runner.Program{File: filepath.Base(path), Version: version()}
	own, err := os.Executable()
	if err != nil {
		return p, err
	}
	if p.SHA256, err = runner.FileSHA256(own); err != nil || p.Check(path) == nil {
		return p, err
	}
	from, err := os.Open(own)
	if err != nil {
		return p, err
	}
	defer from.Close()
	to, err := os.CreateTemp(filepath.Dir(path), ".mercer.*")
	if err != nil {
		return p, err
	}
	_, err = io.Copy(to, from)
	if err = errors.Join(err, to.Chmod(0o755), to.Sync(), to.Close()); err == nil {
		err = os.Rename(to.Name(), path)
	}
	if err != nil {
		return p, errors.Join(err, os.Remove(to.Name()))
	}
	return p, p.Check(path)
}

// show prints what submit would write and give to Slurm.
func (f *submitFlags) show(c *cobra.Command, b *batch, plan *runner.Plan, due []int) error {
	w := c.OutOrStdout()
	b.jobs.MaxParallel, b.jobs.Args = f.maxParallel, f.sbatch
	for _, part := range []struct {
		name   string
		script slurm.Script
	}{{arrayScript, f.arrayText(b, plan)}, {reportScript, f.reportText(b)}} {
		fmt.Fprintf(w, "# %s\n%s\n", b.path(part.name), part.script.Text())
	}
	fmt.Fprintf(w, "# %d records in %d shards; to submit: %s\n", b.frozen.Records, len(b.frozen.Shards), shardsText(due))
	return b.send(c.Context(), w, due, nil, nil, true)
}
