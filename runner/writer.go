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
	stored func(id string) bool
	show   func(Progress) // nil for none
	begun  time.Time

	mu       sync.Mutex
	progress Progress
	rows     []results.Row // that are finished and not stored
	points   []rowPoints   // of these
	timer    *time.Timer   // that stores them; nil while there are none
	err      error         // of the first write that failed: nothing is written after it
}

func (w *writer) begin() error { return nil }

func (w *writer) add(t *task) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err != nil {
		return w.err
	}
	w.rows, w.points = append(w.rows, t.rows...), append(w.points, t.points...)
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
	if w.err != nil || len(w.rows) == 0 {
		return w.err
	}
	// Rows that are final already were made again for their points alone.
	w.rows = slices.DeleteFunc(w.rows, func(row results.Row) bool { return w.stored(row.ID) })
	if w.err = w.write(); w.err != nil {
		return w.err
	}
	for _, row := range w.rows {
		w.progress.Done++
		if row.Status != results.OK && row.Status != results.Skipped {
			w.progress.Failed++
		}
	}
	w.rows, w.points = nil, nil
	w.report()
	return nil
}

// write stores points first: where a record is final, its points are there.
func (w *writer) write() error {
	if err := w.plan.Unchanged(); err != nil {
		return fmt.Errorf("%w\nthe last %d rows are not stored, because they may be of the changed data; those stored before are of the data as they were", err, len(w.rows))
	}
	if err := writePoints(w.dir, w.points); err != nil {
		return err
	}
	return w.store.Append(w.rows...)
}

// report shows the progress.
func (w *writer) report() {
	if w.show != nil {
		w.progress.Elapsed = time.Since(w.begun)
		w.show(w.progress)
	}
}
