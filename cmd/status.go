package cmd

import (
	"fmt"

	"github.com/spf13/cobra"

	"mercer/results"
)

// shardView is a shard as status shows it.
type shardView struct {
	Shard  int    `json:"shard"`
	Due    int    `json:"due"`
	Final  int    `json:"final"`
	Failed int    `json:"failed"`
	Reason string `json:"reason,omitempty"`
	Slurm  string `json:"slurm"` // "unknown" where Slurm knows no job of it, or does not answer
	Job    string `json:"job,omitempty"`
	Node   string `json:"node,omitempty"`
}

func newStatus() *cobra.Command {
	var root string
	var asJSON, all bool
	c := &cobra.Command{
		Use:   "status RUN",
		Short: "Show a submitted run's shards: records there and due, and what Slurm says",
		Long: `Show the shards of a submitted run: the records that are there, by the files, and
what Slurm says of the rest. Slurm forgets jobs some minutes after they end; what it
does not know is unknown, not failed. RUN is a run directory or the name of an
experiment, which means its latest run. It changes nothing.`,
		Example: `  mercer status results/my-rates/paper
  mercer status my-rates --json | jq '.[] | select(.final < .due)'`,
		Args: arguments(cobra.ExactArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			dir, err := results.Latest(root, args[0])
			if err != nil {
				return usage(err)
			}
			b, err := openBatch(dir)
			if err != nil {
				return err
			}
			states, err := b.frozen.States(b.dir, b.keys)
			if err != nil {
				return err
			}
			q, _ := b.ask(c)
			views := make([]shardView, len(states))
			final, complete := 0, 0
			for i, s := range states {
				views[i] = shardView{Shard: s.Index, Due: s.Due, Final: s.Final, Failed: s.Failed, Reason: s.Reason, Slurm: "unknown"}
				if t, ok := q.shards[s.Index]; ok {
					views[i].Slurm, views[i].Job, views[i].Node = t.State, t.ID(), t.Node
				}
				final += s.Final
				if s.Complete() {
					complete++
				}
			}
			if asJSON {
				return printJSON(c.OutOrStdout(), views)
			}
			table := planTable(c.OutOrStdout(), "shard", "records", "failed", "Slurm")
			shown := 0
			for i, s := range states {
				if s.Complete() && !all {
					continue
				}
				shown++
				if err := table.Append(s.Index, fmt.Sprintf("%d/%d", s.Final, s.Due), blank(s.Failed), q.explain(i)); err != nil {
					return err
				}
			}
			if shown > 0 {
				if err := table.Render(); err != nil {
					return err
				}
			}
			fmt.Fprintf(c.OutOrStdout(), "%d of %d shards are complete, %d of %d records there\n", complete, len(states), final, b.frozen.Records)
			if len(q.shards) > 0 {
				fmt.Fprintln(c.OutOrStdout(), q.count())
			}
			return b.next(c)
		},
	}
	c.Flags().StringVar(&root, "results", resultsRoot, "directory that holds all runs")
	c.Flags().BoolVar(&asJSON, "json", false, "all shards as JSON")
	c.Flags().BoolVar(&all, "all", false, "complete shards too")
	return c
}
