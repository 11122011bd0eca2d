package runner

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"mercer/results"
	"mercer/runner/plan"
)

// flushEvery is how long finished records may wait for others of their group
// before they are stored: fits of a millisecond share one write, and a kill costs
// at most this much work.
const flushEvery = 300 * time.Millisecond

// writer stores the finished tasks of a group, those of flushEvery together,
// however long the fit in hand takes.
type writer struct {
	run   *run
	group *plan.Group

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
	points  []cellPoints
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
	err := r.plan.Unchanged()
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
