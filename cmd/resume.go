package cmd

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"mercer/results"
	"mercer/runner/batch/slurm"
)

func newResume() *cobra.Command {
	var f submitFlags
	c := &cobra.Command{
		Use:   "resume RUN",
		Short: "Submit the shards of a run again that are neither complete nor queued",
		Long: `Submit the shards of a submitted run that are neither complete, by their records,
nor waiting or running, by Slurm's word. Shards with records that failed count as
incomplete: those records are tried again. Complete runs and queued shards are left
alone, so that the command may be given at any time. Its flags go over those of the
submit. RUN is a run directory or the name of an experiment, which means its latest
run. For a run on this machine give the same mercer run again.

Exit codes: 0 submitted, or nothing to submit; 1 Slurm refused; 2 no such run; with
--wait those of mercer run.`,
		Example: `  mercer resume results/my-rates/paper
  mercer resume my-rates --time 12:00:00 --mem 16G`,
		Args: arguments(cobra.ExactArgs(1)),
		RunE: func(c *cobra.Command, args []string) error { return f.resume(c, args[0]) },
	}
	flags := c.Flags()
	flags.StringVar(&f.root, "results", resultsRoot, "directory that holds all runs")
	flags.IntVar(&f.maxParallel, "max-parallel", 0, "shards that run at once, at most (default: as submitted)")
	flags.StringVar(&f.mem, "mem", "", "memory of a shard, as sbatch reads it, such as 8G")
	flags.StringVar(&f.time, "time", "", "time limit of a shard, as sbatch reads it, such as 4:00:00 or 2-0")
	flags.StringVar(&f.partition, "partition", "", "partition of the cluster")
	flags.StringArrayVar(&f.sbatch, "sbatch-arg", nil, "further argument of sbatch; may be given again")
	flags.BoolVar(&f.dryRun, "dry-run", false, "print the commands; submit nothing")
	flags.BoolVar(&f.wait, "wait", false, "wait to the end, then judge and report; stopping to wait stops no job")
	flags.BoolVar(&f.strict, "strict", false, "with --wait, exit with 5 if a claim is inconclusive")
	return c
}

func (f *submitFlags) resume(c *cobra.Command, name string) error {
	f.engine = "slurm"
	if err := errors.Join(f.check(), slurm.OneCluster()); err != nil {
		return usage(err)
	}
	dir, err := results.Latest(f.root, name)
	if err != nil {
		return usage(err)
	}
	b, err := openBatch(dir)
	if err != nil {
		return err
	}
	if err := slurm.Available(); err != nil {
		return err
	}
	if err := b.frozen.Program.Check(b.path(binaryFile)); err != nil {
		return err
	}
	again := func() error { return f.submitMissing(c, b) }
	if f.dryRun {
		return again()
	}
	if err := b.locked(c.Context(), again); err != nil || !f.wait {
		return err
	}
	return b.finish(c, f.strict)
}

func (f *submitFlags) submitMissing(c *cobra.Command, b *batch) error {
	q, err := b.queue(c.Context())
	if err != nil {
		return err
	}
	states, err := b.frozen.States(b.dir, b.keys)
	if err != nil {
		return err
	}
	live, due := q.live(), missing(states, q)
	if len(live) > 0 {
		fmt.Fprintf(c.OutOrStdout(), "already queued: %s\n", shardsText(live))
	}
	if len(due) == 0 {
		if len(live) == 0 {
			fmt.Fprintf(c.OutOrStdout(), "nothing to submit: all %d records are there; mercer merge %s judges and reports\n", b.frozen.Records, quoteWord(b.dir))
		}
		return nil
	}
	if f.maxParallel > 0 {
		b.jobs.MaxParallel = f.maxParallel
	}
	var args, limits []string
	if f.partition != "" {
		args = append(args, "--partition="+f.partition)
	}
	if f.mem != "" {
		limits = append(limits, "--mem="+f.mem)
	}
	if f.time != "" {
		_, warning := f.limits(b.frozen.Shards)
		limits = append(limits, "--time="+f.time, warningOption(warning))
	}
	return b.send(c.Context(), c.OutOrStdout(), due, append(args, f.sbatch...), limits, f.dryRun)
}
