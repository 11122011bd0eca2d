package cmd

import (
	"fmt"

	"github.com/spf13/cobra"

	"mercer/runner/batch"
	"mercer/runner/batch/slurm"
)

func newShard() *cobra.Command {
	var q batch.ShardRequest
	var engine string
	c := &cobra.Command{
		Use:    "shard",
		Hidden: true, // jobs call it; docs/slurm.md and docs/schedulers.md describe it
		Short:  "Compute one shard of a submitted run; the jobs of mercer submit call this",
		Long: `Compute one shard of a run that mercer submit has frozen, into its own directory
RUN/batch/shards/NNNN. It first checks that this mercer and the data are those of the
plan. It does not compute stored records again. If Slurm has restarted the job, it does
not try cells again that failed in it before. A shard needs no Slurm: any machine that
sees RUN can compute it.

On Slurm the shard uses the processors and memory of its job. When Slurm warns it
before the time limit, it finishes the current fit and requeues itself.

Exit codes: 0 done; 1 a cell failed, or the plan cannot run here; 130 stopped before
the end.`,
		Example: `  RUN/batch/mercer shard --plan RUN/batch/plan.json --index 7`,
		Args:    arguments(cobra.NoArgs),
		RunE: func(c *cobra.Command, _ []string) error {
			if err := useBackEnd(c.ErrOrStderr()); err != nil {
				return err
			}
			switch engine {
			case "slurm":
				q.Place = slurm.Here()
			case "script": // the plan says how many processors and how much memory a shard has
			default:
				return usage(fmt.Errorf("--engine %q: is none", engine))
			}
			var err error
			if q.Worker, err = workerCommand(); err != nil {
				return err
			}
			progress := newProgress(c.ErrOrStderr(), false)
			defer progress.close()
			q.Version, q.Show, q.Note, q.Log = version(), progress.update, progress.note, c.ErrOrStderr()
			return batch.Compute(c.Context(), q)
		},
	}
	c.Flags().StringVar(&q.Frozen, "plan", "", "frozen plan: RUN/batch/plan.json")
	c.Flags().IntVar(&q.Index, "index", 0, "number of the shard, from 0")
	c.Flags().StringVar(&engine, "engine", "slurm", "whose job this is: slurm or script")
	for _, name := range []string{"plan", "index"} {
		if err := c.MarkFlagRequired(name); err != nil {
			panic(err)
		}
	}
	return c
}
