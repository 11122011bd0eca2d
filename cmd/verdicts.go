package cmd

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"
	"golang.org/x/term"

	"mercer/configs"
	"mercer/internal/budget"
	"mercer/internal/claims"
	"mercer/internal/facts"
	"mercer/internal/linalg"
	"mercer/report"
	"mercer/results"
	"mercer/runner/batch/slurm"
	"mercer/runner/plan"
	"mercer/runner/populations"
)

// openRun loads a run by directory or by experiment name.
func openRun(root, name string) (results.Run, error) {
	dir, err := results.Latest(root, name)
	if err != nil {
		return results.Run{}, usage(err)
	}
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

// judge gives the verdicts on the claims of a run's own spec, from the files of its
// folder alone.
func judge(c *cobra.Command, run results.Run) ([]claims.Verdict, error) {
	spec, err := specOf(run)
	if err != nil {
		return nil, err
	}
	return judgeSpec(c, run, spec)
}

// judgeSpec is judge where the spec has been parsed.
func judgeSpec(c *cobra.Command, run results.Run, spec *configs.Spec) ([]claims.Verdict, error) {
	known, err := facts.Load(run.Dir, spec, run.Manifest)
	if err != nil {
		return nil, err
	}
	if known.Empty() && len(onTheorems(spec)) > 0 {
		fmt.Fprintf(c.ErrOrStderr(), "note: %s has no facts on its populations (%s), which theorems are judged by; to compute them from its data: mercer check --recompute %s\n",
			filepath.ToSlash(run.Dir), results.PopulationsFile, slurm.Quote(filepath.ToSlash(run.Dir)))
	}
	resolved, _ := plan.Resolve(spec) // of a spec of another version: as far as it goes
	return claims.Judge(spec.Claims, run, factsOf(resolved, known))
}

// record stores beside a run's records what its claims ask of its populations. It takes
// over what is known already, there and in other folders, and opens the run's data for
// what is not.
func record(c *cobra.Command, run results.Run, spec *configs.Spec, others ...string) error {
	if len(onTheorems(spec)) == 0 {
		return nil
	}
	resolved, err := plan.Resolve(spec)
	if err != nil {
		return err
	}
	if _, err := linalg.Use(); err != nil {
		return usage(err)
	}
	known := facts.New(spec, run.Manifest)
	for _, dir := range append([]string{run.Dir}, others...) {
		if err := known.Add(dir); err != nil {
			fmt.Fprintln(c.ErrOrStderr(), "warning:", err)
		}
	}
	opened := populations.New(c.Context(), resolved, run.Manifest, plan.PrepareOptions{Dir: run.Manifest.Dir, Log: c.ErrOrStderr()})
	known.Record(opened.At)
	_, err = claims.Judge(onTheorems(spec), run, factsOf(resolved, known))
	if err = cmp.Or(c.Context().Err(), err); err != nil {
		return err
	}
	return known.Save(run.Dir)
}

// onTheorems are the claims that name a theorem.
func onTheorems(spec *configs.Spec) []configs.Claim {
	return slices.DeleteFunc(slices.Clone(spec.Claims), func(claim configs.Claim) bool {
		return claim.Checks().Value == ""
	})
}

// factsOf are the facts that claims are judged by, beside the records.
func factsOf(resolved *plan.Resolved, known *facts.Table) claims.Context {
	w := claims.Context{Methods: map[string]claims.Method{}, Population: known.At}
	for _, m := range resolved.Spec.Methods {
		w.Methods[m.ID] = claims.Method{Use: m.Use.Value, Sizes: resolved.Methods[m.ID].Uses}
	}
	return w
}

// writeReport judges and gives the path of the report's page.
func writeReport(c *cobra.Command, run results.Run, spec *configs.Spec) ([]claims.Verdict, string, error) {
	var budgets []budget.Comparison
	var comparing errgroup.Group
	comparing.Go(func() (err error) {
		budgets, err = budget.Compare(spec.Budgets, run)
		return err
	})
	verdicts, err := judgeSpec(c, run, spec)
	troubled := comparing.Wait()
	if err = cmp.Or(err, troubled); err != nil {
		return nil, "", err
	}
	files, err := report.Write(filepath.Join(run.Dir, "report"), run, verdicts, spec.Plots, budgets...)
	return verdicts, files.Page, err
}

// printVerdicts prints the table of verdicts, coloured on a terminal.
func printVerdicts(w io.Writer, verdicts []claims.Verdict) error {
	options := report.TableOptions{Width: 100, Color: colored(w)}
	if file, ok := w.(*os.File); ok {
		if width, _, err := term.GetSize(int(file.Fd())); err == nil && width > 0 {
			options.Width = width
		}
	}
	return report.VerdictTable(w, verdicts, options)
}

// colored says whether what is written may have colours.
func colored(w io.Writer) bool {
	file, ok := w.(*os.File)
	return ok && term.IsTerminal(int(file.Fd())) && os.Getenv("NO_COLOR") == ""
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
