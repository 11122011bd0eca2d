package runner

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
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
)

// subprocess computes a part of a group in a worker process. The worker computes one
// pass after another; when it dies, the pass in hand has failed or is begun again, and
// a new worker computes the rest.
type subprocess struct {
	*run
	part   request   // without the cells
	passes [][]*task // that are left, the one in hand first
	again  [][]*task // timed ones during which the worker was stopped
	worker *worker   // nil for none
}

// apart computes what is left of a part of a group in a worker process. Its error is
// one of storing, of starting workers at all, or one that a worker found in what it
// makes ready.
func (r *run) apart(stop, broken context.Context, g *plan.Group, part request) error {
	passes, err := r.due(g, r.wanted, r.writer)
	if err != nil {
		return err
	}
	s := &subprocess{run: r, part: part, passes: passes}
	for len(s.passes) > 0 && stop.Err() == nil && broken.Err() == nil {
		kills := process.OutOfMemoryKills()
		fault, err := s.attempt(stop, broken)
		if fault != nil {
			err = s.charge(fault, kills)
		}
		if err != nil {
			return err
		}
		if len(s.passes) == 0 {
			s.passes, s.again = s.again, nil
		}
	}
	if s.worker != nil {
		r.pool.put(s.worker)
	}
	return nil
}

// attempt has a worker compute what is left. A fault has ended the worker; an error
// ends the run.
func (s *subprocess) attempt(stop, broken context.Context) (fault, err error) {
	if s.worker == nil {
		if s.worker, fault, err = s.pool.take(stop, broken); s.worker == nil || fault != nil {
			return fault, err
		}
	}
	fault, err = s.compute(stop, broken)
	if fault != nil || err != nil || broken.Err() != nil {
		s.worker.kill()
	}
	if fault == nil && (err != nil || broken.Err() != nil) {
		s.worker = nil
	}
	return fault, err
}

// compute sends the worker what is left and takes its replies, until it has no more
// or has a fault.
func (s *subprocess) compute(stop, broken context.Context) (fault, err error) {
	w, part := s.worker, s.part
	for _, tasks := range s.passes {
		for _, t := range tasks {
			for _, r := range t.records {
				part.Cells = append(part.Cells, r.Key)
			}
		}
	}
	w.send(part)
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
			case a.End && len(s.passes) > 0 && stop.Err() == nil:
				return errors.New("its process ended too early"), nil
			case a.End:
				s.pool.lost.Store(0)
				return nil, nil
			case a.Begin:
				begun = true
				_ = process.Continued(w.pid()) // a stop before this does not count
			default:
				fault, err = s.finish(a)
			}
			w.cpu, w.peak = a.CPU, 0
		case <-stopping:
			stopping = nil
			w.send(request{Stop: true})
		case <-broken.Done():
			return nil, nil
		case now := <-v.C:
			fault = v.look(now, s.pool.memory)
			if s.limit > 0 && begun && v.spent > s.limit+grace {
				fault = errTime
			}
		}
	}
	return fault, err
}

// finish takes what a worker has computed of the first task that is left. A timed one
// during which the worker was stopped is computed again, a few times: a fit that was
// stopped has no valid time.
func (s *subprocess) finish(a reply) (fault, err error) {
	if len(s.passes) == 0 {
		return errors.New("its process computed what it was not asked for"), nil
	}
	tasks := s.passes[0]
	t := tasks[0]
	if s.plan.Timed && process.Continued(s.worker.pid()) { // then the pass has one task
		s.passes = s.passes[1:]
		if t.tries++; t.tries < maxTries {
			s.again = append(s.again, tasks)
			return nil, nil
		}
		return nil, failTasks(tasks, results.Failed, fmt.Errorf("tried %d times: its process was stopped and continued (SIGSTOP) while it was timed: a fit that was stopped has no valid time; the same command tries again", t.tries), nil, s.writer)
	}
	if fault := t.take(a.Records, s.pool.memory); fault != nil {
		return fault, nil
	}
	if s.passes[0] = tasks[1:]; len(tasks) == 1 {
		s.passes = s.passes[1:]
	}
	return nil, s.writer.add(t)
}

// take fills in the records of a task as a worker has computed them. It fails where
// that took more memory than it may, if only between two looks.
func (t *task) take(lines []json.RawMessage, memory int64) error {
	if len(lines) != len(t.records) {
		return fmt.Errorf("its process answered with %d records for %d", len(lines), len(t.records))
	}
	records := make([]results.Record, len(lines))
	for i, line := range lines {
		r, err := results.Decode(line)
		switch {
		case err != nil || r.Key != t.records[i].Key:
			return fmt.Errorf("its process answered with a record of %q for %q: %v", r.Key, t.records[i].Key, err)
		case r.Usage != nil && r.Usage.Peak > memory:
			return tooLarge(r.Usage.Peak)
		}
		records[i] = r
	}
	t.records = records
	return nil
}

// charge says what becomes of the pass in hand when its worker has ended by a fault. A
// worker may end when all passes are finished; the run then does without it.
func (s *subprocess) charge(fault error, kills int64) error {
	w := s.worker
	s.worker = nil
	if len(s.passes) == 0 {
		return nil
	}
	tasks := s.passes[0]
	for _, t := range tasks {
		t.tries++
	}
	status, reason := s.pool.judge(fault, kills, tasks[0].tries)
	if status == "" {
		return nil
	}
	s.passes = s.passes[1:]
	if w.ready {
		return failTasks(tasks, status, reason, w.used(), s.writer)
	}
	reason = fmt.Errorf("no worker process got ready: %w", reason)
	if err := failTasks(tasks, status, reason, w.used(), s.writer); err != nil || s.pool.lost.Add(1) < maxTries {
		return err
	}
	return fmt.Errorf("%d passes in a row failed: %w", maxTries, reason)
}

// judge says what the end of a worker makes of the pass in hand, which was begun so
// often; no status where it is to be begun again.
func (p *pool) judge(fault error, kills int64, tries int) (results.Status, error) {
	var end died
	var size tooLarge
	outside := errors.As(fault, &end) && end.fromOutside()
	switch {
	case errors.Is(fault, errTime):
		return results.Timeout, fmt.Errorf("not finished within %v: its process was killed", p.setup.Limit)
	case errors.As(fault, &size):
		return results.OOM, fmt.Errorf("%w, more than the %s that %s, and was killed; take smaller n, m or population, or allow more", size, plan.Bytes(p.memory), p.reason)
	case outside && process.OutOfMemoryKills() > kills:
		return results.OOM, errors.New("the system ran out of memory and killed its process; take smaller n, m or population, or lower --memory or --workers")
	case (outside || errors.Is(fault, errHung)) && tries < maxTries:
		return "", nil
	case errors.Is(fault, errHung):
		return results.Timeout, fmt.Errorf("tried %d times: %v passed each time, and its process was killed; does the disk or network that it reads its data from hang? The same command tries again", tries, p.ready)
	case outside:
		return results.Failed, fmt.Errorf("tried %d times: %w; someone or something kills it: the same command tries again", tries, end)
	}
	return results.Failed, fault
}
