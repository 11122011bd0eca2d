package runner

import (
	"sync"
	"time"

	"mercer/internal/linalg"
	"mercer/results"
	"mercer/runner/plan"
)

// run is one start of a plan.
type run struct {
	*computation
	options Options
	store   *results.Store
	pool    *pool // of worker processes; nil where nothing is isolated
	begun   time.Time

	writing  sync.Mutex // guards what follows
	progress Progress
}

// stored says whether a cell has a final record.
func (r *run) stored(key string) bool {
	record, ok := r.store.Lookup(key)
	return ok && final(record)
}

// pending are the cells of a fit that have no final record yet, or not the points
// that are to be kept with it.
func (r *run) pending(g *plan.Group, f *plan.Fit) []plan.Cell {
	var cells []plan.Cell
	for _, c := range f.Cells {
		if key := g.Key(c); !r.stored(key) || g.Shows(c) && !results.HasPoints(r.options.Dir, key) {
			cells = append(cells, c)
		}
	}
	return cells
}

func (r *run) needed(g *plan.Group) bool {
	for _, f := range g.Fits {
		if len(r.pending(g, f)) > 0 {
			return true
		}
	}
	return false
}

// count takes stock of what earlier starts have done.
func (r *run) count() {
	for _, g := range r.plan.Groups {
		for _, f := range g.Fits {
			for _, c := range f.Cells {
				if r.stored(g.Key(c)) {
					r.progress.Resumed++
				}
			}
		}
		for _, pass := range r.plan.Passes(g) {
			for _, t := range r.tasks(g, pass, r.pending) {
				r.progress.WorkTotal += t.flops
			}
		}
	}
	r.progress.Done = r.progress.Resumed
	r.report("")
}

func (r *run) report(current string) {
	if r.options.Progress != nil {
		r.progress.Elapsed, r.progress.Current = time.Since(r.begun), current
		r.options.Progress(r.progress)
	}
}

// final says that a record need not be made again: it is ok or skipped, and made
// on this BLAS, so that results of different ones are never mixed.
func final(r results.Record) bool {
	return (r.Status == results.OK || r.Status == results.Skipped) && r.BLAS == linalg.Backend()
}
