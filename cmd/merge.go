package cmd

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"mercer/configs"
	"mercer/results"
	"mercer/runner/batch/slurm"
)

func newMerge() *cobra.Command {
	var root string
	var strict bool
	c := &cobra.Command{
		Use:   "merge RUN [DIRECTORY...]",
		Short: "Gather the shards of a submitted run, or runs made elsewhere, judge and report",
		Long: `Gather the records of a run's shards, and of further run directories of the same
plan, into RUN, then judge its claims and write its report, as mercer run does. What
is missing is named. It may be done at any time, also while shards are running, and
again: what is there stays as it is, byte for byte.

Further directories are runs of the same spec, profile and data, made on another
machine or with a --filter: their records must be among those of RUN. Where there is
no RUN yet, the first directory says what it is. RUN is a run directory or the name
of an experiment, which means its latest run.

Records that are ok or skipped win over those that failed, and earlier ones stay.

Exit codes are those of mercer run: 1 also where records are missing.`,
		Example: `  mercer merge results/my-rates/paper
  mercer merge whole night-1/results/my-rates/paper night-2/results/my-rates/paper`,
		Args: arguments(cobra.MinimumNArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			dir, err := results.Latest(root, args[0])
			if err != nil && len(args) > 1 {
				dir, err = args[0], startFrom(args[0], args[1])
			}
			if err != nil {
				return usage(err)
			}
			return mergeRun(c, dir, args[1:], strict)
		},
	}
	c.Flags().StringVar(&root, "results", resultsRoot, "directory that holds all runs")
	c.Flags().BoolVar(&strict, "strict", false, "exit with 5 if a claim is inconclusive")
	return c
}

// startFrom makes a run directory of the plan of another.
func startFrom(dir, other string) error {
	m, err := results.ReadManifest(other)
	if err != nil {
		return err
	}
	m.Starts, m.Finished = nil, ""
	return results.WriteManifest(dir, m)
}

func mergeRun(c *cobra.Command, dir string, others []string, strict bool) error {
	manifest, err := results.ReadManifest(dir)
	if err != nil {
		return usage(err)
	}
	profile, err := configs.LoadProfile(manifest.Profile)
	if err != nil {
		return err
	}
	var b *batch
	var sources []results.Source
	if _, err := os.Stat(filepath.Join(dir, batchFolder, frozenFile)); err == nil {
		if b, err = openBatch(dir); err != nil {
			return err
		}
		sources = b.frozen.Sources(b.dir)
	} else if len(others) == 0 {
		return usage(fmt.Errorf("%s was not submitted to Slurm, so it has no shards; name the run directories to gather from", dir))
	}
	for _, other := range others {
		if err := samePlan(manifest, other); err != nil {
			return usage(err)
		}
		sources = append(sources, results.Source{Dir: other})
	}
	if sources, err = distinct(dir, sources); err != nil {
		return usage(err)
	}
	merged, err := mergeWaiting(c, dir, sources)
	for _, warning := range merged.Warnings {
		fmt.Fprintln(c.ErrOrStderr(), "warning:", warning)
	}
	if err != nil {
		return err
	}
	if len(merged.BLAS) > 1 {
		fmt.Fprintf(c.ErrOrStderr(), "warning: records were computed on different back ends (%s), whose rounding differs; choose nodes of one kind, by --sbatch-arg=--constraint=..., or MERCER_BLAS\n", strings.Join(merged.BLAS, ", "))
	}
	if merged.Differ > 0 {
		fmt.Fprintf(c.ErrOrStderr(), "warning: %d records have other numbers in another directory; see above\n", merged.Differ)
	}
	fmt.Fprintf(c.ErrOrStderr(), "%d of %d records are there, %d of them failed; %d are new\n", merged.Present, merged.Wanted, merged.Present-merged.Final, merged.Added)
	if b != nil && merged.Final < merged.Wanted {
		if err := b.tellMissing(c); err != nil {
			return err
		}
	}
	return (&runFlags{}).conclude(c, dir, strict || profile.Strict)
}

// distinct leaves out directories that are named again, and names those without a
// name by the one name of their directory, so that a second merge finds the first.
func distinct(dir string, sources []results.Source) ([]results.Source, error) {
	own, err := realDir(dir)
	if err != nil {
		return nil, err
	}
	var kept []results.Source
	known := map[string]bool{}
	for _, s := range sources {
		real, err := realDir(s.Dir)
		if err != nil {
			return nil, err
		}
		if real == own {
			return nil, fmt.Errorf("%s is the run itself: name others to gather from", s.Dir)
		}
		if known[real] {
			continue
		}
		known[real] = true
		if s.Name == "" {
			s.Name = filepath.ToSlash(real)
		}
		kept = append(kept, s)
	}
	return kept, nil
}

