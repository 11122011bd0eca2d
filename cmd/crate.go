package cmd

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"mercer/configs"
	"mercer/internal/claims"
	"mercer/internal/crate"
	"mercer/internal/plain"
	"mercer/results"
	"mercer/runner/verdicts"
	"mercer/runner/verify"
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
	if err := crate.Fill(out, run); err != nil {
		return err
	}
	run.Dir = out
	if err := errors.Join(crate.WriteVerdicts(out, judged), crateReport(filepath.Join(out, crate.ReportFolder), run, spec, judged)); err != nil {
		return err
	}
	if err := crate.Seal(out, license); err != nil {
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

// printVerified prints what came of verifying a crate.
func printVerified(w io.Writer, r verify.Result) {
	fmt.Fprintf(w, "%s: %s", r.Crate, plain.Count(r.Files, "file", "files"))
	if r.Experiment != "" {
		fmt.Fprintf(w, ", %s of %s (%s)", plain.Count(r.Records, "record", "records"), r.Experiment, r.Profile)
	}
	fmt.Fprintln(w)
	if r.Sample != nil {
		printSample(w, *r.Sample)
	}
	if r.Verdicts > 0 {
		fmt.Fprintf(w, "judged again: %s\n", plain.Count(r.Verdicts, "verdict", "verdicts"))
	}
	if r.Report {
		fmt.Fprintln(w, "written again: the report, with figures and tables")
	}
	for _, note := range r.Notes {
		fmt.Fprintln(w, "note:", note)
	}
	for _, f := range r.Findings {
		fmt.Fprintf(w, "%s: %s\n", f.About, f.Text)
	}
	if r.Passed {
		fmt.Fprintln(w, "passed")
	} else {
		fmt.Fprintf(w, "FAILED: %s\n", plain.Count(len(r.Findings), "finding", "findings"))
	}
}

// printSample prints what a sample of records, computed again, gave.
func printSample(w io.Writer, s verify.Sample) {
	n := s.Numbers
	how := "same back end and machine: numbers must be identical bit for bit"
	if !s.Exact {
		how = "another back end or machine: numbers must agree within the tolerance"
	}
	fmt.Fprintf(w, "computed again: %d of %d records (--sample %d --seed %d); %s\n", s.Records, s.Of, s.Records, s.Seed, how)
	fmt.Fprintf(w, "numbers: %d compared, %d identical, %d within the tolerance (largest difference %.1e), %d tipped, %d differ\n",
		n.Compared, n.Identical, n.Within, n.Largest, n.Tipped, n.Drifted)
	if s.Records < s.Of {
		fmt.Fprintf(w, "the sample can miss changed records: if more than %d of the %d were changed, it has one of them with probability 95 %% or more\n", s.MostWrong, s.Of)
	}
}
