package cmd

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"
	"golang.org/x/term"

	"mercer/configs"
	"mercer/internal/budget"
	"mercer/internal/claims"
	"mercer/internal/theory"
	"mercer/report"
	"mercer/results"
	"mercer/runner/plan"
)

// openRun loads a run by directory or by experiment name.
func openRun(root, name string) (results.Run, error) {
	dir, err := results.Latest(root, name)
	if err != nil {
		return results.Run{}, usage(err)
	}
	return loadRun(dir)
}

// loadRun loads a run that will be judged or reported on, under the memory limit
// of a report unless the user has set one.
func loadRun(dir string) (results.Run, error) {
	report.LimitMemory(dir)
	return results.Load(dir)
}

// specOf is the spec of a run, as its manifest and profile have it.
func specOf(run results.Run) (*configs.Spec, error) {
	file := cmp.Or(run.Manifest.File, run.Manifest.Experiment+".yaml") // older runs name none
	spec, err := configs.Parse(file, []byte(run.Manifest.Spec))
	if err != nil {
		return nil, fmt.Errorf("the spec as this run has it: %w", err)
	}
	return spec.WithProfile(run.Manifest.Profile)
}

// judge holds the claims of a run's own spec against its records, and where a
// claim is about a theorem, against the run's populations.
func judge(c *cobra.Command, run results.Run) ([]claims.Verdict, error) {
	spec, err := specOf(run)
	if err != nil {
		return nil, err
	}
	return claims.Judge(spec.Claims, run, world(c, spec, run))
}

// world is what claims on theorems need to know beside the records.
func world(c *cobra.Command, spec *configs.Spec, run results.Run) claims.Context {
	resolved, err := plan.Resolve(spec)
	w := claims.Context{Methods: map[string]claims.Method{}}
	for _, m := range spec.Methods {
		w.Methods[m.ID] = claims.Method{Use: m.Use, Sizes: resolved.Methods[m.ID].Uses}
	}
	w.Population = plan.NewPopulations(c.Context(), resolved, run.Manifest, plan.PrepareOptions{Dir: run.Manifest.Dir, Log: c.ErrOrStderr()}).At
	if err != nil { // a spec of another version: its other claims are judged nevertheless
		w.Population = func(string, string, int) (theory.Population, error) { return nil, err }
	}
	return w
}

// writeReport judges and gives the path of the report's page.
func writeReport(c *cobra.Command, run results.Run) ([]claims.Verdict, string, error) {
	spec, err := specOf(run)
	if err != nil {
		return nil, "", err
	}
	var budgets []budget.Comparison
	var comparing errgroup.Group
	comparing.Go(func() (err error) {
		budgets, err = budget.Compare(spec.Budgets, run)
		return err
	})
	verdicts, err := judge(c, run)
	troubled := comparing.Wait()
	if err = cmp.Or(err, troubled); err != nil {
		return nil, "", err
	}
	files, err := report.Write(filepath.Join(run.Dir, "report"), run, verdicts, spec.Plots, budgets...)
	return verdicts, files.Page, err
}

// printVerdicts prints the table of verdicts, coloured on a terminal.
func printVerdicts(w io.Writer, verdicts []claims.Verdict) error {
	options := report.TableOptions{Width: 100}
	if file, ok := w.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
		options.Color = os.Getenv("NO_COLOR") == ""
		if width, _, err := term.GetSize(int(file.Fd())); err == nil && width > 0 {
			options.Width = width
		}
	}
	return report.VerdictTable(w, verdicts, options)
}

// outcome is the exit of a run: a violated claim says more than a failed cell,
// a failed cell more than an inconclusive claim.
func outcome(run results.Run, verdicts []claims.Verdict, strict bool) error {
	counts := claims.Counts(verdicts)
	failed, first := 0, ""
	for _, r := range run.Records {
		if r.Status != results.OK && r.Status != results.Skipped {
			failed++
			if first == "" {
				first = fmt.Sprintf("%s %s %s n=%d m=%d d=%d ell=%d k=%d repeat %d: %s: %s", r.Dataset, r.Kernel, r.Method, r.N, r.M, r.D, r.Ell, r.K, r.Repeat, r.Status, r.Reason)
			}
		}
	}
	var failure error
	if failed > 0 {
		failure = fmt.Errorf("%d of %d records failed, the first: %s", failed, len(run.Records), first)
	}
	switch {
	case counts[claims.Violated] > 0:
		return exit{exitViolated, failure}
	case failed > 0:
		return exit{exitFailed, failure}
	case run.Missing() > 0:
		return exit{exitFailed, fmt.Errorf("%d of %d records are missing; to continue: %s", run.Missing(), run.Manifest.Cells, run.Manifest.Command)}
	case strict && counts[claims.Inconclusive]+counts[claims.NotApplicable] > 0:
		return exit{exitInconclusive, errors.New("a claim is inconclusive or not applicable, and --strict was given")}
	}
	return nil
}
