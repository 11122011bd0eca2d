package runner

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"mercer/internal/process"
	"mercer/results"
	"mercer/runner/plan"
)

const (
	// watchEvery is how often a worker's memory and time are looked at.
	watchEvery = 20 * time.Millisecond
	// grace is the time beyond its limit in which a fit may end by itself; then it is
	// killed with its process.
	grace = time.Second
	// outsideHeap is the part of a worker's memory that the collector leaves to what is
	// not in Go's heap, so that garbage alone gets no worker killed: one in so many.
	outsideHeap = 20
)

// subprocess computes a group in a repeat in a worker process, one pass after another. When
// the worker dies, the pass in hand has failed, and a new worker computes the rest.
type subprocess struct {
	*run
	of         *plan.Group
	repeat     int
	processors int
	memory     int64     // bytes that a worker may have resident
	why        string    // this much
	units      [][]*task // that are left, the one in hand first
}

// apart computes units of a group in a repeat in a worker process. Its error is one of storing,
// of a worker that does not get to its first fit, or one that a worker found in what it makes
// ready.
func (r *run) apart(stop, broken context.Context, g *plan.Group, repeat int, units [][]*task, processors int) error {
	s := &subprocess{run: r, of: g, repeat: repeat, processors: processors, units: units, memory: math.MaxInt64, why: "the run may take (--memory)"}
	if memory := r.plan.Input.Memory; memory > 0 {
		s.memory = memory
	}
	if limit := r.options.cellMemory; limit > 0 && limit < s.memory {
		s.memory, s.why = limit, "a cell may take (--cell-memory)"
	}
	for len(s.units) > 0 && stop.Err() == nil && broken.Err() == nil {
		worker, err := startWorker(r.options.Worker, s.request())
		if err != nil {
			return err
		}
		fault, err := s.compute(stop, broken, worker)
		worker.kill()
		if fault != nil {
			err = s.charge(fault, worker)
		}
		if err != nil {
			return err
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
	for _, t := range slices.Concat(s.units...) {
		for _, row := range t.rows {
			r.IDs = append(r.IDs, row.ID)
		}
	}
	return r
}

// compute takes the replies of a worker, until it has no more or has a fault.
func (s *subprocess) compute(stop, broken context.Context, w *worker) (fault, err error) {
	ticker := time.NewTicker(watchEvery)
	defer ticker.Stop()
	stopping, last := stop.Done(), time.Now()
	for fault == nil && err == nil {
		select {
		case a, ok := <-w.replies:
			last = time.Now()
			switch {
			case !ok:
				return w.death(), nil
			case a.Error != "":
				return nil, fmt.Errorf("worker process: %s", a.Error)
			case a.Begin:
				w.begun = true
			case a.End && len(s.units) > 0 && stop.Err() == nil:
				return errors.New("its process ended too early"), nil
			case a.End:
				w.end()
				return nil, nil
			default:
				fault, err = s.finish(a)
			}
		case <-stopping:
			if !w.begun {
				return nil, nil
			}
			stopping = nil
			w.input.Close()
		case <-broken.Done():
			return nil, nil
		case <-ticker.C:
			if bytes, known := process.Peak(w.child.Process.Pid); known && bytes > s.memory {
				return tooLarge(bytes), nil
			}
			if s.limit > 0 && w.begun && time.Since(last) > s.limit+grace {
				return errTime, nil
			}
		}
	}
	return fault, err
}

// finish takes what a worker has computed of the first task that is left.
func (s *subprocess) finish(a reply) (fault, err error) {
	if len(s.units) == 0 {
		return errors.New("its process computed what it was not asked for"), nil
	}
	tasks := s.units[0]
	if fault := tasks[0].take(a.Rows); fault != nil {
		return fault, nil
	}
	if s.units[0] = tasks[1:]; len(tasks) == 1 {
		s.units = s.units[1:]
	}
	return nil, s.writer.add(tasks[0])
}

// take fills in the rows of a task as a worker has computed them.
func (t *task) take(lines []json.RawMessage) error {
	if len(lines) != len(t.rows) {
		return fmt.Errorf("its process answered with %d rows for %d", len(lines), len(t.rows))
	}
	rows := make([]results.Row, len(lines))
	for i, line := range lines {
		r, err := results.Decode(line)
		if err != nil || r.ID != t.rows[i].ID {
			return fmt.Errorf("its process answered with row %q for %q: %v", r.ID, t.rows[i].ID, err)
		}
		r.At = t.rows[i].At
		rows[i] = r
	}
	t.rows = rows
	return nil
}

// charge has the pass in hand fail by the fault that has ended its worker. One that has not
// come to a fit would fail again with every other pass of the group: where its data are too
// large, so are they for all; anything else ends the run.
func (s *subprocess) charge(fault error, w *worker) error {
	status, size := results.Failed, tooLarge(0)
	large := errors.As(fault, &size)
	switch {
	case errors.Is(fault, errTime):
		status, fault = results.Timeout, fmt.Errorf("not finished within %v: its process was killed", s.limit)
	case large:
		status, fault = results.OOM, fmt.Errorf("%w, more than the %s that %s, and was killed; take smaller n, m or population, or allow more", size, plan.Bytes(s.memory), s.why)
	}
	var failed []*task
	switch {
	case !w.begun && !large:
		return fmt.Errorf("no worker process got ready: %w", fault)
	case !w.begun:
		failed, s.units = slices.Concat(s.units...), nil
	case len(s.units) > 0:
		failed, s.units = s.units[0], s.units[1:]
	}
	return failTasks(failed, status, fault, s.writer)
}
