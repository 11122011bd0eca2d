package cmd

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"mercer/internal/plain"
	"mercer/runner/batch"
	"mercer/runner/batch/script"
	"mercer/runner/batch/slurm"
)

// engines are the ways to have shards computed; another one is another folder below
// runner/batch, named here.
var engines = batch.Engines{"slurm": slurm.Engine{}, "script": script.Engine{}}

func newSubmit() *cobra.Command {
	var f submitFlags
	c := &cobra.Command{
		Use:   "submit SPEC|RUN",
		Short: "Run an experiment on a cluster: a job array, then the report",
		Long: `Run an experiment on a cluster. The plan is frozen and cut into shards, parts of
about equal time. A job array computes the shards, each into its own directory. Then a job
merges them, judges the claims and writes the report. The command returns as soon as
all jobs are queued; after that nothing depends on it or on the terminal.

RUN/batch/ holds the frozen plan, a copy of this mercer (so that a later build changes
no queued job), the scripts, the logs and the shards. The results are those of mercer
run, bit for bit, on machines of one kind.

Give the command again at any time, with the spec or the run directory. Stored records are
not computed again, and queued shards are not submitted again. Shards with failed
records are tried again. While shards are queued, --mem, --time, --partition,
--max-parallel and --sbatch-arg apply only to the shards submitted now. RUN and the
data (MERCER_DATA, MERCER_CACHE) must lie on a file system that all nodes share.

Repeats that are added until verdicts are decided are submitted in rounds, for jobs do not
see each other's results. When a round is merged, give the command again: it adds the
repeats that open verdicts and targets need, until it says that none are needed. With
--wait it does so by itself. The records are those of mercer run, bit for bit.

By default a shard takes about 10 minutes of one processor. Its memory is 1 GiB, and for
each group that it computes side by side 1.5 times the arrays of the plan's largest
group and what all groups share. Its time limit is four times the longest shard plus
half an hour. If time is measured, a shard has its node to itself (--exclusive). See
docs/slurm.md.

With --engine script nothing is submitted: RUN/batch/job.sh computes one shard, the one
that its argument names, or else the array task number of Slurm, PBS, Grid Engine, LSF,
HyperQueue or Kubernetes. The command prints how to submit it to each. --mem, --time,
--partition, --max-parallel and --sbatch-arg then belong into your scheduler's command.
--kubernetes and --volume also write RUN/batch/job.yaml, an Indexed Job. See
docs/schedulers.md.

Exit codes: 0 submitted, or nothing to submit; 1 Slurm refused; 2 the command line or
the spec is wrong; with --wait those of mercer run.`,
		Example: `  mercer submit my.yaml --dry-run
  mercer submit my.yaml --shards 200 --max-parallel 50 --partition short --time 4:00:00
  mercer submit my.yaml --setup 'module load openblas' --sbatch-arg=--account=math --sbatch-arg=--constraint=icelake
  mercer submit results/my/paper --time 12:00:00 --mem 16G     the missing shards of a submitted run
  mercer submit my.yaml --engine script --shards 50            for any other scheduler
  mercer submit my.yaml --engine script --out /runs/my --kubernetes IMAGE --volume runs:/runs
  mercer submit my.yaml --wait && mercer export my > errors.csv`,
		Args:              arguments(cobra.ExactArgs(1)),
		ValidArgsFunction: completeSpecs,
		RunE:              func(c *cobra.Command, args []string) error { return f.submit(c, args[0]) },
	}
	f.add(c)
	return c
}

// submit submits a spec, or what is missing of a run in a folder.
func (f *submitFlags) submit(c *cobra.Command, name string) error {
	if f.shards < 0 {
		return usage(fmt.Errorf("--shards %d: must not be negative", f.shards))
	}
	submit := batch.Submit
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		submit, f.out = batch.Again, name
	} else if err := f.read(c, name); err != nil {
		return err
	}
	for last := ""; ; {
		run, err := submit(c.Context(), f.request(c, name), engines)
		if err != nil {
			return err
		}
		if !f.wait || f.dryRun {
			return whatNext(c.OutOrStdout(), run)
		}
		if err := run.Wait(c.Context(), c.ErrOrStderr()); err != nil {
			return err
		}
		if !run.InRounds() || run.Done || run.Frozen.Digest == last { // else a shard that failed would be tried without end
			return mergeRun(c, run.Dir, nil, f.strict)
		}
		last = run.Frozen.Digest
		if err := batch.Merge(c.Context(), run.Dir, nil, engines, c.ErrOrStderr()); err != nil {
			return err
		}
	}
}

func whatNext(w io.Writer, run *batch.Run) error {
	dir, then := plain.Quote(run.Dir), ""
	if run.InRounds() && !run.Done {
		then = fmt.Sprintf("  mercer submit %s    after that: the next round of repeats, if verdicts or targets are open\n", dir)
	}
	_, err := fmt.Fprintf(w, `next:
  mercer status %s    stored records, and what the scheduler says of the rest
  mercer submit %s    if a job stops: submit the missing shards
  mercer merge %s     merge stored records, judge and report, at any time
%s`, dir, dir, dir, then)
	return err
}
