package cmd

import (
	"cmp"

	"github.com/spf13/cobra"

	"mercer/internal/facts"
	"mercer/results"
	"mercer/runner"
)

func newMerge() *cobra.Command {
	var root, out string
	var strict bool
	c := &cobra.Command{
		Use:   "merge DIR...",
		Short: "Put the shards of a run together, judge it and write its report",
		Long: `Put together the shards of a run, which mercer run SPEC --shard i/N --out DIR has computed
into a folder each. Then judge its claims and write its report, as mercer run does. All
shards must be of one plan and complete, each given once: otherwise the command says what is
missing, and writes nothing. The numbers are those of mercer run without shards, bit for
bit, on machines of one kind.

The exit codes are those of mercer run.`,
		Example: `  mercer merge parts/*
  mercer merge parts/* --out results/my-rates/paper`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			head, err := results.Head(args[0])
			if err != nil {
				return usage(err)
			}
			run, err := results.Merge(cmp.Or(out, runner.DefaultDir(root, head.Spec.Name, head.Manifest.Profile)), args)
			if err != nil {
				return err
			}
			known := facts.New()
			for _, dir := range args {
				err = cmp.Or(err, known.Add(dir))
			}
			if err = cmp.Or(err, known.Save(run.Dir)); err != nil {
				return err
			}
			return conclude(c, run, strict)
		},
	}
	c.Flags().StringVar(&root, "results", resultsRoot, "directory that holds all runs")
	c.Flags().StringVarP(&out, "out", "o", "", "folder of the run (default: <results>/<experiment>/<profile>)")
	c.Flags().BoolVar(&strict, "strict", false, "exit with 5 if a claim is inconclusive")
	addJSON(c, jsonResult)
	return c
}
