package slurm

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"mercer/runner/batch"
)

// ownArguments are those of sbatch that mercer sets itself, or that would send its
// jobs to another cluster.
var ownArguments = []string{"--array", "-a", "--job-name", "-J", "--comment", "--chdir", "-D", "--wrap", "--parsable", "--wait", "-W", "--test-only", "--no-requeue", "--clusters", "-M"}

// isOwn says that sbatch reads a word as one of ownArguments: it takes beginnings of
// long options, and values right after short ones.
func isOwn(arg string) bool {
	name, _, _ := strings.Cut(arg, "=")
	return slices.ContainsFunc(ownArguments, func(own string) bool {
		return strings.HasPrefix(own, name) || len(own) == 2 && strings.HasPrefix(arg, own)
	})
}

// check refuses settings that Slurm would not take, and reads the memory (bytes) and the
// time limit that they give a shard; 0 where they give none.
func check(s batch.Settings) (memory int64, limit time.Duration, err error) {
	for name, v := range map[string]int{"max-parallel": s.MaxParallel, "cpus": s.CPUs} {
		if v < 0 {
			return 0, 0, fmt.Errorf("--%s %d: must not be negative", name, v)
		}
	}
	if s.Image != "" || len(s.Volumes) > 0 {
		return 0, 0, errors.New("--kubernetes and --volume: only with --engine script")
	}
	if s.Time != "" {
		if limit, err = parseTime(s.Time); err != nil {
			return 0, 0, fmt.Errorf("--time: %w", err)
		}
	}
	if s.Mem != "" {
		if memory, err = parseMemory(s.Mem); err != nil {
			return 0, 0, fmt.Errorf("--mem: %w", err)
		}
	}
	for name, text := range map[string]string{"partition": s.Partition, "mem": s.Mem, "time": s.Time} {
		if strings.ContainsAny(text, " \t\n'\"") {
			return 0, 0, fmt.Errorf("--%s %q: must have no blanks or quotes", name, text)
		}
	}
	for _, arg := range s.Args {
		if len(arg) < 2 || arg[0] != '-' || isOwn(arg) {
			return 0, 0, fmt.Errorf("--sbatch-arg %q: must be an option such as --account=math, and none of %s", arg, strings.Join(ownArguments, " "))
		}
	}
	return memory, limit, nil
}
