package cmd

import (
	"errors"

	"github.com/spf13/cobra"

	"mercer/configs"
	"mercer/results"
	"mercer/runner/batch"
)

func newMerge() *cobra.Command {
	var root string
	var strict bool
	c := &cobra.Command{
		Use:   "merge RUN [FOLDER...]",
		Short: "Gather the shards of a submitted run, or runs made elsewhere, judge and report",
		Long: `Gather the records of a run's shards, and of further run folders of the same plan,
into RUN, then judge its claims and write its report, as mercer run does. It names
what is missing. Give it at any time, also while shards are running, and again: what
is there stays as it is, byte for byte.

Further folders are runs of the same spec, profile and data, made on another machine
or with a --filter: their records must be among those of RUN. Where there is no RUN
yet, the first folder says what it is. RUN is a run folder or the name of an
experiment, which means its latest run.

Records that are ok or skipped win over those that failed, and earlier ones stay.

Exit codes are those of mercer run: 1 also where records are missing.`,
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
	c.Flags().StringVar(&root, "results", resultsRoot, "folder that holds all runs")
	c.Flags().BoolVar(&strict, "strict", false, "exit with 5 if a claim is inconclusive")
	return c
}

func mergeRun(c *cobra.Command, dir string, others []string, strict bool) error {
	if err := batch.Merge(c.Context(), dir, others, batch.Slurm{}, c.ErrOrStderr()); err != nil {
		return misuse(err)
	}
	manifest, err := results.ReadManifest(dir)
	if err != nil {
		return err
	}
	profile, err := configs.LoadProfile(manifest.Profile)
	if err != nil {
		return err
	}
	return (&runFlags{}).conclude(c, dir, strict || profile.Strict)
}

// waitAndMerge waits until no job of a run is left, then merges, judges and reports.
func waitAndMerge(c *cobra.Command, run *batch.Run, strict bool) error {
	if err := run.Wait(c.Context(), c.ErrOrStderr()); errors.Is(err, batch.ErrStoppedWaiting) {
		return exit{exitInterrupted, err}
	} else if err != nil {
		return err
	}
	return mergeRun(c, run.Dir, nil, strict)
}
