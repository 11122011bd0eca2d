package cmd

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"mercer/configs"
	"mercer/internal/claims"
	"mercer/internal/crate"
	"mercer/results"
	"mercer/runner/verdicts"
)

// writeCrate packs a complete run as an RO-Crate. Its verdicts count as looked at.
func writeCrate(c *cobra.Command, run results.Run, out, license string) error {
	if missing := run.Missing(); missing > 0 {
		return fmt.Errorf("the run is not complete: %d records are missing; a crate needs a complete run", missing)
	}
	spec, err := verdicts.SpecOf(run)
	if err != nil {
		return err
	}
	judged, err := judgeSpec(c, run, spec)
	if err != nil {
		return err
	}
	recordLook(c, run)
	if run, err = results.Load(run.Dir); err != nil {
		return err
	}
	err = crate.Make(out, func(dir string) error {
		if err := crate.Fill(dir, run); err != nil {
			return err
		}
		run.Dir = dir
		err := errors.Join(crate.WriteVerdicts(dir, judged), crateReport(filepath.Join(dir, crate.ReportFolder), run, spec, judged))
		if err != nil {
			return err
		}
		return crate.Seal(dir, license)
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(c.OutOrStdout(), "crate: %s\nto verify it: mercer verify %s\n", filepath.ToSlash(out), filepath.ToSlash(out))
	return nil
}

// crateReport writes the report of a run that is judged already.
func crateReport(dir string, run results.Run, spec *configs.Spec, judged []claims.Verdict) error {
	_, err := reportTo(dir, run, spec, func() ([]claims.Verdict, error) { return judged, nil })
	return err
}
