package cmd

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"mercer/runner"
	"mercer/runner/batch/slurm"
)

const (
	// leastTime is the time limit of the smallest shard.
	leastTime = 30 * time.Minute
	// timeMargin is by how much an estimate of time may be wrong.
	timeMargin = 4
	// leastWarning is how long before the limit a shard is told to come to an end.
	leastWarning = time.Minute
	// mostWarning is the most that Slurm takes.
	mostWarning = 65535 * time.Second
)

// limits are the time limit of a shard and how long before it the shard is warned:
// time enough to finish the longest fit, and half of its time at most.
func (f *submitFlags) limits(shards []runner.Shard) (limit string, warning time.Duration) {
	var seconds, longest float64
	for _, s := range shards {
		seconds, longest = math.Max(seconds, s.Seconds), math.Max(longest, s.Longest)
	}
	length := leastTime + time.Duration(timeMargin*seconds*float64(time.Second))
	limit = f.time
	if limit == "" {
		limit = slurm.Time(length)
	} else if given, err := slurm.ParseTime(limit); err == nil {
		length = given
	}
	warning = max(leastWarning, time.Duration(timeMargin*longest*float64(time.Second)))
	return limit, min(warning, length/2, mostWarning).Truncate(time.Second)
}

// warningOption asks for the warning.
func warningOption(warning time.Duration) string {
	return fmt.Sprintf("--signal=B:%s@%.0f", slurm.WarningName, warning.Seconds())
}

// arrayText is the script of the shards.
func (f *submitFlags) arrayText(b *batch, plan *runner.Plan) slurm.Script {
	limit, warning := f.limits(b.frozen.Shards)
	options := []string{
		"--requeue", "--open-mode=append", "--output=" + logFolder + "/shard-%A_%a.log",
		"--nodes=1", "--ntasks=1", fmt.Sprintf("--cpus-per-task=%d", f.cpus), "--mem=" + f.mem, "--time=" + limit,
		warningOption(warning),
	}
	if plan.Timed {
		options = append(options, "--exclusive")
	}
	return slurm.Script{
		Comment: fmt.Sprintf("%d records of %s in %d shards; the first argument is added to the task's number.\nWritten by mercer submit; what is missing is submitted again by\n  mercer resume %s",
			b.frozen.Records, b.dir, len(b.frozen.Shards), quoteWord(b.dir)),
		Options: f.partitioned(options), Ignore: slurm.WarningName, Setup: f.setup, Env: environment(),
		Command: []string{
			b.path(binaryFile), "shard", "--plan", b.path(frozenFile), "--offset", slurm.Raw(`"${1:-0}"`), "--index", slurm.Raw(`"$SLURM_ARRAY_TASK_ID"`),
		},
	}
}

// reportText is the script of the job that comes after all shards.
func (f *submitFlags) reportText(b *batch) slurm.Script {
	megabytes := 1024 + b.frozen.Records/500 // about a kilobyte for each record, twice
	options := []string{
		"--requeue", "--open-mode=append", "--output=" + logFolder + "/report-%j.log",
		"--nodes=1", "--ntasks=1", fmt.Sprintf("--mem=%dM", megabytes), "--time=" + slurm.Time(time.Hour),
	}
	return slurm.Script{
		Comment: "Gathers the shards of " + b.dir + ", judges and reports.\nWritten by mercer submit.",
		Options: f.partitioned(options), Setup: f.setup, Env: environment(),
		Command: []string{b.path(binaryFile), "merge", b.dir},
	}
}

func (f *submitFlags) partitioned(options []string) []string {
	if f.partition != "" {
		options = append(options, "--partition="+f.partition)
	}
	return options
}

// environment is what of this process's environment says where data and libraries
// are; paths are made absolute.
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
