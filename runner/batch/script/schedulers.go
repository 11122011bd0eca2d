package script

import (
	"fmt"
	"strings"
	"time"

	"mercer/internal/plain"
	"mercer/runner/batch"
)

// File is the job script, in the folder of a run's batch.
const File = "job.sh"

// Variable tells an array task its number.
type Variable struct {
	Name string
	Base int // at which the scheduler's arrays begin, unless MERCER_TASK_BASE says otherwise
}

// Variables are looked at in this order. Slurm, PBS and HyperQueue take any first number:
// [Engine.Submit] prints commands that begin at 0. Grid Engine and LSF take none below 1.
var Variables = []Variable{
	{"SLURM_ARRAY_TASK_ID", 0},
	{"PBS_ARRAY_INDEX", 0},
	{"SGE_TASK_ID", 1},
	{"LSB_JOBINDEX", 1},
	{"HQ_TASK_ID", 0},
	{"JOB_COMPLETION_INDEX", 0},
}

// text is the script.
func text(o batch.Order) string {
	var b strings.Builder
	fmt.Fprintf(&b, `#!/bin/sh
# One of %d shards, %d records in all. Written by mercer submit.
#   %s 7     computes shard 7, counted from 0
# Without an argument, the shard is the number of the array task less MERCER_TASK_BASE,
# which is by default the number after the variable's name below.
# %s.
`, len(o.Frozen.Shards), o.Frozen.Records, File, needs(o.Resources))
	for _, variable := range batch.Exported() {
		name, value, _ := strings.Cut(variable, "=")
		fmt.Fprintf(&b, "export %s=%s\n", name, plain.Quote(value))
	}
	fmt.Fprint(&b, "shard=${1:-}\n[ -n \"$shard\" ] || for variable in")
	for _, v := range Variables {
		fmt.Fprintf(&b, " %s:%d", v.Name, v.Base)
	}
	fmt.Fprint(&b, `
do
	eval "task=\${${variable%:*}:-}"
	case $task in '' | *[!0-9]*) continue ;; esac # Grid Engine says undefined outside of an array
	shard=$((task - ${MERCER_TASK_BASE:-${variable#*:}}))
	break
done
if [ -z "$shard" ]; then
	echo "which shard? This is no array task that is known: give the number of the shard, from 0, as an argument" >&2
	exit 2
fi
`)
	if setup := strings.TrimSpace(o.Settings.Setup); setup != "" {
		fmt.Fprintln(&b, setup)
	}
	fmt.Fprintf(&b, "exec %s shard --engine script --plan %s --index \"$shard\"\n", plain.Quote(o.Path(batch.Binary)), plain.Quote(o.Path(batch.FrozenFile)))
	return b.String()
}

// needs says what a task must get from its scheduler.
func needs(r batch.Resources) string {
	if r.CPUs == 0 {
		return "The first submit printed what each task needs"
	}
	text := fmt.Sprintf("Each task needs %s and %d MiB, and ends within %s", plain.Count(r.CPUs, "processor"), r.Memory>>20, r.Time.Round(time.Minute))
	if r.Exclusive {
		text += "; times are measured, so give it a machine of its own"
	}
	return text
}
