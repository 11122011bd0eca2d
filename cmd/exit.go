package cmd

import (
	"cmp"
	"errors"
	"fmt"

	"mercer/internal/claims"
	"mercer/results"
)

// Exit codes.
const (
	exitOK           = 0
	exitFailed       = 1   // a cell failed, or the program could not do its work
	exitUsage        = 2   // the command line or the spec is wrong
	exitViolated     = 3   // a claim is violated, at 1 % over the whole spec, or a control holds
	exitRegression   = 4   // a comparison found a regression
	exitInconclusive = 5   // a comparison could not decide about a change for the worse; with --strict: a claim is inconclusive
	exitInterrupted  = 130 // stopped by Ctrl-C or SIGTERM; the same command continues
)

// exit is an error with an exit code; its message may be empty.
type exit struct {
	code int
	err  error
}

func (e exit) Error() string {
	if e.err == nil {
		return ""
	}
	return e.err.Error()
}

func (e exit) Unwrap() error { return e.err }

// usage marks an error as one of the command line or the spec.
func usage(err error) error {
	if err == nil {
		return nil
	}
	return exit{exitUsage, err}
}

// outcome is the exit of a run: a claim that is violated at 1 % over the whole spec, or a
// control that holds, says more than a failed cell, a failed cell more than an inconclusive claim.
func outcome(run results.Run, verdicts []claims.Verdict, strict bool) error {
	counts, family := claims.Counts(verdicts), claims.FamilyOf(verdicts)
	failed, first := 0, ""
	for _, r := range run.Rows {
		if !r.Final() {
			failed++
			first = cmp.Or(first, fmt.Sprintf("%s repeat %d: %s: %s", r.At, r.Repeat, r.Status, r.Reason))
		}
	}
	var failure error
	if failed > 0 {
		failure = fmt.Errorf("%d of %d rows failed, the first: %s", failed, len(run.Rows), first)
	}
	switch {
	case family.Standing+family.Controls > 0:
		return exit{exitViolated, failure}
	case failed > 0:
		return exit{exitFailed, failure}
	case run.Missing() > 0:
		return exit{exitFailed, fmt.Errorf("%d of %d rows are missing; to continue: %s", run.Missing(), len(run.Manifest.IDs), run.Manifest.Command)}
	case strict && len(verdicts) > counts[claims.Holds]:
		return exit{exitInconclusive, errors.New("a claim is inconclusive or not applicable, or violated by itself alone, or a control is not violated, and --strict was given")}
	}
	return nil
}
