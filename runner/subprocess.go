package runner

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"time"

	"mercer/internal/process"
	"mercer/results"
	"mercer/runner/plan"
)

const (
	// grace is the time beyond its limit in which a fit may end by itself; then it is
	// killed with its process.
	grace = time.Second
	// maxTries is how often a pass is begun whose worker is killed from outside, hangs
	// before it is ready, or is stopped while it is timed; and how many passes in a row
	// may fail because no worker gets ready, before the run ends.
	maxTries = 3
	// readyTime is what a worker may take to make its plan: it reads one data set.
	readyTime = time.Hour
	// outsideHeap is the part of a worker's memory that the collector leaves to what is
	// not in Go's heap, so that garbage alone gets no worker killed: one in so many.
	outsideHeap = 20
)

// subprocess computes a group in a repeat in a worker process, one pass after another. When
// the worker dies, the pass in hand has failed or is begun again, and a new worker computes
// the rest.
type subprocess struct {
	*run
	of         *plan.Group
	repeat     int
	processors int
	memory     int64     // bytes that a worker may have resident
	why        string    // this much
	units      [][]*task // that are left, the one in hand first
	again      [][]*task // timed ones during which the worker was stopped
}

// apart computes units of a group in a repeat in a worker process. Its error is one of storing, of
// starting workers at all, or one that a worker found in what it makes ready.
func (r *run) apart(stop, broken context.Context, g *plan.Group, repeat int, units [][]*task, processors int) error {
	s := &subprocess{run: r, of: g, repeat: repeat, processors: processors, units: units, memory: math.MaxInt64, why: "the run may take (--memory)"}
	if memory := r.plan.Input.Memory; memory > 0 {
		s.memory = memory
	}
	if limit := r.options.cellMemory; limit > 0 && limit < s.memory {
		s.memory, s.why = limit, "a cell may take (--cell-memory)"
	}
	for len(s.units) > 0 && stop.Err() == nil && broken.Err() == nil {
		kills := process.OutOfMemoryKills()
		worker, err := startWorker(r.options.Worker)
		if err != nil {
			return err
		}
		fault, err := s.compute(stop, broken, worker)
		worker.kill()
		if fault != nil {
			err = s.charge(fault, kills, worker)
		}
		if err != nil {
			return err
		}
		if len(s.units) == 0 {
			s.units, s.again = s.again, nil
		}
	}
	return nil
}

// request asks for what is left.
func (s *subprocess) request() request {
	r := request{
		Input: s.plan.Input, Population: s.of.Population, Repeat: s.repeat, BLAS: s.blas, Dir: s.options.Dir,
		Processors: s.processors, Measuring: s.measuring, Memory: s.memory - s.memory/outsideHeap, Limit: s.options.CellTimeout,
	}
	r.Input.Only, r.Input.Filter, r.Input.Shard = s.of.Dataset.ID, "", plan.Shard{}
	for _, tasks := range s.units {
		for _, t := range tasks {
			for _, row := range t.rows {
				r.IDs = append(r.IDs, row.ID)
			}
		}
	}
	return r
}

// compute sends a worker what is left and takes its replies, until it has no more or has a
// fault.
func (s *subprocess) compute(stop, broken context.Context, w *worker) (fault, err error) {
	w.send(s.request())
	v := w.watch()
	defer v.Stop()
	stopping, begun := stop.Done(), false
	for fault == nil && err == nil {
		select {
		case a, ok := <-w.replies:
			v.spent = 0
			switch {
			case !ok:
				return w.failed(), nil
			case a.Error != "":
				return nil, fmt.Errorf("worker process: %s", a.Error)
			case a.Ready:
				w.ready = true
				s.lost.Store(0)
			case a.End && len(s.units) > 0 && stop.Err() == nil:
				return errors.New("its process ended too early"), nil
			case a.End:
				w.end()
				return nil, nil
			case a.Begin:
				begun = true
			default:
				fault, err = s.finish(a, w)
			}
			w.cpu, w.peak = a.CPU, 0
		case <-stopping:
			if !w.ready {
				return nil, nil
			}
			stopping = nil
			w.send(request{Stop: true})
		case <-broken.Done():
			return nil, nil
		case now := <-v.C:
			fault = v.look(now, s.memory)
			switch {
			case fault != nil:
			case !w.ready && v.spent > readyTime:
				fault = errHung
			case s.limit > 0 && begun && v.spent > s.limit+grace:
				fault = errTime
			}
		}
	}
	return fault, err
}

