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
	"mercer/configs/source"
	"mercer/internal/misuse"
	"mercer/internal/plain"
	"mercer/internal/regular"
	"mercer/results"
	"mercer/runner"
	"mercer/runner/adaptive"
	"mercer/runner/plan"
)

// Request is what to submit, and how.
type Request struct {
	Dir      string        // run folder
	Input    plan.Input    // that the plan is made from
	Spec     *configs.Spec // of the input, parsed
	Limits   configs.CellLimits
	Version  string // of this mercer
	Command  string // that computes the same run on this machine
	Shards   int    // to cut the plan into, at most; 0 for one per ten minutes
	Settings Settings
	Given    func(flag string) bool // says whether the caller gave a flag
	Wait     bool                   // the caller will call [Run.Wait]
	DryRun   bool                   // print scripts and commands; write and queue nothing
	Out      io.Writer              // what is queued
	Notes    io.Writer
}

// submission is a run that is about to be submitted.
type submission struct {
	*Run
	request   Request
	plan      *plan.Plan
	settings  Settings
	offer     Offer
	resources Resources
}

// Submit queues the shards of a new run, or what is missing of one that was
// submitted before. While shards of it are queued the scripts and the frozen plan
// stay as they are; memory, time, partition and arguments of the request then go to
// the shards that are queued now.
func Submit(ctx context.Context, q Request, engines Engines) (*Run, error) {
	s, err := newSubmission(ctx, q, engines)
	if err != nil {
		return nil, err
	}
	if s.plan, err = q.Input.Prepare(ctx, q.Notes, q.Spec); err != nil {
		return nil, err
	}
	for _, note := range s.plan.Notes {
		fmt.Fprintln(q.Notes, "note:", note)
	}
	var done bool
	if s.plan.Spec.Repeats.Adaptive() {
		if s.plan, done, err = s.request.round(ctx, s.plan); err != nil {
			return nil, err
		}
	}
	if err := s.freeze(); err != nil {
		return nil, err
	}
	s.Done = done
	return s.Run, s.locked(ctx, q.DryRun, func() error { return s.submit(ctx) })
}

// round is the part of an adaptive plan that is due by the records in the run's folder: jobs
// do not see each other's results, so that each round of repeats is submitted by itself. Done
// says that the folder has all of it.
func (q *Request) round(ctx context.Context, p *plan.Plan) (due *plan.Plan, done bool, err error) {
	before, there, err := results.Earlier(q.Dir)
	if err != nil {
		return nil, false, err
	}
	if there {
		p.Spec.Repeats = p.Spec.Repeats.Continue(before.Looks, before.Planned())
	}
	e, err := adaptive.New(p, q.Dir)
	if err != nil {
		return nil, false, err
	}
	if due, done, err = e.Resume(ctx, q.Notes); err != nil {
		return nil, false, err
	}
	q.Input.Due = e.Repeats()
	if done {
		fmt.Fprintln(q.Notes, "note: no verdict or target needs more repeats, or may have more")
	} else {
		fmt.Fprintf(q.Notes, "note: repeats are added in rounds; with this one there are %d records, at most %d. When it is merged, mercer submit %s adds what open verdicts and targets need\n",
			due.Records(), p.Records(), plain.Quote(q.Dir))
	}
	return due, done, nil
}

// nextRound submits a run in rounds as its spec would, with what its frozen plan has.
func (r *Run) nextRound(ctx context.Context, q Request, engines Engines) (*Run, error) {
	q.Input, q.Limits, q.Command = r.Frozen.Input, r.Frozen.CellLimits, r.Frozen.Command
	q.Input.Due, q.Settings.Engine = nil, r.jobs.Settings.Engine
	var err error
	if q.Spec, err = source.Parse(q.Input.File, []byte(q.Input.Spec)); err != nil {
		return nil, err
	}
	return Submit(ctx, q, engines)
}

