package batch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"sync/atomic"
	"time"

	"mercer/internal/misuse"
	"mercer/internal/plain"
	"mercer/results"
	"mercer/runner"
	"mercer/runner/plan"
)

// ShardRequest is what Compute computes.
type ShardRequest struct {
	Frozen  string // file of the frozen plan, RUN/batch/plan.json
	Index   int
	Place   Place    // the job that this process belongs to
	Version string   // of this mercer
	Worker  []string // the command line of a worker process
	Show    func(runner.Progress)
	Note    func(text string)
	Log     io.Writer // progress of downloads
}

// Place is the job that a process belongs to; the zero value outside of any.
type Place struct {
	CPUs      int       // 0 where the scheduler does not say
	Memory    int64     // bytes, 0 where the scheduler does not say
	Node      string    // its name
	Restarted bool      // by the scheduler itself: the job was not submitted anew
	Warning   os.Signal // that the scheduler sends before the time limit
	Task      string    // the scheduler's name for a job that can be put back into the queue
	Requeue   func(ctx context.Context) error
}

// Compute computes a shard of a frozen plan into a folder of its own. A job of a
// scheduler has the processors and the memory of its place. A warning before
// its time limit stops it after the fits in hand, and it puts itself back into the queue.
func Compute(ctx context.Context, q ShardRequest) error {
	ctx, warned, stop := warnable(ctx, q.Place.Warning, q.Note)
	defer stop()
	s, err := openShard(ctx, q)
	if err != nil {
		return err
	}
	q.Note(fmt.Sprintf("shard %d of %d, %d records, on %s", q.Index, len(s.frozen.Shards), s.plan.Records(), hostname(q.Place.Node)))
	summary, err := s.run(ctx, q)
	for _, warning := range summary.Warnings {
		q.Note(warning)
	}
	if err != nil {
		return err
	}
	if summary.Resumed+summary.Written < summary.Total {
		return s.unfinished(context.WithoutCancel(ctx), summary, warned.Load(), q.Note)
	}
	if failed := summary.Failed + s.left; failed > 0 {
		return fmt.Errorf("%d of %d records failed; to try them again: mercer submit %s", failed, summary.Total+s.left, plain.Quote(s.dir))
	}
	return nil
}

// shard is one that is about to be computed.
type shard struct {
	frozen plan.Frozen
	plan   *plan.Plan
	dir    string // of the run
	place  Place
	left   int // records that failed before and are not tried again
}

// openShard makes the plan of a shard. It fails where this mercer or the data are not
// those of the frozen plan.
func openShard(ctx context.Context, q ShardRequest) (*shard, error) {
	frozen, err := plan.ReadFrozen(q.Frozen)
	if err != nil {
		return nil, misuse.Mark(err)
	}
	if q.Index < 0 || q.Index >= len(frozen.Shards) {
		return nil, misuse.Errorf("--index %d: the plan has shards 0 to %d", q.Index, len(frozen.Shards)-1)
	}
	own, err := os.Executable()
	if err != nil {
		return nil, err
	}
	if err := frozen.Program.Check(own); err != nil {
		return nil, err
	}
	file, err := filepath.Abs(q.Frozen)
	if err != nil {
		return nil, err
	}
	s := &shard{frozen: frozen, dir: filepath.Dir(filepath.Dir(file)), place: q.Place}
	if s.plan, err = frozen.Plan(ctx, q.Log, q.Index); err != nil {
		return nil, err
	}
	if frozen.Input.Due != nil {
		err = leaveStored(s.plan, s.dir)
	}
	if q.Place.Restarted && err == nil {
		s.left, err = leaveFailed(s.plan, shardDir(s.dir, q.Index))
	}
	return s, err
}

// leaveStored takes from a shard of a round what the run has from earlier rounds, which were
// cut otherwise.
func leaveStored(p *plan.Plan, run string) error {
	tally, err := results.Survey(run)
	p.Keep(func(key string) bool { return !tally.Final[key] })
	return err
}

// leaveFailed takes from a task that the engine has started again the records that
// failed before, so that it makes progress, and returns how many. A task that was submitted
// again tries them again.
func leaveFailed(p *plan.Plan, dir string) (int, error) {
	tally, err := results.Survey(dir)
	if err != nil {
		return 0, err
	}
	before := p.Records()
	p.Keep(func(key string) bool { _, failed := tally.Failed[key]; return !failed })
	return before - p.Records(), nil
}

// run runs a shard. Where an earlier start of it, on a node that is lost, still holds its folder, it waits for that to end.
func (s *shard) run(ctx context.Context, q ShardRequest) (runner.Summary, error) {
	in := s.frozen.Input
	manifest := runner.NewManifest(s.plan, in.Profile, in.Spec, s.frozen.Command, q.Version, runner.ThisMachine())
	manifest.File, manifest.Dir = in.File, in.Dir
	workers, memory := allotted(s.frozen, s.place)
	options := runner.Options{
		Dir: shardDir(s.dir, q.Index), Workers: workers, Memory: memory,
		CellLimits: s.frozen.CellLimits, Worker: q.Worker, Progress: q.Show,
	}
	for waiting := false; ; waiting = true {
		summary, err := runner.Run(ctx, s.plan, manifest, options)
		if !errors.Is(err, results.ErrLocked) {
			return summary, err
		}
		if !waiting {
			q.Note(fmt.Sprintf("%v; waiting for it", err))
		}
		if pause(ctx, time.Second) != nil {
			return summary, err
		}
	}
}

// allotted are the workers and the bytes that a shard's job has, else the plan's.
func allotted(frozen plan.Frozen, place Place) (workers int, memory int64) {
	workers, memory = cmp.Or(place.CPUs, frozen.Workers), cmp.Or(place.Memory, frozen.Memory)
	if memory > 0 {
		memory = max(1, memory-processMemory/2)
	}
	return workers, memory
}

// unfinished ends a shard that was stopped. After a warning of the time limit it
// puts its task back into the queue, if this start finished a record: a record that
// takes longer than the limit would be started again without end. A failed record does not count.
func (s *shard) unfinished(ctx context.Context, done runner.Summary, warned bool, note func(string)) error {
	state := fmt.Sprintf("stopped with %d of %d records", done.Resumed+done.Written, done.Total)
	again := "to continue: mercer submit " + plain.Quote(s.dir)
	if !warned || s.place.Task == "" {
		return Stopped{fmt.Errorf("%s; %s", state, again)}
	}
	if done.Written == done.Failed {
		return fmt.Errorf("%s, and none was finished within the time limit: give it more by mercer submit %s --time TIME", state, plain.Quote(s.dir))
	}
	note(fmt.Sprintf("%s; requeued as %s", state, s.place.Task))
	if err := s.place.Requeue(ctx); err != nil {
		return Stopped{fmt.Errorf("%w\n%s", err, again)}
	}
	return Stopped{}
}

// warnable is a context that the scheduler's warning before the time limit ends, too.
func warnable(parent context.Context, warning os.Signal, note func(string)) (ctx context.Context, warned *atomic.Bool, stop func()) {
	ctx, cancel := context.WithCancel(parent)
	signals := make(chan os.Signal, 1)
	if warning != nil {
		signal.Notify(signals, warning)
	}
	warned = new(atomic.Bool)
	go func() {
		select {
		case <-signals:
			note("the time limit is near: stopping as soon as the current work is finished and stored")
			warned.Store(true)
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, warned, func() {
		cancel()
		signal.Stop(signals)
	}
}

func hostname(node string) string {
	if node != "" {
		return "node " + node
	}
	name, err := os.Hostname()
	if err != nil {
		return "this machine"
	}
	return name
}
