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

// all runs the groups that have something left to do, side by side as far as workers
// and memory for their arrays and garbage allow, on one processor each; processors that
// no group is left for help the others. Timed groups run one after another. Groups that
// are isolated run in worker processes, each of which has its own copy of what groups
// share.
func (r *run) all(ctx context.Context) error {
	workers, memory := max(1, r.options.Workers), r.options.Memory
	processors := min(workers, runtime.GOMAXPROCS(0))
	if r.plan.Timed {
		workers, processors = 1, max(1, r.plan.Timing.Threads)
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
	if memory <= 0 {
		memory = math.MaxInt64
	}
	defer tuneGC(memory, workers, r.plan.Timed)()
	memory = r.plan.Allowed(r.options.Memory)
	isolated := r.isolated()
	if len(isolated) > 0 {
		if r.plan.Origin == nil || len(r.options.Worker) == 0 {
			return errors.New("runner: cells are to run in processes of their own, and nothing says how to start one")
		}
		r.pool = newPool(r.plan, r.options, min(workers, len(isolated)), processors)
		defer r.pool.close()
	}
	room := max(1, memory+r.plan.SharedBytes-plan.WithGarbage(r.plan.SharedBytes))
	var admitted admission = semaphore.NewWeighted(room)
	if r.options.watch != nil {
		admitted = r.options.watch(admitted)
	}
	group, broken := errgroup.WithContext(context.WithoutCancel(ctx)) // ends at a write error
	group.SetLimit(workers)
	for number, g := range r.plan.Groups {
		if ctx.Err() != nil || broken.Err() != nil {
			break
		}
		if !r.needed(g) {
			continue
		}
		parts, refused := r.plan.Parts(g, r.options.Memory)
		if r.refuse(refused) != nil {
			break // the writer keeps the error
		}
		for _, part := range parts {
			if !r.needed(part) {
				continue
			}
			weight := plan.WithGarbage(part.Memory.Total())
			if isolated[g] { // what its process takes, and its copy of what is shared
				weight += r.pool.each
			}
			weight = min(weight, room) // what does not fit beside anything else runs alone
			if r.admit(ctx, admitted, weight, room, isolated[g]) != nil {
				break
			}
			group.Go(func() error {
				defer admitted.Release(weight)
				if isolated[g] {
					return r.apart(ctx, broken, part, partRequest(number, g, part))
				}
				defer threads.RegisterWorker()()
				return r.group(ctx, broken, part, r.wanted, r.writer)
			})
		}
	}
	err := group.Wait()
	if failed := r.writer.flush(); !errors.Is(err, failed) {
		err = errors.Join(err, failed)
	}
	return err
}

// admit waits for memory. Worker processes that are free hold theirs: where it is
// needed they end.
func (r *run) admit(ctx context.Context, admitted admission, weight, memory int64, isolated bool) error {
	if r.pool != nil {
		idle := r.pool.idle()
		if isolated && idle > 0 {
			idle-- // it is taken
		}
		if kept := int64(idle) * r.pool.each; kept > 0 {
			if weight+kept <= memory && admitted.TryAcquire(weight+kept) {
				admitted.Release(kept)
				return nil
			}
			r.pool.close()
		}
	}
	return admitted.Acquire(ctx, weight)
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

// refuse records fits that would not fit into memory.
func (r *run) refuse(refused []plan.Refusal) error {
	for _, reason := range refused {
		if err := failTasks(r.tasks(reason.Group, []*plan.Fit{reason.Fit}, r.wanted), results.OOM, reason, nil, r.writer); err != nil {
			return err
		}
	}
	return nil
}
