package cmd

import (
	"errors"
	"fmt"
	"io"
	"os"

	"golang.org/x/term"

	"mercer/internal/claims"
	"mercer/report"
	"mercer/results"
)

// tableOptions are those of tables for w: as wide as it, coloured on a terminal.
func tableOptions(w io.Writer) report.TableOptions {
	options := report.TableOptions{Width: 100, Color: colored(w)}
	if file, ok := w.(*os.File); ok {
		if width, _, err := term.GetSize(int(file.Fd())); err == nil && width > 0 {
			options.Width = width
		}
	}
	return options
}

// colored says whether what is written may have colours.
func colored(w io.Writer) bool {
	file, ok := w.(*os.File)
	return ok && term.IsTerminal(int(file.Fd())) && os.Getenv("NO_COLOR") == ""
}

// outcome is the exit of a run: a claim that is violated at 1 % over the whole spec, or a
// control that holds, says more than a failed cell, a failed cell more than an inconclusive claim.
func outcome(run results.Run, verdicts []claims.Verdict, strict bool) error {
	counts, family := claims.Counts(verdicts), claims.FamilyOf(verdicts)
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
	case family.Standing+family.Controls > 0:
		return exit{exitViolated, failure}
	case failed > 0:
		return exit{exitFailed, failure}
	case run.Missing() > 0:
		return exit{exitFailed, fmt.Errorf("%d of %d records are missing; to continue: %s", run.Missing(), run.Manifest.Cells, run.Manifest.Command)}
	case strict && len(verdicts) > counts[claims.Holds]:
		return exit{exitInconclusive, errors.New("a claim is inconclusive or not applicable, or violated by itself alone, or a control is not violated, and --strict was given")}
	}
	return nil
}
