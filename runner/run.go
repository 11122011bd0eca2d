package runner

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"

	"mercer/configs"
	"mercer/internal/linalg/threads"
	"mercer/results"
	"mercer/runner/plan"
)

// run is one start of a plan.
type run struct {
	*computation
	options Options
	store   *results.Store
	writer  *writer
	tried   map[string]bool // ids that this start has computed already
	left    []string        // what programs have left behind and could not be removed
}

// Run carries out what is missing of the plan and writes it to the store in o.Dir. Rows
// that are there already, and ok or skipped, are not computed again; failed ones are, and
// rows whose points a figure shows and that are missing. What programs of processes that
// were killed have left in $TMPDIR is swept before and after. When ctx ends no new fit is
// begun, current fits are finished and stored, and the summary says Interrupted. A write
// error stops the run; it loses nothing that was stored.
func Run(ctx context.Context, p *plan.Plan, manifest results.Manifest, o Options) (Summary, error) {
	limit, err := configs.ParseMemory(o.CellMemory, ThisMachine().Memory)
	if err != nil {
		return Summary{}, err
	}
	o.cellMemory = int64(limit)
	store, err := results.Open(o.Dir)
	if err != nil {
		return Summary{}, err
	}
	defer store.Close()
	if o.Fresh {
		if err := store.Clear(); err != nil {
			return Summary{}, err
		}
	}

	r := &run{computation: newComputation(p, o.CellTimeout), options: o, store: store, tried: map[string]bool{}}
	r.writer = &writer{plan: p, store: store, dir: o.Dir, stored: r.stored, show: o.Progress, begun: time.Now()}
	err = r.rename()
	if err == nil {
		r.count()
		err = r.begin(&manifest)
	}
	for more := true; more && err == nil; {
		if err = r.all(ctx); err != nil || ctx.Err() != nil || o.Extend == nil {
			break
		}
		r.note(p.Programs.Close())
		if more, err = o.Extend(); more && err == nil {
			r.count()
			manifest.IDs = p.IDs() // so that the rows that come are of the run
			err = results.WriteManifest(o.Dir, manifest)
		}
	}
	r.note(p.Programs.Close())

	done := r.writer.progress
	summary := Summary{
		Dir: o.Dir, Total: done.Total, Resumed: done.Resumed, Failed: done.Failed,
		Written: done.Done - done.Resumed, Interrupted: ctx.Err() != nil, Warnings: append(r.left, store.Warnings()...),
	}
	manifest.IDs = p.IDs()
	if err == nil && !summary.Interrupted {
		manifest.End()
	}
	return summary, errors.Join(err, results.WriteManifest(o.Dir, manifest), store.Close())
}

func (r *run) note(left error) {
	if left != nil {
		r.left = append(r.left, left.Error())
	}
}

// begin writes what says of what the rows are.
func (r *run) begin(m *results.Manifest) error {
	text, err := results.WriteSpec(r.options.Dir, r.plan.Spec, r.plan.Catalog())
	if err != nil {
		return err
	}
	m.Describe(text)
	m.IDs, m.Plan = r.plan.IDs(), r.plan.Hash()
	done := r.writer.progress
	before, err := results.ReadManifest(r.options.Dir)
	if err != nil || done.Resumed == 0 {
		before = results.Manifest{}
	}
	m.Begin(before, done.Done == done.Total)
	return results.WriteManifest(r.options.Dir, *m)
}

// rename stores rows again that are final and whose columns have changed: a spec may call a
// variable by another name, or sweep what was fixed, without any number changing.
func (r *run) rename() error {
	var renamed []results.Row
	for repeat := range r.plan.Repeats() {
		for c := range r.plan.Cells {
			row, ok := r.store.Lookup(c.ID(repeat))
			if ok && r.final(row) && row.At != c.At {
				row.At = c.At
				renamed = append(renamed, row)
			}
		}
	}
	return r.store.Append(renamed...)
}

