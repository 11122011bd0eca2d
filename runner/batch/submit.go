package batch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"

	"mercer/configs"
	"mercer/results"
	"mercer/runner/batch/slurm"
	"mercer/runner/plan"
)

// Request is what New makes a run of.
type Request struct {
	Dir      string // run folder
	Input    plan.Input
	Plan     *plan.Plan // that is made from it
	Profile  configs.RunProfile
	Manifest results.Manifest
	Command  string // that computes the same run on this machine
	Shards   int    // to cut the plan into, at most; 0 for one per ten minutes
	Settings Settings
	Given    func(flag string) bool // says whether the caller gave a flag
}

// Submission is a run that is about to be submitted.
type Submission struct {
	*Run
	request   Request
	settings  Settings
	resources Resources
}

// New freezes a plan and cuts it into shards. It writes nothing.
func New(q Request, engine Engine) (*Submission, error) {
	dir, err := realDir(q.Dir)
	if err != nil {
		return nil, err
	}
	r := &Run{Dir: dir, Keys: q.Plan.Keys(), Engine: engine, experiment: q.Plan.Spec.Name}
	if err := r.readJobs(); err != nil {
		return nil, err
	}
	s := &Submission{Run: r, request: q, settings: q.Settings.over(r.jobs.Settings)}
	workers := workers(s.settings, q.Plan)
	shards := q.Shards
	if shards == 0 {
		shards = int(math.Ceil(q.Plan.Seconds() / shardSeconds / float64(workers)))
	}
	r.Frozen = q.Plan.Freeze(q.Input, max(1, shards))
	r.Frozen.Command = q.Command
	r.Frozen.CellTimeout, r.Frozen.CellMemory, r.Frozen.Isolate = q.Profile.CellTimeout, q.Profile.CellMemory, q.Profile.Isolate
	r.Frozen.Workers = workers
	s.resources, err = s.allot()
	return s, err
}

// Submit queues the shards of a new run, or what is missing of one that was
// submitted before. While shards of it are queued the scripts and the frozen plan
// stay as they are; memory, time, partition and arguments of the request then go to
// the shards that are queued now.
func (s *Submission) Submit(ctx context.Context, dryRun bool, out, notes io.Writer) error {
	do := func() error { return s.submit(ctx, dryRun, out, notes) }
	if dryRun {
		return do()
	}
	return s.locked(ctx, do)
}

func (s *Submission) submit(ctx context.Context, dryRun bool, out, notes io.Writer) error {
	earlier, err := s.earlier(ctx, dryRun, notes)
	if err != nil {
		return err
	}
	q, err := s.queue(ctx)
	if err != nil && !dryRun {
		return err
	}
	for _, dir := range q.elsewhere {
		fmt.Fprintf(notes, "note: the same plan is queued for %s too\n", dir)
	}
	live := q.live()
	if len(live) > 0 {
		if err := s.stays(earlier, live); err != nil {
			return err
		}
		s.Frozen = earlier // with the program and the scripts that its jobs use
	}
	o := Order{Run: s.Run, Settings: s.settings, Resources: s.resources, Keep: len(live) > 0, DryRun: dryRun, Out: out}
	if o.Keep {
		o.Settings, o.Override = s.jobs.Settings, s.request.Settings
	}
	return s.order(ctx, q, o, s.write)
}

// Again queues what is missing of a run by the scripts that are there; the
// settings given go to these shards alone.
func (r *Run) Again(ctx context.Context, given Settings, dryRun bool, out io.Writer) error {
	do := func() error {
		q, err := r.queue(ctx)
		if err != nil {
			return err
		}
		o := Order{Run: r, Settings: r.jobs.Settings, Override: given, Keep: true, DryRun: dryRun, Out: out}
		return r.order(ctx, q, o, func() error { return nil })
	}
	if err := r.Frozen.Program.Check(r.Path(Binary)); err != nil {
		return err
	}
	if dryRun {
		return do()
	}
	return r.locked(ctx, do)
}

// order gives the engine the shards that are missing; write writes what their jobs
// need.
func (r *Run) order(ctx context.Context, q queue, o Order, write func() error) error {
	states, err := r.states()
	if err != nil {
		return err
	}
	live := q.live()
	if len(live) > 0 {
		fmt.Fprintf(o.Out, "already queued: %s of %s\n", shardsText(live), r.Dir)
	}
	if o.Shards = q.missing(states); len(o.Shards) == 0 {
		if len(live) == 0 {
			fmt.Fprintf(o.Out, "nothing to submit: all %d records are stored; mercer merge %s judges and reports\n", r.Frozen.Records, slurm.Quote(r.Dir))
		}
		return nil
	}
	if !o.DryRun && !o.Keep {
		r.jobs.Settings = o.Settings
		if err := write(); err != nil {
			return err
		}
	}
	fmt.Fprintf(o.Out, "%d records in %d shards; to submit: %s\n", r.Frozen.Records, len(r.Frozen.Shards), shardsText(o.Shards))
	err = r.Engine.Submit(ctx, o, func(j Job) error {
		j.At = timestamp()
		r.jobs.Submitted = append(r.jobs.Submitted, j)
		return r.writeJobs()
	})
	if err != nil && !o.DryRun {
		return fmt.Errorf("%w\nwhat was submitted is computed; to submit the rest: mercer submit %s", err, slurm.Quote(r.Dir))
	}
	return err
}

