package slurm

import (
	"cmp"
	"fmt"
	"time"

	"mercer/internal/plain"
	"mercer/runner/batch"
)

// mostWarning is the longest time before the limit for which Slurm takes a warning.
const mostWarning = 65535 * time.Second

// warningOption asks Slurm for the warning.
func warningOption(before time.Duration) string {
	return fmt.Sprintf("--signal=B:%s@%.0f", warningName, min(before, mostWarning).Seconds())
}

// arrayScript is the script of the shards.
func arrayScript(o batch.Order) script {
	options := []string{
		"--requeue", "--open-mode=append", "--output=" + batch.LogFolder + "/shard-%A_%a.log",
		"--nodes=1", "--ntasks=1", fmt.Sprintf("--cpus-per-task=%d", o.Resources.CPUs), "--mem=" + cmp.Or(o.Settings.Mem, formatMemory(o.Resources.Memory)),
		"--time=" + cmp.Or(o.Settings.Time, formatTime(o.Resources.Time)),
		warningOption(o.Resources.Warning),
	}
	if o.Resources.Exclusive {
		options = append(options, "--exclusive")
	}
	return script{
		Comment: fmt.Sprintf("%d records of %s in %d shards.\nWritten by mercer submit; to submit what is missing:\n  mercer submit %s",
			o.Frozen.Records, o.Dir, len(o.Frozen.Shards), plain.Quote(o.Dir)),
		Options: options, Ignore: warningName, Setup: o.Settings.Setup, Env: batch.Exported(),
		Command: []string{o.Path(batch.Binary), "shard", "--plan", o.Path(batch.FrozenFile), "--index", raw(`"$SLURM_ARRAY_TASK_ID"`)},
	}
}

// mergeScript is the script of the job that comes after all shards.
func mergeScript(o batch.Order) script {
	megabytes := 1024 + o.Frozen.Records/500 // about a kilobyte for each record, twice
	options := []string{
		"--requeue", "--open-mode=append", "--output=" + batch.LogFolder + "/report-%j.log",
		"--nodes=1", "--ntasks=1", fmt.Sprintf("--mem=%dM", megabytes), "--time=" + formatTime(time.Hour),
	}
	return script{
		Comment: "Gathers the shards of " + o.Dir + ", judges and reports.\nWritten by mercer submit.",
		Options: options, Setup: o.Settings.Setup, Env: batch.Exported(),
		Command: []string{o.Path(batch.Binary), "merge", o.Dir},
	}
}
