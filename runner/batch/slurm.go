package batch

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"mercer/results"
	"mercer/runner/batch/slurm"
)

// Slurm is the engine that hands shards to Slurm as job arrays.
type Slurm struct{}

// Available says whether Slurm's commands are here, and of one cluster.
func (Slurm) Available() error {
	if err := slurm.Available(); errors.Is(err, slurm.ErrAbsent) {
		return fmt.Errorf("%w: %w", ErrAbsent, err)
	} else {
		return err
	}
}

// Live lists what squeue knows of a plan's arrays and reports.
func (Slurm) Live(ctx context.Context, plan string) ([]Task, error) {
	known, err := slurm.Queue(ctx, plan, reportName(plan))
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(known, slurm.CompareIDs)
	tasks := make([]Task, len(known))
	for i, t := range known {
		task := Task{
			Dir: filepath.Dir(t.Dir), Shard: t.Offset + t.Number, ID: t.ID(), State: t.State, Reason: t.Reason,
			Waiting: t.State == "PENDING", Live: t.Live(), Node: t.Node,
		}
		if t.Number < 0 {
			task.Shard = -1
		}
		if t.Held() {
			task.Note = "held: scontrol release " + t.ID()
		}
		tasks[i] = task
	}
	return tasks, nil
}

func reportName(plan string) string { return plan + "-report" }

// Submit writes the scripts and gives them to sbatch: one array for each part that
// the cluster's MaxArraySize allows, and a report after them.
func (e Slurm) Submit(ctx context.Context, o Order, accepted func(Job) error) error {
	scripts := map[string]string{}
	if !o.Keep {
		scripts[ArrayScript] = arrayScript(o).Text()
		scripts[reportScript] = mergeScript(o).Text()
	}
	for _, name := range []string{ArrayScript, reportScript} {
		text, fresh := scripts[name]
		switch {
		case !fresh:
		case o.DryRun:
			fmt.Fprintf(o.Out, "# %s\n%s\n", o.Path(name), text)
		default:
			if err := results.WriteAtomic(o.Path(name), []byte(text)); err != nil {
				return err
			}
		}
	}
	if o.DryRun && o.Keep {
		fmt.Fprintf(o.Out, "# by the scripts in %s\n", o.Path(""))
	}
	return e.send(ctx, o, accepted)
}

// send submits the arrays, and the report that waits for them; a dry run prints the
// commands.
func (Slurm) send(ctx context.Context, o Order, accepted func(Job) error) error {
	given := o.Override.over(o.Settings)
	args := slices.Clone(given.Args)
	var limits []string
	if o.Override.Partition != "" {
		args = append(args, "--partition="+o.Override.Partition)
	}
	if o.Override.Mem != "" {
		limits = append(limits, "--mem="+o.Override.Mem)
	}
	if o.Override.Time != "" {
		_, warning := timeLimit(o.Override.Time, o.Frozen.Shards)
		limits = append(limits, "--time="+o.Override.Time, warningOption(warning))
	}
	array := slurm.Array{
		Name: o.Name(), Dir: o.Path(""), Script: o.Path(ArrayScript),
		Tasks: o.Shards, MaxParallel: given.MaxParallel, Args: slices.Concat(args, limits),
	}
	size, err := slurm.MaxArraySize(ctx)
	if err != nil && o.DryRun {
		size = slurm.DefaultMaxArraySize
		fmt.Fprintf(o.Out, "# Slurm does not answer; arrays are cut for its default, MaxArraySize=%d\n", size)
	} else if err != nil {
		return err
	}
	submit := func(args []string, shards []int) (string, error) {
		if o.DryRun {
			fmt.Fprintln(o.Out, slurm.Line(append([]string{"sbatch", "--parsable"}, args...)))
			return "<id>", nil
		}
		id, err := slurm.Submit(ctx, args)
		if err != nil {
			return "", err
		}
		what := "merge and report, when all of these have ended"
		if shards != nil {
			what = shardsText(shards)
		}
		fmt.Fprintf(o.Out, "submitted job %s: %s\n", id, what)
		return id, accepted(Job{ID: id, Shards: shards})
	}
	dependency := "afterany"
	for _, s := range array.Submissions(size) {
		id, err := submit(s.Args, s.Tasks)
		if err != nil {
			return fmt.Errorf("%w\na limit on jobs (MaxSubmitJobs, MaxJobCount) is met by fewer and longer shards: --shards", err)
		}
		dependency += ":" + id
	}
	_, err = submit(append(args, "--job-name="+reportName(o.Name()), "--chdir="+array.Dir, "--dependency="+dependency, o.Path(reportScript)), nil)
	return err
}

