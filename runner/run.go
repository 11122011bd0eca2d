package runner

import (
	"context"
	"errors"
	"path/filepath"
	"time"

	"mercer/configs"
	"mercer/methods/exec"
	"mercer/results"
	"mercer/runner/plan"
)

// Run carries out what is missing of the plan and writes it to the store in
// o.Dir. Records that are there already, and ok or skipped, are not run again;
// failed ones are. Cells whose points a figure shows and that are missing are
// computed again, and their records stay. What programs of processes that were killed
// have left in $TMPDIR is swept before and after. When ctx ends no new fit is begun, current fits
// are finished and stored, and the summary says Interrupted. A write error stops the
// run; it loses nothing that was stored.
func Run(ctx context.Context, p *plan.Plan, manifest results.Manifest, o Options) (Summary, error) {
	cellMemory, err := configs.ParseMemory(o.CellMemory, ThisMachine().Memory)
	if err != nil {
		return Summary{}, err
	}
	o.cellMemory = int64(cellMemory)
	store, err := results.Open(o.Dir)
	if err != nil {
		return Summary{}, advise(err)
	}
	defer store.Close()
	if o.Fresh {
		if err := store.Clear(); err != nil {
			return Summary{}, advise(err)
		}
	}
	r := &run{computation: newComputation(p, o.CellTimeout), options: o, store: store, given: manifest}
	r.note(exec.Sweep())
	r.writer = &writer{plan: p, store: store, dir: o.Dir, stored: r.stored, show: o.Progress, begun: time.Now()}
	r.count()
	err = r.part(ctx, &manifest)
	for err == nil && ctx.Err() == nil && o.Extend != nil {
		var more *plan.Plan
		if more, err = o.Extend(); more == nil {
			break
		}
		r.extend(more)
		err = r.part(ctx, &manifest)
	}
	r.note(r.endPrograms())
	r.note(exec.Sweep())
	done := r.writer.progress
	summary := Summary{
		Dir: o.Dir, Total: done.Total, Resumed: done.Resumed, Failed: done.Failed,
		Written: done.Done - done.Resumed, Interrupted: ctx.Err() != nil, Warnings: append(r.left, store.Warnings()...),
	}
	if summary.Written > 0 {
		start := &manifest.Starts[len(manifest.Starts)-1]
		start.Finished, start.Written = now(), summary.Written
	}
	if err == nil && !summary.Interrupted && manifest.Finished == "" {
		manifest.Finished = now()
	}
	return summary, advise(errors.Join(err, results.WriteManifest(o.Dir, manifest), store.Close()))
}

// part carries out what is missing of the plan as it is now.
func (r *run) part(ctx context.Context, m *results.Manifest) error {
	if !r.begun {
		*m = r.given
		r.begun = r.startManifest(m)
	}
	m.Keys, m.Cells = r.plan.Keys(), r.plan.Records()
	if err := results.WriteManifest(r.options.Dir, *m); err != nil {
		return err
	}
	return r.all(ctx)
}

func now() string { return time.Now().UTC().Format(time.RFC3339) }

// startManifest dates a manifest. Where earlier starts left records that are still good,
// it keeps their dates and looks; where nothing is left to run it keeps them, and returns false.
func (r *run) startManifest(m *results.Manifest) bool {
	if before, err := results.ReadManifest(r.options.Dir); err == nil && r.writer.progress.Resumed > 0 {
		m.Started, m.Starts = before.Started, before.Starts
		m.TakeLooks(before)
		if r.writer.progress.Done == r.writer.progress.Total {
			m.Finished, m.Machine, m.Commit, m.Versions = before.Finished, before.Machine, before.Commit, before.Versions
			return false
		}
	}
	start := results.Start{Started: now(), Machine: m.Machine, Commit: m.Commit, BLAS: r.blas}
	if m.Started == "" {
		m.Started = start.Started
	}
	m.Starts = append(m.Starts, start)
	return true
}

// DefaultDir is where a run of an experiment under a profile goes.
func DefaultDir(root, experiment, profile string) string {
	return filepath.Join(root, experiment, profile)
}

// advise adds to an error of the run directory what to do about it.
func advise(err error) error {
	return results.Advise(err, "run directory", " (--out, --results)", "nothing that was stored is lost: then run the same command to continue")
}
