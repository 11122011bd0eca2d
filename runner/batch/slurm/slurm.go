package slurm

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strconv"
	"strings"
)

// ErrAbsent is wrapped by the error of [Available] where a command is missing.
var ErrAbsent = errors.New("no Slurm here")

// Available says whether Slurm's commands are in the path, and then whether they are
// of one cluster.
func Available() error {
	for _, name := range []string{"sbatch", "squeue", "scontrol"} {
		if _, err := exec.LookPath(name); err != nil {
			return fmt.Errorf("%w: no %s in $PATH; log in to a node of the cluster that submits jobs, or load its module", ErrAbsent, name)
		}
	}
	return OneCluster()
}

// command runs one of Slurm's commands and returns what it printed. An error
// holds what the command said.
func command(ctx context.Context, name string, args ...string) (string, error) {
	return commandIn(ctx, environment(nil), name, args...)
}

func commandIn(ctx context.Context, env []string, name string, args ...string) (string, error) {
	if err := OneCluster(); err != nil {
		return "", err
	}
	c := exec.CommandContext(ctx, name, args...)
	c.Env = env
	var out, complaints bytes.Buffer
	c.Stdout, c.Stderr = &out, &complaints
	if err := c.Run(); err != nil {
		return "", fmt.Errorf("%s: %w: %s", Line(append([]string{name}, args...)), err, strings.TrimSpace(complaints.String()))
	}
	return out.String(), nil
}

// Submit gives a job to sbatch and returns its id. What the script says stands:
// variables of the environment (SBATCH_TIMELIMIT, say) that sbatch would put before it
// are left out. It fails where the job has gone to another cluster, or may have.
func Submit(ctx context.Context, args []string) (string, error) {
	var options []string
	if script := slices.IndexFunc(args, func(arg string) bool { return !strings.HasPrefix(arg, "-") }); script >= 0 {
		var err error
		if options, err = scriptOptions(args[script]); err != nil {
			return "", err
		}
	}
	text, err := commandIn(ctx, environment(options), "sbatch", append([]string{"--parsable"}, args...)...)
	if err != nil {
		return "", err
	}
	id, cluster, other := strings.Cut(strings.TrimSpace(text), ";")
	if _, err := strconv.ParseUint(id, 10, 64); err != nil {
		return "", fmt.Errorf("sbatch answers %q, which is no job id", text)
	}
	if other {
		own, err := configured(ctx, "ClusterName")
		switch {
		case err != nil:
			return "", fmt.Errorf("sbatch has accepted job %s for the cluster %s, and it is not known whether that is this one: %w; it may run: squeue --jobs=%s says whether it is here", id, cluster, err, id)
		case own != cluster:
			return "", fmt.Errorf("sbatch has sent job %s to the cluster %s, where it would be lost sight of: scancel --clusters=%s %s, and submit on a node of that cluster", id, cluster, cluster, id)
		}
	}
	return id, nil
}

// Task is what Slurm knows of one task of an array, or of a job that is none.
type Task struct {
	Array  string // job id of the array, or of the job
	Number int    // in the array; -1 for a job that is none
	Offset int    // from its comment
	State  string // as Slurm calls it, such as PENDING
	Reason string // why it waits or ended; "" for none
	Node   string // where it runs or ran
	Dir    string // that it was started in
}

// ID names a task as scontrol and scancel do: A_t.
func (t Task) ID() string {
	if t.Number < 0 {
		return t.Array
	}
	return t.Array + "_" + strconv.Itoa(t.Number)
}

// CompareIDs orders tasks by when they were submitted: by id, and by number.
func CompareIDs(a, b Task) int {
	if len(a.Array) != len(b.Array) {
		return len(a.Array) - len(b.Array)
	}
	return cmp.Or(cmp.Compare(a.Array, b.Array), a.Number-b.Number)
}

// Live says that a task waits or runs: it may still bring results, and need not be
// submitted again.
func (t Task) Live() bool {
	switch t.State {
	case "PENDING", "RUNNING", "COMPLETING", "CONFIGURING", "SUSPENDED", "STOPPED", "SIGNALING", "STAGE_OUT", "RESIZING",
		"REQUEUED", "REQUEUE_FED", "REQUEUE_HOLD", "SPECIAL_EXIT", "RESV_DEL_HOLD":
		return true
	}
	return false
}

// Held says that a task waits until somebody releases it.
func (t Task) Held() bool {
	return t.Live() && (strings.Contains(strings.ToLower(t.Reason), "held") || t.State == "REQUEUE_HOLD" || t.State == "SPECIAL_EXIT")
}

// Queue lists the jobs of some names that Slurm knows: those that wait or run, and
// those that ended within its memory (MinJobAge). A task that was requeued has one
// entry, its latest.
func Queue(ctx context.Context, names ...string) ([]Task, error) {
	text, err := command(ctx, "squeue", "--noheader", "--array", "--states=all", "--name="+strings.Join(names, ","), "--format=%F|%K|%T|%N|%k|%r|%Z")
	if err != nil {
		return nil, err
	}
	return parseQueue(text)
}

// parseQueue reads what squeue prints; the directory is last, for it may hold bars.
func parseQueue(text string) ([]Task, error) {
	var tasks []Task
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if strings.TrimSpace(line) == "" {
			continue
		}
		f := strings.SplitN(line, "|", 7)
		if len(f) != 7 {
			return nil, fmt.Errorf("squeue prints %q, which has not the seven fields asked for", line)
		}
		t := Task{Array: f[0], Number: -1, State: f[2], Node: f[3], Reason: f[5], Dir: f[6]}
		if t.Reason == "None" {
			t.Reason = ""
		}
		if number, err := strconv.Atoi(f[1]); err == nil {
			t.Number = number
		}
		if offset, ok := strings.CutPrefix(f[4], commentPrefix); ok {
			var err error
			if t.Offset, err = strconv.Atoi(offset); err != nil {
				return nil, fmt.Errorf("job %s has the comment %q, which names no offset", t.ID(), f[4])
			}
		}
		tasks = append(tasks, t)
	}
	return tasks, nil
}

// Requeue puts one running task of an array back into the queue.
func Requeue(ctx context.Context, array string, number int) error {
	_, err := command(ctx, "scontrol", "requeue", Task{Array: array, Number: number}.ID())
	return err
}
