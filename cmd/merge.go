package cmd

import (
	"github.com/spf13/cobra"

	"mercer/configs/source"
	"mercer/results"
	"mercer/runner/batch"
)

func newMerge() *cobra.Command {
	var root string
	var strict bool
	c := &cobra.Command{
		Use:   "merge RUN [DIRECTORY...]",
		Short: "Merge the shards of a submitted run, or runs made elsewhere; judge and report",
		Long: `Merge the records of a run's shards, and of further run directories of the same plan, into
RUN. Then judge its claims and write its report, as mercer run does, and name what is
missing. You may merge at any time, also while shards are running, and again: stored
records stay as they are, byte for byte.

Further directories are runs of the same spec, profile and data, made on another machine
or with a --filter. Their records must be among those of RUN. If RUN does not exist,
the first one defines it. RUN is a run directory or the name of an experiment, which
means its latest run.

Records that are ok or skipped replace failed ones; otherwise earlier records stay.

The exit codes are those of mercer run, and 1 if records are missing.`,
		Example: `  mercer merge results/my-rates/paper
  mercer merge whole night-1/results/my-rates/paper night-2/results/my-rates/paper`,
		Args: arguments(cobra.MinimumNArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			dir, err := results.Latest(root, args[0])
			if err != nil && len(args) > 1 {
				dir, err = args[0], batch.StartFrom(args[0], args[1])
			}
			if err != nil {
				return usage(err)
			}
			return mergeRun(c, dir, args[1:], strict)
		},
	}
	c.Flags().StringVar(&root, "results", resultsRoot, "directory that holds all runs")
	c.Flags().BoolVar(&strict, "strict", false, "exit with 5 if a claim is inconclusive")
	addJSON(c, jsonResult)
	return c
}

func mergeRun(c *cobra.Command, dir string, others []string, strict bool) error {
	if err := batch.Merge(c.Context(), dir, others, engines, c.ErrOrStderr()); err != nil {
		return err
	}
	manifest, err := results.ReadManifest(dir)
	if err != nil {
		return err
	}
	profile, err := source.Profile(manifest.Profile)
	if err != nil {
		return err
	}
	return conclude(c, dir, nil, strict || profile.Strict, others...)
}
