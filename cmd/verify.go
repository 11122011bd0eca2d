package cmd

import (
	"crypto/rand"
	"errors"
	"fmt"
	"math/big"
	"runtime"

	"github.com/spf13/cobra"

	"mercer/configs/source"
	"mercer/internal/crate"
	"mercer/internal/linalg"
	"mercer/results"
	"mercer/runner/verify"
)

func newVerify() *cobra.Command {
	var o verify.Options
	c := &cobra.Command{
		Use:   "verify CRATE",
		Short: "Check a crate: hashes, spec, a sample computed again, claims judged again",
		Long: `Check a crate that mercer export --format ro-crate has written:

  - every file has the size and SHA-256 that the metadata say, and there is no other;
  - the spec gives the records of the crate, with their seeds;
  - a random sample of the records, computed again, has the same numbers: bit for bit on
    the same back end and machine, else within the tolerance of mercer compare;
  - the claims, judged again, have the same verdicts, and the report is the same.

Data that the crate does not contain must be here, as for mercer run. The seed of the
sample is chosen at random and printed; --seed repeats it. docs/verify.md says what a
sample can miss.

Exit codes: 0 passed; 1 it could not be computed again; 2 no crate; 4 something differs.`,
		Example: `  mercer verify my-rates-crate
  mercer verify my-rates-crate --sample 100 --json | jq '.findings'`,
		Args: arguments(cobra.ExactArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			return verifyCrate(c, args[0], o)
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		},
	}
	c.Flags().IntVar(&o.Sample, "sample", 20, "records to compute again; 0 for none")
	c.Flags().Uint64Var(&o.Seed, "seed", 0, "seed of the sample (default: a random one)")
	c.Flags().StringVar(&o.Dir, "dir", "", "directory that relative paths in the spec start from (default: that of the run)")
	c.Flags().BoolVar(&o.Programs, "allow-programs", false, "run the programs that the crate's spec names (use: exec); read it first")
	c.Flags().IntVarP(&o.Runner.Workers, "workers", "w", runtime.NumCPU(), "groups of cells to compute side by side")
	addJSON(c, "print the result as JSON")
	return c
}

func verifyCrate(c *cobra.Command, dir string, o verify.Options) error {
	if o.Sample < 0 || o.Runner.Workers < 1 {
		return usage(errors.New("--sample must not be negative, and --workers must be positive"))
	}
	if !c.Flags().Changed("seed") {
		seed, err := rand.Int(rand.Reader, big.NewInt(1<<53)) // which whoever made the crate cannot know
		if err != nil {
			return err
		}
		o.Seed = seed.Uint64()
	}
	if err := verifyWith(c, dir, &o); err != nil {
		return err
	}
	progress := newProgress(c.ErrOrStderr(), false)
	o.Runner.Progress, o.Log, o.Version, o.Report = progress.update, c.ErrOrStderr(), version(), crateReport
	result, err := verify.Crate(c.Context(), dir, o)
	progress.close()
	if errors.Is(err, verify.ErrPrograms) || errors.Is(err, crate.ErrNone) {
		return usage(err)
	}
	if err != nil {
		return err
	}
	err = answer(c, result, result.Text)
	if err == nil && !result.Passed {
		err = exit{exitRegression, fmt.Errorf("%s is not what it says", dir)}
	}
	return err
}

// verifyWith sets what a run under the profile of a crate may take.
func verifyWith(c *cobra.Command, dir string, o *verify.Options) error {
	if _, err := linalg.Use(); err != nil {
		return usage(err)
	}
	manifest, err := results.ReadManifest(dir)
	if err != nil {
		return nil // verify.Crate says what is wrong
	}
	profile, err := source.Profile(manifest.Profile)
	if err != nil {
		return usage(err)
	}
	memory, err := new(planFlags).allowed(profile)
	if err != nil {
		return err
	}
	o.Runner.Memory, o.Runner.CellLimits = memory, profile.CellLimits
	o.Runner.Worker, err = workerCommand()
	return err
}
