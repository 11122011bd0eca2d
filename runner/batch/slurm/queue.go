package slurm

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"mercer/runner/batch"
)

// Live lists what squeue knows of a plan's arrays and reports: what waits or runs, and
// what ended within Slurm's memory (MinJobAge). A task that was requeued has one entry,
// its latest.
func (Engine) Live(ctx context.Context, plan string) ([]batch.Task, error) {
	text, err := command(ctx, "squeue", "--noheader", "--array", "--states=all", "--name="+plan+","+reportName(plan), "--format=%F|%K|%T|%N|%r|%Z")
	if err != nil {
		return nil, err
	}
	return parseQueue(text)
}

// parseQueue reads what squeue prints, and orders it by when it was submitted; the
// directory is last, for it may hold bars.
func parseQueue(text string) ([]batch.Task, error) {
	var tasks []batch.Task
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if strings.TrimSpace(line) == "" {
			continue
		}
		f := strings.SplitN(line, "|", 6)
		if len(f) != 6 {
			return nil, fmt.Errorf("squeue prints %q, which has not the six fields asked for", line)
		}
		id, state, reason := f[0], f[2], f[4]
		if reason == "None" {
			reason = ""
		}
		t := batch.Task{Dir: filepath.Dir(f[5]), Shard: -1, ID: id, State: state, Reason: reason, Waiting: state == "PENDING", Live: isLive(state), Node: f[3]}
		if number, err := strconv.Atoi(f[1]); err == nil {
			t.Shard, t.ID = number, id+"_"+f[1]
		}
		if isHeld(state, reason) {
			t.Note = "held: scontrol release " + t.ID
		}
		tasks = append(tasks, t)
	}
	slices.SortStableFunc(tasks, func(a, b batch.Task) int { // of one shard: by the number of the job
		return cmp.Or(len(a.ID)-len(b.ID), cmp.Compare(a.ID, b.ID))
	})
	return tasks, nil
}

// isLive says that a task in a state waits or runs: it may still bring results, and
// need not be submitted again.
func isLive(state string) bool {
	switch state {
	case "PENDING", "RUNNING", "COMPLETING", "CONFIGURING", "SUSPENDED", "STOPPED", "SIGNALING", "STAGE_OUT", "RESIZING",
		"REQUEUED", "REQUEUE_FED", "REQUEUE_HOLD", "SPECIAL_EXIT", "RESV_DEL_HOLD":
		return true
	}
	return false
}

// isHeld says that a task waits until somebody releases it.
func isHeld(state, reason string) bool {
	return isLive(state) && (strings.Contains(strings.ToLower(reason), "held") || state == "REQUEUE_HOLD" || state == "SPECIAL_EXIT")
}
