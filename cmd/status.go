package cmd

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"mercer/internal/plain"
	"mercer/results"
	"mercer/runner/batch"
)

func newStatus() *cobra.Command {
	var root string
	var all bool
	c := &cobra.Command{
		Use:   "status RUN",
		Short: "Show a submitted run's shards: stored and missing records, and the scheduler's state",
		Long: `Show the shards of a submitted run: the records stored in its files, and Slurm's state
of the rest. Slurm forgets a job some minutes after its end; its state is then unknown,
not failed. For a run of --engine script the files alone are read. RUN is a run
directory or the name of an experiment, which means its latest run. The command changes
nothing.`,
		Example: `  mercer status results/my-rates/paper
  mercer status my-rates --json | jq '.[] | select(.final < .due)'`,
		Args: arguments(cobra.ExactArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			dir, err := results.Latest(root, args[0])
			if err != nil {
				return usage(err)
			}
			run, err := batch.Open(dir, engines)
			if err != nil {
				return err
			}
			status, err := run.Status(c.Context(), c.ErrOrStderr())
			if err != nil {
				return err
			}
			return answer(c, status.Shards, func() string { return statusText(status, all, run) })
		},
	}
	c.Flags().StringVar(&root, "results", resultsRoot, "directory that holds all runs")
	addJSON(c, "print all shards as JSON")
	c.Flags().BoolVar(&all, "all", false, "also show complete shards")
	return c
}

func statusText(s batch.Status, all bool, run *batch.Run) string {
	dir, text := plain.Quote(run.Dir), ""
	columns := []any{"shard", "records", "failed"}
	asked := slices.ContainsFunc(s.Shards, func(shard batch.ShardStatus) bool { return shard.Explained != "" })
	if asked {
		columns = append(columns, "Slurm")
	}
	rows := [][]any{columns}
	for _, shard := range s.Shards {
		if shard.Complete() && !all {
			continue
		}
		row := []any{shard.Shard, fmt.Sprintf("%d/%d", shard.Final, shard.Due), blank(shard.Failed)}
		if asked {
			row = append(row, shard.Explained)
		}
		rows = append(rows, row)
	}
	if len(rows) > 1 {
		text = tableText(rows)
	}
	text += fmt.Sprintf("%d of %d shards are complete, %d of %d records are stored\n", s.Complete, len(s.Shards), s.Final, s.Records)
	if s.Queue != "" {
		text += s.Queue + "\n"
	}
	if s.Complete < len(s.Shards) {
		return text + fmt.Sprintf("to submit what is neither stored nor queued: mercer submit %s\n", dir)
	}
	text += fmt.Sprintf("to judge and report: mercer merge %s\n", dir)
	if run.InRounds() {
		text += fmt.Sprintf("after that, the next round of repeats, if verdicts or targets are open: mercer submit %s\n", dir)
	}
	return text
}
