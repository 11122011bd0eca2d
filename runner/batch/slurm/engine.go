package slurm

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"

	"mercer/internal/misuse"
	"mercer/results"
	"mercer/runner/batch"
)

// The scripts of a run's jobs, in its folder.
const (
	ArrayScript  = "array.sh"
	reportScript = "report.sh"
)

// Engine hands shards to Slurm as a job array.
type Engine struct{}

// Available reads the settings, looks for Slurm's commands in the path, and asks for the
// cluster's MaxArraySize: shards are the tasks of one array.
func (Engine) Available(ctx context.Context, s batch.Settings, _ string) (batch.Offer, error) {
	offer := batch.Offer{Queue: "Slurm", Shards: usualMost}
	var err error
	if offer.Memory, offer.Time, err = check(s); err != nil {
		return offer, misuse.Mark(err)
	}
	if err = present(); err == nil {
		offer.Shards, err = mostShards(ctx)
	}
	return offer, err
}

// present says which of Slurm's commands is not in the path.
func present() error {
	for _, name := range []string{"sbatch", "squeue", "scontrol"} {
		if _, err := exec.LookPath(name); err != nil {
			return fmt.Errorf("%w: no %s in $PATH; log in to a node of the cluster that submits jobs, or load its module", batch.ErrAbsent, name)
		}
	}
	return nil
}

// Here reads what Slurm tells its jobs by their environment.
func Here() batch.Place {
	number := func(name string) int64 {
		v, err := strconv.ParseInt(os.Getenv(name), 10, 64)
		if err != nil {
			return -1
		}
		return v
	}
	p := batch.Place{
		CPUs: int(max(0, number("SLURM_CPUS_PER_TASK"))), Memory: max(0, number("SLURM_MEM_PER_NODE")) << 20,
		Node: os.Getenv("SLURMD_NODENAME"), Restarted: number("SLURM_RESTART_COUNT") > 0, Warning: warning,
	}
	if array, task := os.Getenv("SLURM_ARRAY_JOB_ID"), number("SLURM_ARRAY_TASK_ID"); array != "" && task >= 0 {
		p.Task = fmt.Sprintf("%s_%d", array, task) // one task, never a whole array
		p.Requeue = func(ctx context.Context) error {
			_, err := command(ctx, "scontrol", "requeue", p.Task)
			return err
		}
	}
	return p
}

func reportName(plan string) string { return plan + "-report" }

// Submit writes the scripts and gives them to sbatch: an array of the shards, and a
// report after it.
func (Engine) Submit(ctx context.Context, o batch.Order, accepted func(batch.Job) error) error {
	scripts := map[string]string{}
	if !o.Keep {
		scripts[ArrayScript] = arrayScript(o).text()
		scripts[reportScript] = mergeScript(o).text()
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
	return send(ctx, o, accepted)
}

// send submits the array, and the report that waits for it; a dry run prints the
// commands.
func send(ctx context.Context, o batch.Order, accepted func(batch.Job) error) error {
	given := o.Override.Over(o.Settings)
	var args, limits []string
	if given.Partition != "" {
		args = append(args, "--partition="+given.Partition) // in a script $SBATCH_PARTITION would win
	}
	args = append(args, given.Args...)
	if o.Override.Mem != "" {
		limits = append(limits, "--mem="+o.Override.Mem)
	}
	if o.Override.Time != "" {
		limits = append(limits, "--time="+o.Override.Time, warningOption(o.Resources.Warning))
	}
	submit := func(args []string, shards []int) (string, error) {
		if o.DryRun {
			fmt.Fprintln(o.Out, line(append([]string{"sbatch", "--parsable"}, args...)))
			return "<id>", nil
		}
		id, err := sbatch(ctx, args)
		if err != nil {
			return "", err
		}
		return id, accepted(batch.Job{ID: id, Shards: shards})
	}
	tasks := batch.Ranges(o.Shards)
	if given.MaxParallel > 0 {
		tasks += fmt.Sprintf("%%%d", given.MaxParallel)
	}
	dir := "--chdir=" + o.Path("")
	id, err := submit(slices.Concat(args, limits, []string{"--job-name=" + o.Name(), dir, "--array=" + tasks, o.Path(ArrayScript)}), o.Shards)
	if err != nil {
		return fmt.Errorf("%w\na limit on jobs (MaxSubmitJobs, MaxJobCount) is met by fewer and longer shards: --shards", err)
	}
	_, err = submit(append(args, "--job-name="+reportName(o.Name()), dir, "--dependency=afterany:"+id, o.Path(reportScript)), nil)
	return err
}

// usualMost is one less than what Slurm takes for MaxArraySize unless told otherwise.
const usualMost = 1000

// mostShards is one less than the cluster's MaxArraySize; usualMost where that is not known.
func mostShards(ctx context.Context) (int, error) {
	text, err := command(ctx, "scontrol", "show", "config")
	if err != nil {
		return usualMost, err
	}
	for line := range strings.SplitSeq(text, "\n") {
		name, value, _ := strings.Cut(line, "=")
		if size, err := strconv.Atoi(strings.TrimSpace(value)); err == nil && size > 1 && strings.TrimSpace(name) == "MaxArraySize" {
			return size - 1, nil
		}
	}
	return usualMost, errors.New("slurm: scontrol show config names no MaxArraySize above 1: this cluster takes no job arrays; ask who runs it")
}
