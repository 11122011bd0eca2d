package cmd

import (
	"fmt"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"mercer/results"
	"mercer/runner"
	"mercer/runner/batch"
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
from the records that were stored while the command looked on. At the end it prints what
mercer check prints, and exits as it does. A run that nobody computes is not waited for.
Ctrl-C ends the command, not the run.

Verdicts are not shown before the end, because each look at them counts: mercer check
judges what is there. For a run on a cluster: mercer status.`,
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
	start, before := time.Now(), len(run.Records)
	for p.update(watched(run, before, 0)); holder != ""; p.update(watched(run, before, time.Since(start))) {
		// Asked before the file is read, which then has all that a process stored that has ended.
		holder = results.Holder(run.Dir)
		read := time.Now()
		var err error
		if run, err = results.Load(run.Dir); err != nil {
			return run, err
		}
		select {
		case <-c.Context().Done():
			return run, exit{exitInterrupted, fmt.Errorf("the run goes on; to follow it again: mercer watch %s", batch.Quote(filepath.ToSlash(run.Dir)))}
		case <-time.After(max(watchEvery, 10*time.Since(read))):
		}
	}
	return run, nil
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