// earlier reads the frozen plan of an earlier submit, if there is one. The cut of
// the same plan stays; another plan must not be queued.
func (s *Submission) earlier(ctx context.Context, dryRun bool, notes io.Writer) (plan.Frozen, error) {
	earlier, err := plan.ReadFrozen(s.Path(FrozenFile))
	switch {
	case errors.Is(err, os.ErrNotExist):
	case err != nil:
		fmt.Fprintln(notes, "note:", err)
	case earlier.Digest == s.Frozen.Digest:
		if s.request.Shards > 0 && !slices.EqualFunc(earlier.Shards, s.Frozen.Shards, plan.Shard.Same) {
			return earlier, Misuse{fmt.Errorf("%s is cut into %d shards already: leave --shards out, or choose another folder with --out", s.Dir, len(earlier.Shards))}
		}
		s.Frozen.Cut(earlier.Shards, s.Keys)
	default:
		before := &Run{Dir: s.Dir, Engine: s.Engine, Frozen: earlier, experiment: s.experiment}
		if q, err := before.queue(ctx); err != nil && !dryRun {
			return earlier, err
		} else if live := q.live(); len(live) > 0 {
			return earlier, fmt.Errorf("an earlier plan of %s is still queued (%s): scancel --name=%s, or choose another folder with --out", s.Dir, shardsText(live), before.name())
		}
	}
	return earlier, nil
}

// stays refuses what a submit cannot change while shards are queued: the plan, and
// what their scripts and the frozen plan say of how a shard is computed.
func (s *Submission) stays(earlier plan.Frozen, live []int) error {
	if earlier.Digest != s.Frozen.Digest {
		return fmt.Errorf("%s are queued, and their plan %s cannot be read: scancel --name=%s, then submit again", shardsText(live), s.Path(FrozenFile), s.name())
	}
	for _, fixed := range []struct {
		flag        string
		given, here any
	}{
		{"cpus", s.request.Settings.CPUs, s.jobs.Settings.CPUs},
		{"setup", s.request.Settings.Setup, s.jobs.Settings.Setup},
		{"cell-timeout", s.Frozen.CellTimeout, earlier.CellTimeout},
		{"cell-memory", s.Frozen.CellMemory, earlier.CellMemory},
		{"isolate", s.Frozen.Isolate, earlier.Isolate},
	} {
		if s.request.Given(fixed.flag) && fixed.given != fixed.here {
			return Misuse{fmt.Errorf("--%s: shards of %s are queued with %q, which a submit cannot change: leave it out, or end them first: scancel --name=%s",
				fixed.flag, s.Dir, fmt.Sprint(fixed.here), s.name())}
		}
	}
	return nil
}

// write writes what the jobs need, but for the engine's scripts.
func (s *Submission) write() error {
	if err := os.MkdirAll(s.Path(LogFolder), 0o777); err != nil {
		return err
	}
	var err error
	if s.Frozen.Program, err = copyProgram(s.Path(Binary), s.request.Manifest.Versions["mercer"]); err != nil {
		return fmt.Errorf("copy of mercer: %w", err)
	}
	manifest := s.request.Manifest
	manifest.Keys, manifest.Cells, manifest.Started = s.Keys, len(s.Keys), timestamp()
	if before, err := results.ReadManifest(s.Dir); err == nil {
		if slices.Equal(before.Keys, s.Keys) {
			manifest = before
		} else {
			manifest.Starts = before.Starts // of records that may still be wanted
		}
	}
	if err := results.WriteManifest(s.Dir, manifest); err != nil {
		return err
	}
	if err := s.Frozen.Write(s.Path(FrozenFile)); err != nil {
		return err
	}
	return s.writeJobs()
}

// copyProgram copies the running binary, unless the copy is the same already.
func copyProgram(path, version string) (plan.Program, error) {
	p := plan.Program{File: filepath.Base(path), Version: version}
	own, err := os.Executable()
	if err != nil {
		return p, err
	}
	if p.SHA256, err = plan.FileSHA256(own); err != nil || p.Check(path) == nil {
		return p, err
	}
	from, err := os.Open(own)
	if err != nil {
		return p, err
	}
	defer from.Close()
	to, err := os.CreateTemp(filepath.Dir(path), ".mercer.*")
	if err != nil {
		return p, err
	}
	_, err = io.Copy(to, from)
	if err = errors.Join(err, to.Chmod(0o755), to.Sync(), to.Close()); err == nil {
		err = os.Rename(to.Name(), path)
	}
	if err != nil {
		return p, errors.Join(err, os.Remove(to.Name()))
	}
	return p, p.Check(path)
}
