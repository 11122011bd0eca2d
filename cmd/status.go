package cmd

import (
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"mercer/internal/plain"
	"mercer/results"
	"mercer/runner/batch"
)

func newStatus() *cobra.Command {
	var root string
	var asJSON, all bool
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
			switch {
			case err != nil:
				return err
			case asJSON:
				return printJSON(c.OutOrStdout(), status.Shards)
			}
			return printStatus(c.OutOrStdout(), status, all, run)
		},
	}
	c.Flags().StringVar(&root, "results", resultsRoot, "directory that holds all runs")
	c.Flags().BoolVar(&asJSON, "json", false, "print all shards as JSON")
	c.Flags().BoolVar(&all, "all", false, "also show complete shards")
	return c
}

func printStatus(w io.Writer, s batch.Status, all bool, run *batch.Run) error {
	dir := plain.Quote(run.Dir)
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
		if err := printTable(w, rows); err != nil {
			return err
		}
	}
	fmt.Fprintf(w, "%d of %d shards are complete, %d of %d records are stored\n", s.Complete, len(s.Shards), s.Final, s.Records)
	if s.Queue != "" {
		fmt.Fprintln(w, s.Queue)
	}
	if s.Complete < len(s.Shards) {
		fmt.Fprintf(w, "to submit what is neither stored nor queued: mercer submit %s\n", dir)
		return nil
	}
	_, err := fmt.Fprintf(w, "to judge and report: mercer merge %s\n", dir)
	if err == nil && run.InRounds() {
		_, err = fmt.Fprintf(w, "after that, the next round of repeats, if verdicts or targets are open: mercer submit %s\n", dir)
	}
	return err
}
