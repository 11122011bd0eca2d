package cmd

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"mercer/configs"
	"mercer/configs/source"
	"mercer/internal/compare"
	"mercer/internal/plain"
	"mercer/runner/bisect"
)

func newBisect() *cobra.Command {
	h := bisect.Hunt{Coins: coins()}
	var good, bad string
	var slower, confidence float64
	c := &cobra.Command{
		Use:   "bisect --good A [--bad B] SPEC -- BUILD...",
		Short: "Find the commit from which on an experiment is worse, or slower",
		Long: `Find the first commit after A, up to B, at which SPEC gives worse numbers or takes more
time. BUILD is a command that builds mercer; it is run in a checkout of each commit that
is tried, apart from yours, and makes the file --program there. Of 32 commits seven are
built.

First the programs of A and B each run SPEC. If their numbers differ beyond the profile's
drift, commits are judged by numbers, with one run each. Else the times of both are
compared in turns, as by mercer compare --run, and commits are judged by the cells that
are slower at B by more than --slower. If those cells take one time before the first bad
commit and more than --slower times as much from it on, the commit named is the wrong one
with probability at most 1 - confidence. A commit that cannot be built, or cannot run
SPEC, is skipped for its neighbour. Commits are those along first parents.

Exit codes:
  0  the commit is found
  1  A or B cannot be built or run
  2  the command line is wrong
  5  B is no worse than A; or a range is left, because times do not differ significantly or
     commits could not be built
  130  stopped by Ctrl-C or SIGTERM; the checkout is removed`,
		Example: `  mercer bisect --good v1.2 nyk-cor42 -- go build -o mercer .
  mercer bisect --good HEAD~32 --bad HEAD specs/speed.yaml --slower 1.1 -- make mercer`,
		Args: func(c *cobra.Command, args []string) error {
			if c.ArgsLenAtDash() != 1 || len(args) < 2 {
				return usage(fmt.Errorf("bisect takes a spec, and after -- the command that builds mercer\nusage: %s", c.UseLine()))
			}
			return nil
		},
		ValidArgsFunction: completeSpecs,
		RunE: func(c *cobra.Command, args []string) error {
			profile, err := source.Profile(h.Profile)
			switch {
			case err != nil:
				return usage(err)
			case good == "":
				return usage(errors.New("--good is missing: the commit at which SPEC was not yet worse"))
			case h.Repeats < 1:
				return usage(fmt.Errorf("--repeats %d: must be positive", h.Repeats))
			case !(slower >= 1 && slower <= 1000):
				return usage(fmt.Errorf("--slower %g: must be between 1 and 1000", slower))
			case !(confidence >= 0.5 && confidence <= 0.999999):
				return usage(fmt.Errorf("--confidence %g: must be between 0.5 and 0.999999", confidence))
			case filepath.IsAbs(h.Program) || !filepath.IsLocal(h.Program):
				return usage(fmt.Errorf("--program %s: must be a path within the checkout", h.Program))
			}
			h.Spec, h.Build, h.Thresholds = args[0], args[1:], compare.Thresholds(profile.Compare)
			h.Thresholds.Slower, h.Thresholds.Confidence = slower, confidence
			h.Say = func(format string, args ...any) { fmt.Fprintf(c.ErrOrStderr(), format+"\n", args...) }
			found, err := search(c.Context(), &h, good, bad)
			if err != nil {
				return err
			}
			err = answer(c, found, func() string { return bisectText(found) })
			if err == nil && (found.By == "" || len(found.Suspects) > 1) {
				err = exit{exitInconclusive, nil}
			}
			return err
		},
	}
	c.Flags().StringVar(&good, "good", "", "a commit at which SPEC was not yet worse")
	c.Flags().StringVar(&bad, "bad", "HEAD", "a commit at which it is")
	c.Flags().StringVar(&h.Program, "program", "mercer", "the file that BUILD makes, within the checkout")
	c.Flags().StringVarP(&h.Profile, "profile", "p", "timing", "run profile: "+strings.Join(configs.ProfileNames(), ", "))
	c.Flags().IntVar(&h.Repeats, "repeats", 1, "repeats of each run")
	c.Flags().Float64Var(&slower, "slower", 1.2, "ratio of times from which a cell is slower")
	c.Flags().Float64Var(&confidence, "confidence", 0.95, "that the commit found by times is the right one")
	addJSON(c, "print the answer as JSON")
	complete(c, "profile", configs.ProfileNames())
	return c
}

// search searches, and removes the checkout however the search ends.
func search(ctx context.Context, h *bisect.Hunt, good, bad string) (found bisect.Answer, err error) {
	if h.Repository, err = bisect.Open(ctx); err != nil {
		return found, err
	}
	defer func() { err = errors.Join(err, h.Close()) }()
	if h.Commits, err = h.Repository.Commits(ctx, good, bad); err != nil {
		return found, err
	}
	if found, err = h.Run(ctx); ctx.Err() != nil {
		err = exit{exitInterrupted, errors.New("stopped; the checkout is removed, and the same command begins anew")}
	}
	return found, err
}

func bisectText(a bisect.Answer) string {
	rows := [][]any{{"commit", "verdict", "what was found"}}
	for _, t := range a.Trials {
		text, _, _ := strings.Cut(t.Text, "\n")
		rows = append(rows, []any{fmt.Sprintf("%.10s", t.Hash), string(t.Verdict), text})
	}
	text := tableText(rows) + plain.Count(a.Builds, "build") + "\n"
	sure := ""
	if a.Confidence < 1 {
		sure = fmt.Sprintf("; right with probability at least %g, if times changed once", a.Confidence)
	}
	switch {
	case a.By == "":
		return text + "the bad commit is no worse than the good one in what the spec measures\n"
	case len(a.Suspects) == 1:
		return text + fmt.Sprintf("first bad commit (by %s%s):\n  %v\n", a.By, sure, a.Suspects[0])
	}
	text += fmt.Sprintf("the first bad commit is one of %d (by %s%s):\n", len(a.Suspects), a.By, sure)
	for _, c := range a.Suspects {
		text += fmt.Sprintf("  %v\n", c)
	}
	return text
}
