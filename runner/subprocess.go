package runner

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"mercer/internal/process"
	"mercer/results"
	"mercer/runner/plan"
)

const (
	// grace is what a fit has, beyond its time limit, to end by itself; one that
	// does not look at its limit is then killed with its process.
	grace = time.Second
	// maxTries is how often a pass is begun whose worker is killed from outside, hangs
	// before it is ready, or was stopped while it was timed; and how many passes in a row may be given up because
	// no worker gets ready, until the run starts no more of them while none lives.
	maxTries = 3
)

// subprocess is where the passes of one group are computed in a worker process.
type subprocess struct {
	pool   *pool
	number int   // of the group in the plan
	fits   []int // of the group's, by number; nil for all
	worker *worker
}

// executor is one for a part of the group of a number in the plan.
func (p *pool) executor(g *plan.Group, number int, part *plan.Group) *subprocess {
	t := &subprocess{pool: p, number: number}
	if part != g {
		for _, f := range part.Fits {
			t.fits = append(t.fits, slices.Index(g.Fits, f))
		}
	}
	return t
}

// pass has a worker do the tasks. Where that goes past a limit, the tasks that
// are left become timeout or oom. Where it is killed from outside, they
// are begun again, a few times, and so is a timed one during which it was stopped;
// where it crashes, they have failed. So it is with
// a worker that gets no further than to make ready. An error that is not done's is
// one of starting workers at all, or that a worker found in what it makes ready.
func (t *subprocess) pass(stop, broken context.Context, number int, tasks []*task, done func(*task) error) error {
	for try := 1; len(tasks) > 0 && stop.Err() == nil && broken.Err() == nil; try++ {
		if t.worker == nil {
			kills := process.OutOfMemoryKills()
			w, err := t.pool.take(stop, broken)
			var lost unready
			var none noneLeft
			switch {
			case errors.As(err, &none):
				return failRemaining(tasks, none.status, none.reason, nil, done)
			case errors.As(err, &lost):
				status, reason := t.judge(lost.fault, kills, try)
				if status == "" {
					continue
				}
				reason = fmt.Errorf("no worker process got ready: %w", reason)
				t.pool.giveUp(status, reason)
				return failRemaining(tasks, status, reason, lost.worker.used(), done)
			case stop.Err() != nil && errors.Is(err, stop.Err()) && broken.Err() == nil:
				return nil
			case err != nil:
				return err
			}
			t.worker = w
		}
		kills := process.OutOfMemoryKills()
		finished, fault, err := t.order(stop, broken, number, tasks, done)
		tasks = tasks[finished:]
		if err == nil && fault == nil {
			t.pool.well()
		}
		if err != nil || fault == nil {
			return err
		}
		var used *results.Usage
		if fault != errStopped {
			used, t.worker = t.worker.used(), nil
		}
		if status, reason := t.judge(fault, kills, try); status != "" {
			return failRemaining(tasks, status, reason, used, done)
		}
	}
	return nil
}

// failRemaining sets the status of tasks that a process has not finished. The usage of
// the process goes to the first of them.
func failRemaining(tasks []*task, status results.Status, reason error, used *results.Usage, done func(*task) error) error {
	for _, task := range tasks {
		setStatus(task.records, status, reason)
		for i := range task.records {
			task.records[i].Usage = used
		}
		used = nil
		if err := done(task); err != nil {
			return err
		}
	}
	return nil
}

// judge says what becomes of the tasks that a worker's end has left; no status
// where they are to be begun again.
func (t *subprocess) judge(fault error, kills int64, try int) (results.Status, error) {
	var end died
	var size tooLarge
	switch {
	case errors.Is(fault, errTime):
		return results.Timeout, fmt.Errorf("not finished within %v: its process was killed", t.pool.setup.Limit)
	case (errors.Is(fault, errHung) || errors.Is(fault, errStopped)) && try < maxTries:
		return "", nil
	case errors.Is(fault, errStopped):
		return results.Failed, fmt.Errorf("tried %d times: %w: a fit that was stopped has no valid time; the same command tries again", try, fault)
	case errors.Is(fault, errHung):
		return results.Timeout, fmt.Errorf("tried %d times: %v passed each time, and its process was killed; does the disk or network that it reads its data from hang? The same command tries again", try, t.pool.ready)
	case errors.As(fault, &size):
		return results.OOM, fmt.Errorf("%w, more than the %s that %s, and was killed; take smaller n, m or population, or allow more", size, plan.Bytes(t.pool.memory), t.pool.reason)
	case !errors.As(fault, &end):
		return results.Failed, fault
	case end.fromOutside() && process.OutOfMemoryKills() > kills:
		return results.OOM, errors.New("the system ran out of memory and killed its process; take smaller n, m or population, or lower --memory or --workers")
	case end.fromOutside() && try < maxTries:
		return "", nil
	case end.fromOutside():
		return results.Failed, fmt.Errorf("tried %d times: %w; someone or something kills it: the same command tries again", try, end)
	}
	return results.Failed, end
}

// order has the worker do the tasks. It says how many are finished, and what
// ended the worker, nil while it lives, or errStopped; an error is one of done.
func (t *subprocess) order(stop, broken context.Context, number int, tasks []*task, done func(*task) error) (finished int, fault, err error) {
	o := order{Group: t.number, Fits: t.fits, Pass: number}
	for _, task := range tasks {
		for _, r := range task.records {
			o.Cells = append(o.Cells, r.Key)
		}
	}
	stopped := func() bool { return t.pool.timed && process.Continued(t.worker.child.Process.Pid) }
	stopped() // before this pass does not count
	if t.worker.orders.Encode(o) != nil {
		return 0, t.worker.failed(), nil
	}
	v := t.worker.watch()
	defer v.Stop()
	stopping := stop.Done()
	begun := false
	for {
		select {
		case a, ok := <-t.worker.answers:
			v.spent = 0
			switch {
			case !ok:
				return finished, t.worker.failed(), nil
			case a.Begin:
				begun = true
				t.worker.cpu, t.worker.peak = a.CPU, 0
				continue
			case a.End:
				return finished, fault, nil
			case a.Error != "" || a.Task != finished || finished == len(tasks):
				t.worker.kill()
				return finished, fmt.Errorf("its process answered out of order: task %d of %d: %s", a.Task, len(tasks), a.Error), nil
			case stopped():
				fault = errStopped // a timed pass has one task: its end is next
				continue
			}
			if fault := tasks[finished].take(a, t.pool.memory); fault != nil {
				t.worker.kill()
				return finished, fault, nil
			}
			finished++
			t.worker.cpu, t.worker.peak = a.CPU, 0
			if err := done(tasks[finished-1]); err != nil {
				t.worker.kill() // it is in the middle of its pass
				t.worker = nil
				return finished, nil, err
			}
		case <-stopping:
			stopping = nil
			if t.worker.orders.Encode(order{Stop: true}) != nil {
				return finished, t.worker.failed(), nil
			}
		case <-broken.Done():
			t.worker.kill()
			t.worker = nil
			return finished, nil, broken.Err()
		case now := <-v.C:
			fault := v.look(now, t.pool.memory)
			if limit := t.pool.setup.Limit; begun && limit > 0 && v.spent > limit+grace {
				fault = errTime
			}
			if fault != nil {
				t.worker.kill()
				return finished, fault, nil
			}
		}
	}
}

// leave gives the worker back for other groups.
func (t *subprocess) leave() {
	if t.worker == nil {
		return
	}
	if t.worker.orders.Encode(order{Release: true}) != nil {
		t.worker.kill()
	} else {
		t.pool.put(t.worker)
	}
	t.worker = nil
}
