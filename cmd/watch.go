package cmd

import (
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"mercer/configs"
	"mercer/internal/claims"
	"mercer/internal/plain"
	"mercer/report"
	"mercer/results"
	"mercer/runner"
	"mercer/runner/verdicts"
)

// watchEvery is how often a watched run is read; a large one is read less often.
const watchEvery = time.Second

func newWatch() *cobra.Command {
	return aboutRun(&cobra.Command{
		Use:   "watch RUN",
		Short: "Follow a run that another process computes, to its verdicts",
		Long: `Follow a run that another process computes, on this machine or on one that shares its
disk: how many records are stored, how many failed, and about how long the rest takes,
from the records that were stored while the command looked on. Every minute, and when a
claim has all its records, it prints the claims that lack some, with their records, complete
cells and open groups (a group has one verdict), and the means so far. Cells that have no record
yet are not counted. All this goes to standard error.

At the end it prints what mercer check prints, and exits as it does. A run that nobody
computes is not waited for. Ctrl-C ends the command, not the run.

Verdicts are not shown before the end, and nothing that is shown counts as a look at them
(docs/verdicts.md): an incomplete run decides nothing. For a run on a cluster: mercer status.`,
		Example: `  mercer watch my-rates
  mercer watch results/my-rates/paper && mail -s done me@example.org < /dev/null`,
	}, func(c *cobra.Command, run results.Run) error {
		run, err := follow(c, run)
		if err != nil {
			return err
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
		if err := checked(c, run, spec, judged); err != nil {
			return err
		}
		return outcome(run, judged, false)
	})
}

// follow shows the progress of a run until nobody computes it any more, and returns the
// run as it is then.
func follow(c *cobra.Command, run results.Run) (results.Run, error) {
	holder := results.Holder(run.Dir)
	if holder == "" {
		return run, nil
	}
	fmt.Fprintln(c.ErrOrStderr(), "computed by", holder)
	p := newProgress(c.ErrOrStderr(), false)
	defer p.close()
	spec, err := verdicts.SpecOf(run)
	if err != nil {
		return run, err
	}
	state := gathering{spec: spec}
	if err := state.print(c, run); err != nil {
		return run, err
	}
	start, before := time.Now(), len(run.Records)
	for p.update(watched(run, before, 0)); holder != ""; p.update(watched(run, before, time.Since(start))) {
		// Asked before the file is read, which then has all that a process stored that has ended.
		holder = results.Holder(run.Dir)
		read := time.Now()
		if run, err = results.Load(run.Dir); err != nil {
			return run, err
		}
		if run.Missing() > 0 {
			if err := state.print(c, run); err != nil {
				return run, err
			}
		}
		select {
		case <-c.Context().Done():
			return run, exit{exitInterrupted, fmt.Errorf("the run goes on; to follow it again: mercer watch %s", plain.Quote(filepath.ToSlash(run.Dir)))}
		case <-time.After(max(watchEvery, 10*time.Since(read))):
		}
	}
	return run, nil
}

// gathering shows what a watched run has so far.
type gathering struct {
	spec     *configs.Spec
	shown    time.Time
	complete int // claims
}

// gatheringEvery is how often it is shown while no claim becomes complete.
const gatheringEvery = time.Minute

// print shows the records of claims and the means so far, where there are any and it is time
// to.
func (g *gathering) print(c *cobra.Command, run results.Run) error {
	if len(run.Records) == 0 {
		return nil // the cells of claims are not known yet
	}
	list, err := claims.Gather(g.spec.Statements(), run, g.spec.Repeats.Looks())
	if err != nil {
		return nil // a claim names what no record has yet; the end of the run says what is wrong
	}
	var open []string
	for _, claim := range list {
		if claim.Open() {
			open = append(open, fmt.Sprintf("%s (%d of %d records, %d of %s complete, %d of %s open)", plain.Text(claim.Claim),
				claim.Records, claim.Due, claim.Complete, plain.Count(claim.Cells, "cell"), claim.OpenGroups, plain.Count(claim.Groups, "group")))
		}
	}
	complete := len(list) - len(open)
	if complete <= g.complete && time.Since(g.shown) < gatheringEvery {
		return nil
	}
	g.shown, g.complete = time.Now(), complete
	w := c.ErrOrStderr()
	fmt.Fprintf(w, "so far %d of %d records\n", len(run.Records), len(run.Records)+run.Missing())
	if len(list) > 0 {
		printOpen(w, fmt.Sprintf("claims with all records: %d of %d", complete, len(list)), open)
	}
	_, err = io.WriteString(w, report.MeansTable(run, report.MainMetrics(run, g.spec, nil), tableOptions(w)))
	return err
}

// watched is the progress of a run of which so many records were there before.
func watched(run results.Run, before int, elapsed time.Duration) runner.Progress {
	failed := 0
	for _, r := range run.Records {
		if r.Status != results.OK && r.Status != results.Skipped {
			failed++
		}
	}
	done, total := len(run.Records), len(run.Records)+run.Missing()
	return runner.Progress{Done: done, Total: total, Failed: failed, Elapsed: elapsed,
		WorkDone: float64(done - before), WorkTotal: float64(total - before)}
}
