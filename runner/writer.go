package runner

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"mercer/results"
	"mercer/runner/plan"
)

// flushEvery is how long finished records may wait for others before they are stored:
// fits of a millisecond share one write, and a kill costs at most this much work.
const flushEvery = 300 * time.Millisecond

// writer stores the finished tasks of a run, those of flushEvery together, however
// long the fits in hand take.
type writer struct {
	plan   *plan.Plan
	store  *results.Store
	dir    string
	stored func(key string) bool
	show   func(Progress) // nil for none
	begun  time.Time

	mu       sync.Mutex
	progress Progress
	records  []results.Record // that are finished and not stored
	points   []cellPoints     // of these
	flops    float64          // that they took
	timer    *time.Timer      // that stores them; nil while there are none
	err      error            // of the first write that failed: nothing is written after it
}

func (w *writer) begin() error { return nil }

func (w *writer) add(t *task) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err != nil {
		return w.err
	}
	w.records, w.points, w.flops = append(w.records, t.records...), append(w.points, t.points...), w.flops+t.flops
	if w.timer == nil {
		w.timer = time.AfterFunc(flushEvery, func() { _ = w.flush() }) // the error stays
	}
	return nil
}

// flush stores what is finished, and shows the progress.
func (w *writer) flush() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.timer != nil {
		w.timer.Stop()
		w.timer = nil
	}
	if w.err != nil || len(w.records) == 0 {
		return w.err
	}
	// Records that are final already were made again for their points alone.
	w.records = slices.DeleteFunc(w.records, func(record results.Record) bool { return w.stored(record.Key) })
	if w.err = w.write(); w.err != nil {
		return w.err
	}
	for _, record := range w.records {
		w.progress.Done++
		if record.Status != results.OK && record.Status != results.Skipped {
			w.progress.Failed++
		}
	}
	w.progress.WorkDone += w.flops
	w.records, w.points, w.flops = nil, nil, 0
	w.report()
	return nil
}

// write stores points first: where a record is final, its points are there.
func (w *writer) write() error {
	if err := w.plan.Unchanged(); err != nil {
		return fmt.Errorf("%w\nthe last %d records are not stored, because they may be of the changed data; those stored before are of the data as they were", err, len(w.records))
	}
	if err := writePoints(w.dir, w.points); err != nil {
		return err
	}
	return w.store.Append(w.records...)
}

// report shows the progress.
func (w *writer) report() {
	if w.show != nil {
		w.progress.Elapsed = time.Since(w.begun)
		w.show(w.progress)
	}
}
