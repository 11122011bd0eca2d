package runner

import (
	"mercer/results"
	"mercer/runner/plan"
)

// run is one start of a plan.
type run struct {
	*computation
	options Options
	store   *results.Store
	writer  *writer
	pool    *pool // of worker processes; nil where nothing is isolated
	given   results.Manifest
	begun   bool            // the manifest dates this start
	tried   map[string]bool // keys of the plans before this one
	left    []string        // what programs have left behind and could not be removed
}

func (r *run) note(left error) {
	if left != nil {
		r.left = append(r.left, left.Error())
	}
}

// stored says whether a cell has a final record: one that is ok or skipped, and made
// on this BLAS, so that results of different ones are never mixed. It need not be made
// again.
func (r *run) stored(key string) bool {
	record, ok := r.store.Lookup(key)
	return ok && (record.Status == results.OK || record.Status == results.Skipped) && record.BLAS == r.blas
}

// wanted says that a cell has no final record yet, or not the points that are to be
// kept with it.
func (r *run) wanted(g *plan.Group, c plan.Cell) bool {
	key := g.Key(c)
	return !r.tried[key] && (!r.stored(key) || g.Shows(c) && !results.HasPoints(r.options.Dir, key))
}

func (r *run) needed(g *plan.Group) bool {
	for _, f := range g.Fits {
		for _, c := range f.Cells {
			if r.wanted(g, c) {
				return true
			}
		}
	}
	return false
}

// count takes stock of what earlier starts have done of the plan, but for its cells
// that were tried before.
func (r *run) count() {
	p := &r.writer.progress
	p.Total = r.plan.Records()
	for _, g := range r.plan.Groups {
		for _, pass := range r.plan.Passes(g) {
			for _, t := range r.tasks(g, pass, r.wanted) {
				p.WorkTotal += t.flops
			}
			for _, f := range pass {
				for _, c := range f.Cells {
					if key := g.Key(c); !r.tried[key] && r.stored(key) {
						p.Resumed++
						p.Done++
					}
				}
			}
		}
	}
	r.writer.report()
}

// extend goes on to a plan with more cells.
func (r *run) extend(more *plan.Plan) {
	r.tried = make(map[string]bool, r.plan.Records())
	for _, key := range r.plan.Keys() {
		r.tried[key] = true
	}
	r.note(r.endPrograms())
	r.computation.plan, r.writer.plan = more, more
	r.count()
}