// Again queues what is missing of the run in a folder by the scripts that are there;
// the settings given go to these shards alone.
func Again(ctx context.Context, q Request, engines Engines) (*Run, error) {
	for _, flag := range []string{"engine", "profile", "filter", "shards", "cpus", "setup", "kubernetes", "volume", "threads", "out", "results", "stream", "isolate", "cell-timeout", "cell-memory", "skip-missing-data"} {
		if q.Given(flag) {
			return nil, misuse.Errorf("--%s: %s was submitted with a fixed value; give the spec instead of the folder", flag, q.Dir)
		}
	}
	r, err := Open(q.Dir, engines)
	if err != nil {
		return nil, err
	}
	if r.InRounds() {
		return r.nextRound(ctx, q, engines)
	}
	offer, err := q.available(ctx, r.Engine, q.Settings, r.Dir)
	if err != nil {
		return nil, err
	}
	if err := r.Frozen.Program.Check(r.Path(Binary)); err != nil {
		return nil, err
	}
	return r, r.locked(ctx, q.DryRun, func() error {
		known, err := r.queue(ctx)
		if err != nil {
			return err
		}
		o := Order{Layout: r.Layout, Settings: r.jobs.Settings, Override: q.Settings, Resources: Resources{Time: offer.Time}, Keep: true, DryRun: q.DryRun, Out: q.Out}
		return r.order(ctx, known, o, func() error { return nil })
	})
}

// available is what an engine offers the request with these settings; a dry run needs no
// scheduler.
func (q Request) available(ctx context.Context, engine Engine, s Settings, dir string) (Offer, error) {
	offer, err := engine.Available(ctx, s, dir)
	switch refused := errors.As(err, new(misuse.Error)); {
	case refused || err != nil && !q.DryRun:
		return offer, err
	case q.Wait && offer.Queue == "":
		return offer, misuse.Errorf("--wait: mercer does not see the tasks of a script; mercer status RUN shows what they have stored")
	}
	return offer, nil
}

// newSubmission fails where the engine does not take the request.
func newSubmission(ctx context.Context, q Request, engines Engines) (*submission, error) {
	engine, err := engines.choose(q.Settings)
	if err != nil {
		return nil, err
	}
	dir, err := realDir(q.Dir)
	if err != nil {
		return nil, err
	}
	r := &Run{Layout: Layout{Dir: dir, Experiment: q.Spec.Name}, Engine: engine}
	if err := r.readJobs(); err != nil {
		return nil, err
	}
	s := &submission{Run: r, request: q, settings: q.Settings.Over(r.jobs.Settings)}
	s.offer, err = q.available(ctx, engine, s.settings, dir)
	return s, err
}

// freeze freezes the plan and cuts it into shards. It writes nothing.
func (s *submission) freeze() (err error) {
	q, p := s.request, s.plan
	workers := workers(s.settings, p)
	shards := q.Shards
	if shards == 0 {
		shards = int(math.Ceil(p.Seconds() / shardSeconds / float64(workers)))
	}
	if most := s.offer.Shards; shards > most {
		fmt.Fprintf(q.Notes, "note: %d shards instead of %d, the most that one job array takes here\n", most, shards)
		shards = most
	}
	s.Keys, s.Frozen = p.Keys(), p.Freeze(q.Input, max(1, shards))
	s.Frozen.Command, s.Frozen.CellLimits, s.Frozen.Workers = q.Command, q.Limits, workers
	s.resources, err = allot(s.offer, s.settings, &s.Frozen, p)
	return err
}

func (s *submission) submit(ctx context.Context) error {
	q := s.request
	earlier, err := s.earlier(ctx)
	if err != nil {
		return err
	}
	known, err := s.queue(ctx)
	if err != nil && !q.DryRun {
		return err
	}
	for _, dir := range known.elsewhere {
		fmt.Fprintf(q.Notes, "note: the same plan is queued for %s too\n", dir)
	}
	live := known.live()
	if len(live) > 0 {
		if err := s.stays(earlier, live); err != nil {
			return err
		}
		s.Frozen = earlier // with the program and the scripts that its jobs use
	}
	o := Order{Layout: s.Layout, Settings: s.settings, Resources: s.resources, Keep: len(live) > 0, DryRun: q.DryRun, Out: q.Out}
	if o.Keep {
		o.Settings, o.Override = s.jobs.Settings, q.Settings
	}
	return s.order(ctx, known, o, s.write)
}