// mergeWaiting merges; another merge or submit is waited for.
func mergeWaiting(c *cobra.Command, dir string, sources []results.Source) (results.Merged, error) {
	for end := time.Now().Add(time.Minute); ; {
		merged, err := results.Merge(dir, sources)
		if !errors.Is(err, results.ErrLocked) || time.Now().After(end) {
			return merged, err
		}
		if err := pause(c.Context(), 200*time.Millisecond); err != nil {
			return merged, err
		}
	}
}

// samePlan says why the run in a directory is no part of that of a manifest.
func samePlan(m results.Manifest, dir string) error {
	other, err := results.ReadManifest(dir)
	if err != nil {
		return err
	}
	known := make(map[string]bool, len(m.Keys))
	for _, key := range m.Keys {
		known[key] = true
	}
	foreign := 0
	for _, key := range other.Keys {
		if !known[key] {
			foreign++
		}
	}
	if foreign == 0 {
		return nil
	}
	why := "its data, methods, timing or mercer's version differ"
	switch {
	case other.Experiment != m.Experiment:
		why = fmt.Sprintf("it is of experiment %q, not %q", other.Experiment, m.Experiment)
	case other.SpecHash != m.SpecHash:
		why = "its spec is another"
	case other.Profile != m.Profile:
		why = fmt.Sprintf("its profile is %s, not %s", other.Profile, m.Profile)
	case m.Filter != "":
		why = fmt.Sprintf("the run has the filter %q", m.Filter)
	}
	return fmt.Errorf("%s is of another plan: %d of its %d records are none of the run's: %s", dir, foreign, len(other.Keys), why)
}

// tellMissing names the shards that are not complete and what may be done.
func (b *batch) tellMissing(c *cobra.Command) error {
	states, err := b.frozen.States(b.dir, b.keys)
	if err != nil {
		return err
	}
	q, asked := b.ask(c)
	const most = 20
	incomplete := 0
	for _, s := range states {
		if s.Complete() {
			continue
		}
		if incomplete++; incomplete > most {
			continue
		}
		text := fmt.Sprintf("shard %d: %d of %d records", s.Index, s.Final, s.Due)
		if s.Failed > 0 {
			text += fmt.Sprintf(", %d failed (%s)", s.Failed, s.Reason)
		}
		if asked {
			text += "; " + q.explain(s.Index)
		}
		fmt.Fprintln(c.ErrOrStderr(), text)
	}
	if incomplete > most {
		fmt.Fprintf(c.ErrOrStderr(), "and %d more; mercer status %s has all\n", incomplete-most, quoteWord(b.dir))
	}
	fmt.Fprintf(c.ErrOrStderr(), "to submit what is neither there nor queued: mercer resume %s\n", quoteWord(b.dir))
	return nil
}

// ask asks Slurm for what explains; without an answer everything is unknown, and why
// is told unless there is no Slurm here.
func (b *batch) ask(c *cobra.Command) (queue, bool) {
	err := slurm.Available()
	if errors.Is(err, slurm.ErrAbsent) {
		return queue{}, false
	}
	var q queue
	if err == nil {
		q, err = b.queue(c.Context())
	}
	if err != nil {
		fmt.Fprintln(c.ErrOrStderr(), "note:", err)
		return queue{}, false
	}
	return q, true
}

// finish waits until no job of the run is left, then merges, judges and reports.
func (b *batch) finish(c *cobra.Command, strict bool) error {
	keys := b.keys
	b, err := openBatch(b.dir)
	if err != nil {
		return err
	}
	b.keys = keys
	wait, last := time.Second, ""
	for {
		q, err := b.queue(c.Context())
		switch {
		case err == nil && !q.busy():
			return mergeRun(c, b.dir, nil, strict)
		case err != nil && c.Context().Err() == nil:
			fmt.Fprintln(c.ErrOrStderr(), "note:", err)
		case err == nil:
			if now := q.count(); now != last {
				fmt.Fprintln(c.ErrOrStderr(), now)
				last, wait = now, time.Second
			}
		}
		if pause(c.Context(), wait) != nil {
			return exit{exitInterrupted, fmt.Errorf("no longer waiting; the jobs go on: mercer status %s", quoteWord(b.dir))}
		}
		wait = min(wait*3/2, 30*time.Second)
	}
}

// count says how many shards are in which state.
func (q queue) count() string {
	running, waiting, ended := 0, 0, 0
	for _, t := range q.shards {
		switch {
		case t.State == "PENDING":
			waiting++
		case t.Live():
			running++
		default:
			ended++
		}
	}
	return fmt.Sprintf("shards: %d wait, %d run, %d have ended", waiting, running, ended)
}
