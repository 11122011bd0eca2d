package runner

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"mercer/data"
	"mercer/results"
)

// place is where the passes of a group are computed: in this process or in one of
// their own.
type place interface {
	// pass does the tasks of the group's pass of a number and calls done after
	// each; an error of done ends it and is returned. stop ends it between two
	// tasks, broken as soon as may be; those left are then not done.
	pass(stop, broken context.Context, number int, tasks []*task, done func(*task) error) error
	leave()
}

// flushEvery is how long finished records may wait for others of their group
// before they are stored: fits of a millisecond share one write, and a kill costs
// at most this much work.
const flushEvery = 300 * time.Millisecond

// group runs the pending fits of a group, or of a part of one, one pass after
// another. stop ends it between fits; broken, after a write error, too.
func (r *run) group(stop, broken context.Context, g *Group, at place) error {
	defer at.leave()
	w := writer{run: r, group: g}
	for number, pass := range r.plan.passes(g) {
		tasks := r.tasks(g, pass, r.pending)
		if len(tasks) == 0 {
			continue
		}
		if stop.Err() != nil || broken.Err() != nil {
			break
		}
		var err error
		if skip := pass[0].Skip; skip != nil { // one fit
			settle(tasks[0].records, results.Skipped, skip)
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

// writer stores the finished tasks of a group, those of flushEvery together,
// however long the fit in hand takes.
type writer struct {
	run   *run
	group *Group

	mu    sync.Mutex
	batch batch
	timer *time.Timer // that stores the batch; nil while it is empty
	err   error       // of the first write that failed: nothing is written after it
}

func (w *writer) add(t *task) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err != nil {
		return w.err
	}
	b := &w.batch
	b.records, b.flops, b.points = append(b.records, t.records...), b.flops+t.flops, append(b.points, t.points...)
	b.last = fmt.Sprintf("%s %s %s n=%d repeat %d", w.group.Dataset, w.group.Kernel, t.fit.Method, t.fit.Sizes.N, w.group.Repeat)
	if w.timer == nil {
		w.timer = time.AfterFunc(flushEvery, func() { _ = w.flush() }) // the error stays
	}
	return nil
}

// flush stores what is finished.
func (w *writer) flush() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.timer != nil {
		w.timer.Stop()
		w.timer = nil
	}
	if w.err == nil {
		w.err = w.run.write(&w.batch)
	}
	return w.err
}

// batch is finished records that are not stored yet.
type batch struct {
	records []results.Record
	points  []kept
	flops   float64
	last    string // what was finished last
}

// write stores a batch, reports progress and empties it. Points come first: where
// a record is final, its points are there.
func (r *run) write(b *batch) error {
	if len(b.records) == 0 {
		return nil
	}
	// Records that are final already were made again for their points alone.
	b.records = slices.DeleteFunc(b.records, func(record results.Record) bool { return r.stored(record.Key) })
	err := r.plan.unchanged()
	if err != nil {
		return fmt.Errorf("%w\nthe last %d records are not stored, because they may be of the changed data; those stored before are of the data as they were", err, len(b.records))
	}
	for _, k := range b.points {
		if err == nil {
			err = results.WritePoints(r.options.Dir, k.key, k.points)
		}
	}
	if err == nil {
		err = r.store.Append(b.records...)
	}
	if err != nil {
		return err
	}
	r.writing.Lock()
	defer r.writing.Unlock()
	for _, record := range b.records {
		r.progress.Done++
		if record.Status != results.OK && record.Status != results.Skipped {
			r.progress.Failed++
		}
	}
	r.progress.WorkDone += b.flops
	r.report(b.last)
	*b = batch{}
	return nil
}

// unchanged fails where the data that records are made of are no longer those that
// their keys were made of.
func (p *Plan) unchanged() error {
	for _, id := range slices.Sorted(maps.Keys(p.Datasets)) {
		if d, ok := p.Datasets[id].(data.ChangeDetector); ok {
			if err := d.Unchanged(); err != nil {
				return fmt.Errorf("data set %q: %w", id, err)
			}
		}
	}
	return nil
}
