package runner

import (
	"context"
	"errors"
	"math"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"

	"mercer/internal/linalg/threads"
	"mercer/results"
	"mercer/runner/plan"
)

// schedule starts groups as workers and memory allow.
type schedule struct {
	*run
	isolated map[*plan.Group]bool
	admitted admission
	room     int64 // bytes that are admitted together
	group    *errgroup.Group
	broken   context.Context // ends at a write error
}

// all runs the groups that have something left to do, side by side as far as workers
// and memory for their arrays and garbage allow, on one processor each; processors that
// no group is left for help the others. Timed groups run one after another, and are measured on
// all processors. Groups that are isolated run in worker processes, each of which has its own copy of what groups
// share.
func (r *run) all(ctx context.Context) error {
	workers, memory := max(1, r.options.Workers), r.options.Memory
	processors := min(workers, runtime.GOMAXPROCS(0))
	r.measuresOn(processors)
	if r.plan.Timed {
		workers, processors = 1, max(1, r.plan.Timing.Threads)
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
	if memory <= 0 {
		memory = math.MaxInt64
	}
	defer tuneGC(memory, workers, r.plan.Timed)()
	s := &schedule{run: r, isolated: r.isolated()}
	if len(s.isolated) > 0 {
		if r.plan.Origin == nil || len(r.options.Worker) == 0 {
			return errors.New("runner: cells are to run in processes of their own, and nothing says how to start one")
		}
		r.pool = newPool(r.plan, r.options, min(workers, len(s.isolated)), processors, r.measuring)
		defer r.pool.close()
	}
	s.room = max(1, r.plan.Allowed(r.options.Memory)+r.plan.SharedBytes-plan.WithGarbage(r.plan.SharedBytes))
	s.admitted = semaphore.NewWeighted(s.room)
	if r.options.watch != nil {
		s.admitted = r.options.watch(s.admitted)
	}
	s.group, s.broken = errgroup.WithContext(context.WithoutCancel(ctx))
	s.group.SetLimit(workers)
	for number, g := range r.plan.Groups {
		if r.needed(g) && s.start(ctx, number, g) != nil {
			break // the error is ctx's, or the writer's, which keeps it
		}
	}
	err := s.group.Wait()
	if failed := r.writer.flush(); !errors.Is(err, failed) {
		err = errors.Join(err, failed)
	}
	return err
}

// start waits for memory for each part of the group of a number in the plan, and for a
// worker, and has it computed.
func (s *schedule) start(ctx context.Context, number int, g *plan.Group) error {
	parts, refused := s.plan.Parts(g, s.options.Memory)
	for _, reason := range refused {
		if err := failTasks(s.tasks(g, []*plan.Fit{reason.Fit}, s.wanted), results.OOM, reason, nil, s.writer); err != nil {
			return err
		}
	}
	for _, part := range parts {
		if err := errors.Join(ctx.Err(), s.broken.Err()); err != nil {
			return err
		}
		if !s.needed(part) {
			continue
		}
		weight := plan.WithGarbage(part.Memory.Total())
		if s.isolated[g] { // what its process takes, and its copy of what is shared
			weight += s.pool.each
		}
		weight = min(weight, s.room) // what does not fit beside anything else runs alone
		if err := s.admit(ctx, weight, s.isolated[g]); err != nil {
			return err
		}
		s.group.Go(func() error {
			defer s.admitted.Release(weight)
			if s.isolated[g] {
				return s.apart(ctx, s.broken, part, partRequest(number, g, part))
			}
			defer threads.RegisterWorker()()
			return s.computation.group(ctx, s.broken, part, s.wanted, s.writer)
		})
	}
	return nil
}

// admit waits for memory. Worker processes that are free hold theirs: where it is
// needed they end.
func (s *schedule) admit(ctx context.Context, weight int64, isolated bool) error {
	if s.pool != nil {
		idle := s.pool.idle()
		if isolated && idle > 0 {
			idle-- // it is taken
		}
		if kept := int64(idle) * s.pool.each; kept > 0 {
			if weight+kept <= s.room && s.admitted.TryAcquire(weight+kept) {
				s.admitted.Release(kept)
				return nil
			}
			s.pool.close()
		}
	}
	return s.admitted.Acquire(ctx, weight)
}

// partRequest asks a worker process for a part of the group of a number in the plan.
func partRequest(number int, g, part *plan.Group) request {
	r := request{Group: number}
	if part != g {
		for _, f := range part.Fits {
			r.Fits = append(r.Fits, slices.Index(g.Fits, f))
		}
	}
	return r
}
