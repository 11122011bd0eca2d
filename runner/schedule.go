package runner

import (
	"context"
	"errors"
	"math"
	"runtime"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"

	"mercer/internal/linalg/threads"
	"mercer/results"
	"mercer/runner/plan"
)

// all runs the groups that have something left to do, side by side as far as
// workers allow, and memory for their arrays and garbage, on one processor each; processors that no group is
// left for help the others. Timed groups run one after another. Groups that are
// isolated run in worker processes, each of which holds its own copy of what
// groups share.
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
	group, inner := errgroup.WithContext(context.WithoutCancel(ctx)) // ends at a write error
	group.SetLimit(workers)
	for number, g := range r.plan.Groups {
		if ctx.Err() != nil || inner.Err() != nil {
			break
		}
		if !r.needed(g) {
			continue
		}
		parts, refused := r.plan.Parts(g, memory)
		if err := r.refuse(g, refused); err != nil {
			return errors.Join(err, group.Wait())
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
					return r.group(ctx, inner, part, r.pool.executor(g, number, part))
				}
				defer threads.RegisterWorker()()
				return r.group(ctx, inner, part, &inProcess{computation: r.computation, group: part})
			})
		}
	}
	return group.Wait()
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

// group runs the pending fits of a group, or of a part of one, one pass after
// another. stop ends it between fits; broken, after a write error, too.
func (r *run) group(stop, broken context.Context, g *plan.Group, at executor) error {
	defer at.leave()
	w := writer{run: r, group: g}
	for number, pass := range r.plan.Passes(g) {
		tasks := r.tasks(g, pass, r.pending)
		if len(tasks) == 0 {
			continue
		}
		if stop.Err() != nil || broken.Err() != nil {
			break
		}
		var err error
		if skip := pass[0].Skip; skip != nil { // one fit
			setStatus(tasks[0].records, results.Skipped, skip)
			err = w.add(tasks[0])
		} else {
			err = at.pass(stop, broken, number, tasks, w.add)
		}
		if err != nil {
			if failed := w.flush(); !errors.Is(err, failed) {
				err = errors.Join(err, failed)
			}
			return err
		}
	}
	return w.flush()
}

// refuse records fits of a group that would not fit into memory.
func (r *run) refuse(g *plan.Group, fits []*plan.Fit) error {
	var b batch
	for _, reason := range r.plan.Refusals(g, fits, r.options.Memory) {
		for _, t := range r.tasks(g, []*plan.Fit{reason.Fit}, r.pending) {
			setStatus(t.records, results.OOM, reason)
			b.records, b.flops = append(b.records, t.records...), b.flops+t.flops
		}
	}
	return r.write(&b)
}