// finish takes what a worker has computed of the first task that is left. A timed one
// during which the worker was stopped is computed again, a few times: a fit that was
// stopped has no valid time.
func (s *subprocess) finish(a reply, w *worker) (fault, err error) {
	if len(s.units) == 0 {
		return errors.New("its process computed what it was not asked for"), nil
	}
	tasks := s.units[0]
	t := tasks[0]
	if s.plan.Timed && process.Continued(w.pid()) { // then the unit has one task
		s.units = s.units[1:]
		if t.tries++; t.tries < maxTries {
			s.again = append(s.again, tasks)
			return nil, nil
		}
		return nil, failTasks(tasks, results.Failed, fmt.Errorf("tried %d times: its process was stopped and continued (SIGSTOP) while it was timed: a fit that was stopped has no valid time; the same command tries again", t.tries), nil, s.writer)
	}
	if fault := t.take(a.Rows, s.memory); fault != nil {
		return fault, nil
	}
	if s.units[0] = tasks[1:]; len(tasks) == 1 {
		s.units = s.units[1:]
	}
	return nil, s.writer.add(t)
}

// take fills in the rows of a task as a worker has computed them. It fails where that took
// more memory than it may, if only between two looks.
func (t *task) take(lines []json.RawMessage, memory int64) error {
	if len(lines) != len(t.rows) {
		return fmt.Errorf("its process answered with %d rows for %d", len(lines), len(t.rows))
	}
	rows := make([]results.Row, len(lines))
	for i, line := range lines {
		r, err := results.Decode(line)
		switch {
		case err != nil || r.ID != t.rows[i].ID:
			return fmt.Errorf("its process answered with row %q for %q: %v", r.ID, t.rows[i].ID, err)
		case r.Usage != nil && r.Usage.Peak > memory:
			return tooLarge(r.Usage.Peak)
		}
		r.At = t.rows[i].At
		rows[i] = r
	}
	t.rows = rows
	return nil
}

// charge says what becomes of the pass in hand when its worker has ended by a fault.
func (s *subprocess) charge(fault error, kills int64, w *worker) error {
	if len(s.units) == 0 {
		return nil
	}
	tasks := s.units[0]
	for _, t := range tasks {
		t.tries++
	}
	status, reason := s.judge(fault, kills, tasks[0].tries)
	if status == "" {
		return nil
	}
	s.units = s.units[1:]
	if w.ready {
		return failTasks(tasks, status, reason, w.used(), s.writer)
	}
	reason = fmt.Errorf("no worker process got ready: %w", reason)
	if err := failTasks(tasks, status, reason, w.used(), s.writer); err != nil || s.lost.Add(1) < maxTries {
		return err
	}
	return fmt.Errorf("%d passes in a row failed: %w", maxTries, reason)
}

// judge says what the end of a worker makes of the pass in hand, which was begun so often;
// no status where it is to be begun again.
func (s *subprocess) judge(fault error, kills int64, tries int) (results.Status, error) {
	var end died
	var size tooLarge
	outside := errors.As(fault, &end) && end.fromOutside()
	switch {
	case errors.Is(fault, errTime):
		return results.Timeout, fmt.Errorf("not finished within %v: its process was killed", s.limit)
	case errors.As(fault, &size):
		return results.OOM, fmt.Errorf("%w, more than the %s that %s, and was killed; take smaller n, m or population, or allow more", size, plan.Bytes(s.memory), s.why)
	case outside && process.OutOfMemoryKills() > kills:
		return results.OOM, errors.New("the system ran out of memory and killed its process; take smaller n, m or population, or lower --memory or --workers")
	case (outside || errors.Is(fault, errHung)) && tries < maxTries:
		return "", nil
	case errors.Is(fault, errHung):
		return results.Timeout, fmt.Errorf("tried %d times: %v passed each time, and its process was killed; does the disk or network that it reads its data from hang? The same command tries again", tries, readyTime)
	case outside:
		return results.Failed, fmt.Errorf("tried %d times: %w; someone or something kills it: the same command tries again", tries, end)
	}
	return results.Failed, fault
}
