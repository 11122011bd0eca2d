package cmd

import (
	"context"
	crypto "crypto/rand"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"mercer/configs"
	"mercer/internal/compare"
	"mercer/internal/plain"
	"mercer/results"
	"mercer/runner"
	"mercer/runner/turns"
)

// turnFlags say how two programs run in turns.
type turnFlags struct {
	run     bool
	profile string
	rounds  int
	repeats int // of each run
}

func (f *turnFlags) add(c *cobra.Command) {
	c.Flags().BoolVar(&f.run, "run", false, "run SPEC by the programs BASE and NEW in turns, and compare their times")
	c.Flags().IntVar(&f.rounds, "rounds", 0, fmt.Sprintf("with --run: rounds of four runs, at most %d (default: twice the fewest that can decide)", compare.MaxRounds))
	c.Flags().IntVar(&f.repeats, "repeats", 1, "with --run: repeats of each run, whose median time counts; more make intervals narrower")
	c.Flags().StringVarP(&f.profile, "profile", "p", "timing", "with --run: run profile: "+strings.Join(configs.ProfileNames(), ", "))
	complete(c, "profile", configs.ProfileNames())
}

// check refuses flags that say nothing with --run, or without it.
func (f *turnFlags) check(c *cobra.Command, format string) error {
	names, with := []string{"rounds", "repeats", "profile"}, "only with"
	if f.run {
		names, with = []string{"results", "references", "where"}, "not with"
	}
	for _, name := range names {
		if c.Flags().Changed(name) {
			return fmt.Errorf("--%s: %s --run", name, with)
		}
	}
	switch {
	case f.run && format == "benchfmt":
		return errors.New("--format benchfmt: not with --run: it knows no pairs")
	case c.Flags().Changed("rounds") && (f.rounds < 1 || f.rounds > compare.MaxRounds):
		return fmt.Errorf("--rounds %d: must be between 1 and %d", f.rounds, compare.MaxRounds)
	case f.repeats < 1:
		return fmt.Errorf("--repeats %d: must be positive", f.repeats)
	}
	return nil
}

// runInTurns has two programs run a spec in turns and compares what they measured.
func (f *compareFlags) runInTurns(c *cobra.Command, base, new, spec string) error {
	thresholds, err := f.thresholds(c, []compare.Pair{{New: compare.Side{Name: "--profile", Manifest: results.Manifest{Profile: f.turns.profile}}}})
	if err != nil {
		return usage(err)
	}
	dir, err := os.MkdirTemp("", "mercer-turns-")
	if err != nil {
		return err
	}
	contest := turns.Contest{Spec: spec, Profile: f.turns.profile, Each: f.turns.repeats, Dir: dir}
	blocks, err := f.blocks(c, &contest, base, new, thresholds)
	err = errors.Join(err, os.RemoveAll(dir))
	switch {
	case c.Context().Err() != nil || errors.Is(err, context.Canceled):
		return exit{exitInterrupted, errors.New("stopped, and the program that ran was ended; nothing is kept: the same command begins anew")}
	case err != nil:
		return err
	}
	options := compare.Options{Thresholds: thresholds, Metrics: compare.MetricOf, AllowUndecided: f.allowUndecided}
	return f.show(c, compare.CompareTurns(base, new, blocks, options, rand.New(rand.NewPCG(1, 1))))
}

// blocks has the programs run, first once each.
func (f *compareFlags) blocks(c *cobra.Command, contest *turns.Contest, base, new string, t compare.Thresholds) ([]compare.Block, error) {
	var err error
	if contest.Base, err = turns.Find(c.Context(), base); err != nil {
		return nil, err
	}
	if contest.New, err = turns.Find(c.Context(), new); err != nil {
		return nil, err
	}
	fmt.Fprintln(c.ErrOrStderr(), "each program runs once, which does not count")
	started := time.Now()
	oldRun, newRun, err := contest.First(c.Context())
	if err != nil {
		return nil, err
	}
	rounds, cells, err := f.rounds(oldRun, newRun, t)
	if err != nil {
		return nil, err
	}
	total := 4 * rounds
	fmt.Fprintf(c.ErrOrStderr(), "%s with a time, %s of 4 runs, about %s\n", plain.Count(cells, "cell"), plain.Count(rounds, "round"), plain.Duration(time.Since(started)*time.Duration(total)/2))
	progress := newProgress(c.ErrOrStderr(), false)
	defer progress.close()
	started = time.Now()
	return contest.Blocks(c.Context(), oldRun, newRun, rounds, coins(), func(done int) {
		progress.update(runner.Progress{Unit: "runs", Done: done, Total: total, WorkDone: float64(done), WorkTotal: float64(total), Elapsed: time.Since(started)})
	})
}

// rounds is how many rounds the cells take that have a time in both runs.
func (f *compareFlags) rounds(base, new results.Run, t compare.Thresholds) (rounds, cells int, err error) {
	if cells = compare.TimedCells(base, new); cells == 0 {
		return 0, 0, untimed(base, new)
	}
	least := compare.RoundsFor(cells, t.Confidence)
	switch rounds = f.turns.rounds; {
	case rounds == 0:
		return min(2*least, compare.MaxRounds), cells, nil
	case rounds < least && !f.allowUndecided:
		return 0, 0, usage(fmt.Errorf("--rounds %d: too few to decide: it takes %d for %s at confidence %g; --allow-undecided runs them anyway", rounds, least, plain.Count(cells, "cell"), t.Confidence))
	}
	return rounds, cells, nil
}

// untimed says why no cell has a time.
func untimed(base, new results.Run) error {
	for _, r := range append(base.Records, new.Records...) {
		if r.Status != results.OK {
			return fmt.Errorf("no cell has a time in both programs; the first that is not ok: %s %s: %s: %s", r.Dataset, r.Method, r.Status, r.Reason)
		}
	}
	return usage(fmt.Errorf("no cell of %s has a time: add time to measure: in the spec", base.Manifest.Experiment))
}

// coins are fair and independent of all that happens on this machine, as the test of
// the times needs them; the comparison has the order that they gave.
func coins() *rand.Rand {
	var key [32]byte
	_, _ = crypto.Read(key[:]) // it never fails
	return rand.New(rand.NewChaCha8(key))
}