// final says whether a row need not be computed again: it is ok or skipped, and made on this
// BLAS, so that results of different ones are never mixed.
func (r *run) final(row results.Row) bool { return row.Final() && row.BLAS == r.blas }

func (r *run) stored(id string) bool {
	row, ok := r.store.Lookup(id)
	return ok && r.final(row)
}

// wanted says that a cell has no final row yet, or not the points that are to be kept with
// it.
func (r *run) wanted(c *plan.Cell, repeat int) bool {
	id := c.ID(repeat)
	return !r.tried[id] && (!r.stored(id) || c.Shows(repeat) && !results.HasPoints(r.options.Dir, id))
}

// count takes stock of what is due and of what earlier starts have done.
func (r *run) count() {
	p := &r.writer.progress
	p.Total = 0
	for repeat := range r.plan.Repeats() {
		for _, g := range r.plan.Groups {
			for _, u := range r.plan.Units(g, repeat) {
				for _, c := range slices.Concat(u.Cells...) {
					p.Total++
					id := c.ID(repeat)
					if !r.tried[id] && r.stored(id) {
						p.Resumed++
						p.Done++
						r.tried[id] = !c.Shows(repeat) || results.HasPoints(r.options.Dir, id)
					}
				}
			}
		}
	}
	r.writer.report()
}

// all computes what is left, groups side by side as far as workers and memory for their
// arrays and garbage allow, on one processor each; processors that no group is left for help
// the others. Timed groups run one after another, and are measured on all processors. Groups
// that are isolated run in a process each.
func (r *run) all(ctx context.Context) error {
	workers, memory := max(1, r.options.Workers), r.plan.Input.Memory
	processors := min(workers, runtime.GOMAXPROCS(0))
	if r.plan.Timed {
		r.measuring = processors
		workers, processors = 1, max(1, r.plan.Input.Timing.Threads)
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
	if memory <= 0 {
		memory = math.MaxInt64
	}
	defer tuneGC(memory, r.plan.Timed)()

	room := r.plan.Allowed()
	admitted := semaphore.NewWeighted(room)
	group, broken := errgroup.WithContext(context.WithoutCancel(ctx))
	group.SetLimit(workers)
admission:
	for repeat := range r.plan.Repeats() {
		for _, g := range r.plan.Groups {
			units, err := r.due(g, repeat, r.wanted, r.writer)
			if err == nil && len(units) == 0 {
				continue
			}
			weight := min(plan.WithGarbage(g.Bytes), room) // what does not fit beside anything else runs alone
			if err != nil || broken.Err() != nil || admitted.Acquire(ctx, weight) != nil {
				break admission // the error is ctx's, or the writer's, which keeps it
			}
			group.Go(func() error {
				defer admitted.Release(weight)
				if r.isolates(g) {
					return r.apart(ctx, broken, g, repeat, units, processors)
				}
				defer threads.RegisterWorker()()
				return r.group(ctx, broken, g, repeat, units, r.writer)
			})
		}
	}
	err := group.Wait()
	if failed := r.writer.flush(); !errors.Is(err, failed) {
		err = errors.Join(err, failed)
	}
	for _, id := range r.plan.IDs() {
		r.tried[id] = true
	}
	return err
}

// isolates says whether a group is computed in a process of its own, which can be killed
// when it goes past a limit, and whose processor time and memory are known.
func (r *run) isolates(g *plan.Group) bool {
	switch {
	case g.Skipped() || r.options.Isolate == IsolateNone || len(r.options.Worker) == 0:
		return false
	case r.options.Isolate == IsolateProcess:
		return true
	}
	return r.plan.Timed || r.options.cellMemory > 0 || r.options.CellTimeout > 0 && g.Bytes >= smallBytes
}

// smallBytes is what the arrays of a group may take for its steps to be so short that a fit
// sees its time limit by itself.
const smallBytes = 128 << 20

// DefaultDir is where a run of an experiment under a profile goes.
func DefaultDir(root, experiment, profile string) string {
	return filepath.Join(root, experiment, profile)
}