// order gives the engine the shards that are missing; write writes what their jobs
// need.
func (r *Run) order(ctx context.Context, q queue, o Order, write func() error) error {
	stored, err := r.stored()
	if err != nil {
		return err
	}
	live := q.live()
	if len(live) > 0 {
		fmt.Fprintf(o.Out, "already queued: %s of %s\n", shardsText(live), r.Dir)
	}
	if o.Shards = q.missing(stored); len(o.Shards) == 0 {
		if len(live) == 0 {
			fmt.Fprintf(o.Out, "nothing to submit: all %d records are stored; mercer merge %s judges and reports\n", r.Frozen.Records, plain.Quote(r.Dir))
		}
		return nil
	}
	if !o.DryRun && !o.Keep {
		r.jobs.Settings = o.Settings
		if err := write(); err != nil {
			return err
		}
	}
	if o.Override.Time != "" {
		_, o.Resources.Warning = timeLimit(o.Resources.Time, r.Frozen.Shards)
	}
	fmt.Fprintf(o.Out, "%d records in %d shards; to submit: %s\n", r.Frozen.Records, len(r.Frozen.Shards), shardsText(o.Shards))
	err = r.Engine.Submit(ctx, o, func(j Job) error {
		what := "merge and report, when all of these have ended"
		if j.Shards != nil {
			what = shardsText(j.Shards)
		}
		fmt.Fprintf(o.Out, "submitted job %s: %s\n", j.ID, what)
		j.At = timestamp()
		r.jobs.Submitted = append(r.jobs.Submitted, j)
		return r.writeJobs()
	})
	if err != nil && !o.DryRun {
		return fmt.Errorf("%w\nwhat was submitted is computed; to submit the rest: mercer submit %s", err, plain.Quote(r.Dir))
	}
	return err
}

// earlier reads the frozen plan of an earlier submit, if there is one. The cut of
// the same plan stays; another plan must not be queued.
func (s *submission) earlier(ctx context.Context) (plan.Frozen, error) {
	earlier, err := plan.ReadFrozen(s.Path(FrozenFile))
	switch {
	case errors.Is(err, os.ErrNotExist):
	case err != nil:
		fmt.Fprintln(s.request.Notes, "note:", err)
	case earlier.Digest == s.Frozen.Digest:
		if s.request.Shards > 0 && !slices.EqualFunc(earlier.Shards, s.Frozen.Shards, plan.Shard.Same) {
			return earlier, misuse.Errorf("%s is cut into %d shards already: leave --shards out, or choose another folder with --out", s.Dir, len(earlier.Shards))
		}
		s.Frozen.Cut(earlier.Shards, s.Keys)
	default:
		before := &Run{Layout: Layout{s.Dir, earlier, s.Experiment}, Engine: s.Engine}
		if q, err := before.queue(ctx); err != nil && !s.request.DryRun {
			return earlier, err
		} else if live := q.live(); len(live) > 0 {
			return earlier, fmt.Errorf("an earlier plan of %s is still queued (%s): scancel --name=%s, or choose another folder with --out", s.Dir, shardsText(live), before.Name())
		}
	}
	return earlier, nil
}

// stays refuses what a submit cannot change while shards are queued: the plan, and
// what their scripts and the frozen plan say of how a shard is computed.
func (s *submission) stays(earlier plan.Frozen, live []int) error {
	if earlier.Digest != s.Frozen.Digest {
		return fmt.Errorf("%s are queued, and their plan %s cannot be read: scancel --name=%s, then submit again", shardsText(live), s.Path(FrozenFile), s.Name())
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
			return misuse.Errorf("--%s: shards of %s are queued with %q, which a submit cannot change: leave it out, or end them first: scancel --name=%s",
				fixed.flag, s.Dir, fmt.Sprint(fixed.here), s.Name())
		}
	}
	return nil
}

// write writes what the jobs need, but for the engine's scripts.
func (s *submission) write() error {
	if err := regular.Folder(s.Path(LogFolder)); err != nil {
		return err
	}
	var err error
	if s.Frozen.Program, err = copyProgram(s.Path(Binary), s.request.Version); err != nil {
		return fmt.Errorf("copy of mercer: %w", err)
	}
	in := s.request.Input
	manifest := runner.NewManifest(s.plan, in.Profile, in.Spec, s.request.Command, s.request.Version, runner.ThisMachine())
	manifest.File, manifest.Dir = in.File, in.Dir
	manifest.Keys, manifest.Cells, manifest.Started = s.Keys, len(s.Keys), timestamp()
	before, there, err := results.Earlier(s.Dir)
	if err != nil {
		return err
	}
	if there {
		if slices.Equal(before.Keys, s.Keys) {
			manifest = before
		} else {
			manifest.Starts = before.Starts // of records that may still be wanted
			manifest.TakeLooks(before)
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
	binary, err := os.ReadFile(own)
	if err != nil {
		return p, err
	}
	if err := errors.Join(results.WriteAtomic(path, binary), os.Chmod(path, 0o755)); err != nil {
		return p, err
	}
	return p, p.Check(path)
}