// warningOption asks Slurm for the warning.
func warningOption(warning time.Duration) string {
	return fmt.Sprintf("--signal=B:%s@%.0f", slurm.WarningName, warning.Seconds())
}

// arrayScript is the script of the shards.
func arrayScript(o Order) slurm.Script {
	options := []string{
		"--requeue", "--open-mode=append", "--output=" + LogFolder + "/shard-%A_%a.log",
		"--nodes=1", "--ntasks=1", fmt.Sprintf("--cpus-per-task=%d", o.Resources.CPUs), "--mem=" + o.Resources.Mem, "--time=" + o.Resources.Time,
		warningOption(o.Resources.Warning),
	}
	if o.Resources.Exclusive {
		options = append(options, "--exclusive")
	}
	return slurm.Script{
		Comment: fmt.Sprintf("%d records of %s in %d shards; the first argument is added to the task's number.\nWritten by mercer submit; to submit what is missing:\n  mercer submit %s",
			o.Frozen.Records, o.Dir, len(o.Frozen.Shards), slurm.Quote(o.Dir)),
		Options: partitioned(options, o.Settings), Ignore: slurm.WarningName, Setup: o.Settings.Setup, Env: environment(),
		Command: []string{
			o.Path(Binary), "shard", "--plan", o.Path(FrozenFile), "--offset", slurm.Raw(`"${1:-0}"`), "--index", slurm.Raw(`"$SLURM_ARRAY_TASK_ID"`),
		},
	}
}

// mergeScript is the script of the job that comes after all shards.
func mergeScript(o Order) slurm.Script {
	megabytes := 1024 + o.Frozen.Records/500 // about a kilobyte for each record, twice
	options := []string{
		"--requeue", "--open-mode=append", "--output=" + LogFolder + "/report-%j.log",
		"--nodes=1", "--ntasks=1", fmt.Sprintf("--mem=%dM", megabytes), "--time=" + slurm.Time(time.Hour),
	}
	return slurm.Script{
		Comment: "Gathers the shards of " + o.Dir + ", judges and reports.\nWritten by mercer submit.",
		Options: partitioned(options, o.Settings), Setup: o.Settings.Setup, Env: environment(),
		Command: []string{o.Path(Binary), "merge", o.Dir},
	}
}

func partitioned(options []string, s Settings) []string {
	if s.Partition != "" {
		options = append(options, "--partition="+s.Partition)
	}
	return options
}

// environment is the part of this process's environment that says where data and
// libraries are, with absolute paths.
func environment() []string {
	var env []string
	for _, variable := range os.Environ() {
		name, value, _ := strings.Cut(variable, "=")
		if !strings.HasPrefix(name, "MERCER_") {
			continue
		}
		if name == "MERCER_DATA" || name == "MERCER_CACHE" {
			if path, err := filepath.Abs(value); err == nil && value != "" {
				variable = name + "=" + path
			}
		}
		env = append(env, variable)
	}
	slices.Sort(env)
	return env
}

// ownArguments are those of sbatch that mercer sets itself, or that would send its
// jobs to another cluster.
var ownArguments = []string{"--array", "-a", "--job-name", "-J", "--comment", "--chdir", "-D", "--wrap", "--parsable", "--wait", "-W", "--test-only", "--no-requeue", "--clusters", "-M"}

// withoutValue are the short options of sbatch that take no value, so that further
// ones may follow in the same word.
const withoutValue = "hHIkOQsuvV"

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
		if !strings.ContainsRune(withoutValue, letter) {
			break // its value
		}
	}
	return false
}

// Check refuses settings that Slurm would not take, and an environment that may
// send jobs to another cluster.
func (Slurm) Check(s Settings) error {
	for name, v := range map[string]int{"max-parallel": s.MaxParallel, "cpus": s.CPUs} {
		if v < 0 {
			return fmt.Errorf("--%s %d: must not be negative", name, v)
		}
	}
	if s.Time != "" {
		if _, err := slurm.ParseTime(s.Time); err != nil {
			return fmt.Errorf("--time: %w", err)
		}
	}
	if s.Mem != "" {
		if _, err := slurm.ParseMemory(s.Mem); err != nil {
			return fmt.Errorf("--mem: %w", err)
		}
	}
	for name, text := range map[string]string{"partition": s.Partition, "mem": s.Mem, "time": s.Time} {
		if strings.ContainsAny(text, " \t\n'\"") {
			return fmt.Errorf("--%s %q: must have no blanks or quotes", name, text)
		}
	}
	for _, arg := range s.Args {
		if len(arg) < 2 || arg[0] != '-' || isOwn(arg) {
			return fmt.Errorf("--sbatch-arg %q: must be an option such as --account=math, and none of %s", arg, strings.Join(ownArguments, " "))
		}
	}
	return slurm.OneCluster()
}
