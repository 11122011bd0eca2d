package runner

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"

	"mercer/internal/linalg"
	"mercer/internal/linalg/threads"
	"mercer/methods/exec"
	"mercer/results"
)

// Options steer a run; they change no result.
type Options struct {
	Dir         string        // the run directory
	Workers     int           // groups computed side by side, and the limit of processors
	Memory      int64         // bytes that they may take together; 0 for no limit
	CellTimeout time.Duration // 0 for none
	CellMemory  int64         // bytes that the process of a cell may have resident; 0 for no limit of its own
	Isolate     Isolate       // which cells run in processes of their own
	Worker      []string      // the command line of a process that calls Serve
	Fresh       bool          // forget the records of earlier starts
	Progress    func(Progress)

	watch func(admission) admission // for tests: stands before the memory that groups wait for
	ready time.Duration             // for tests: that a worker may take to get ready, 0 for the default
}

// Progress is the state of a run after a record.
type Progress struct {
	Done, Total         int // records, those of an earlier start included
	Failed              int
	Resumed             int           // records that an earlier start had finished
	WorkDone, WorkTotal float64       // estimated flops of this start
	Elapsed             time.Duration // of this start
	Current             string        // what was finished last
}

// Left estimates the time to the end from the work done so far; 0 while too
// little is known.
func (p Progress) Left() time.Duration {
	if p.WorkDone <= 0 || p.Elapsed < 2*time.Second && p.WorkDone < 0.05*p.WorkTotal {
		return 0
	}
	return time.Duration(float64(p.Elapsed) * (p.WorkTotal - p.WorkDone) / p.WorkDone)
}

// Summary says how a run ended.
type Summary struct {
	Dir                     string
	Total, Resumed, Written int
	Failed                  int // records that are neither ok nor skipped
	Interrupted             bool
	Warnings                []string
}

// Run carries out what is missing of the plan and writes it to the store in
// o.Dir. Records that are there already, and ok or skipped, are not run again;
// failed ones are. Cells whose points a figure shows and that are missing are
// computed again, and their records stay. What programs of processes that were killed
// have left in $TMPDIR is swept first. When ctx ends no new fit is begun, those in hand are finished
// and stored, and the summary says Interrupted. A write error stops the run; it
// loses nothing that was stored.
func Run(ctx context.Context, p *Plan, manifest results.Manifest, o Options) (Summary, error) {
	store, err := results.Open(o.Dir)
	if err != nil {
		return Summary{}, advise(err)
	}
	defer store.Close()
	if o.Fresh {
		if err := store.Clear(); err != nil {
			return Summary{}, advise(err)
		}
	}
	var left []string
	if err := exec.Sweep(); err != nil {
		left = []string{err.Error()}
	}
	r := &run{computation: newComputation(p, o.CellTimeout), options: o, store: store, begun: time.Now()}
	r.progress.Total = p.Records()
	r.count()
	manifest.Keys, manifest.Cells = p.Keys(), p.Records()
	r.open(&manifest)
	if err := results.WriteManifest(o.Dir, manifest); err != nil {
		return Summary{}, advise(err)
	}
	err = r.all(ctx)
	summary := Summary{
		Dir: o.Dir, Total: r.progress.Total, Resumed: r.progress.Resumed, Failed: r.progress.Failed,
		Written: r.progress.Done - r.progress.Resumed, Interrupted: ctx.Err() != nil, Warnings: append(left, store.Warnings()...),
	}
	if summary.Written > 0 {
		start := &manifest.Starts[len(manifest.Starts)-1]
		start.Finished, start.Written = now(), summary.Written
	}
	if err == nil && !summary.Interrupted && manifest.Finished == "" {
		manifest.Finished = now()
	}
	return summary, advise(errors.Join(err, results.WriteManifest(o.Dir, manifest), store.Close()))
}

func now() string { return time.Now().UTC().Format(time.RFC3339) }

// open dates a manifest. Where earlier starts left records that are still good,
// it goes on with their dates; where nothing is left to run it keeps them.
func (r *run) open(m *results.Manifest) {
	if before, err := results.ReadManifest(r.options.Dir); err == nil && r.progress.Resumed > 0 {
		m.Started, m.Starts = before.Started, before.Starts
		if r.progress.Done == r.progress.Total {
			m.Finished, m.Machine, m.Commit, m.Versions = before.Finished, before.Machine, before.Commit, before.Versions
			return
		}
	}
	start := results.Start{Started: now(), Machine: m.Machine, Commit: m.Commit, BLAS: linalg.Backend()}
	if m.Started == "" {
		m.Started = start.Started
	}
	m.Starts = append(m.Starts, start)
}

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

// admission is where groups wait for memory.
type admission interface {
	Acquire(ctx context.Context, bytes int64) error
	TryAcquire(bytes int64) bool
	Release(bytes int64)
}

// final says that a record need not be made again: it is ok or skipped, and made
// on this BLAS, so that results of different ones are never mixed.
func final(r results.Record) bool {
	return (r.Status == results.OK || r.Status == results.Skipped) && r.BLAS == linalg.Backend()
}

// stored says whether a cell has a final record.
func (r *run) stored(key string) bool {
	record, ok := r.store.Lookup(key)
	return ok && final(record)
}

// pending are the cells of a fit that have no final record yet, or not the points
// that are to be kept with it.
func (r *run) pending(g *Group, f *Fit) []Cell {
	var cells []Cell
	for _, c := range f.Cells {
		if key := g.Key(c); !r.stored(key) || g.Shows(c) && !results.HasPoints(r.options.Dir, key) {
			cells = append(cells, c)
		}
	}
	return cells
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
		for _, pass := range r.plan.passes(g) {
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

// all runs the groups that have something left to do, side by side as far as
// workers allow, and memory for their arrays and garbage, on one processor each; processors that no group is
// left for help the others. Timed groups run one after another. Groups that are
// isolated run in worker processes, each of which holds its own copy of what
// groups share.
func (r *run) all(ctx context.Context) error {
	workers, memory := max(1, r.options.Workers), r.options.Memory
	processors := min(workers, runtime.GOMAXPROCS(0))
	if r.plan.Timed {
		workers, processors = 1, max(1, r.plan.Timing.Threads)
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
	if memory <= 0 {
		memory = math.MaxInt64
	}
	defer r.plan.pace(memory, workers)()
	memory = r.plan.allowed(r.options.Memory)
	isolated := r.isolated()
	if len(isolated) > 0 {
		if r.plan.Recipe == nil || len(r.options.Worker) == 0 {
			return errors.New("runner: cells are to run in processes of their own, and nothing says how to start one")
		}
		r.pool = newPool(r, min(workers, len(isolated)), processors)
		defer r.pool.close()
	}
	room := max(1, memory+r.plan.SharedBytes-withGarbage(r.plan.SharedBytes))
	var admitted admission = semaphore.NewWeighted(room)
	if r.options.watch != nil {
		admitted = r.options.watch(admitted)
	}
	group, inner := errgroup.WithContext(context.WithoutCancel(ctx)) // ends at a write error
	group.SetLimit(workers)
	for number, g := range r.plan.Groups {
		if ctx.Err() != nil || inner.Err() != nil {
			break
		}
		if !r.needed(g) {
			continue
		}
		parts, refused := r.plan.parts(g, memory)
		if err := r.refuse(g, refused); err != nil {
			return errors.Join(err, group.Wait())
		}
		for _, part := range parts {
			if !r.needed(part) {
				continue
			}
			weight := withGarbage(part.Memory.Total())
			if isolated[g] { // what its process takes, and its copy of what is shared
				weight += r.pool.each
			}
			weight = min(weight, room) // what does not fit beside anything else runs alone
			if r.admit(ctx, admitted, weight, room, isolated[g]) != nil {
				break
			}
			group.Go(func() error {
				defer admitted.Release(weight)
				if isolated[g] {
					return r.group(ctx, inner, part, r.pool.place(g, number, part))
				}
				defer threads.Enter()()
				return r.group(ctx, inner, part, &here{computation: r.computation, group: part})
			})
		}
	}
	return group.Wait()
}

// admit waits for memory. Worker processes that are free hold theirs: where it is
// needed they end.
func (r *run) admit(ctx context.Context, admitted admission, weight, memory int64, isolated bool) error {
	if r.pool != nil {
		idle := r.pool.idle()
		if isolated && idle > 0 {
			idle-- // it is taken
		}
		if kept := int64(idle) * r.pool.each; kept > 0 {
			if weight+kept <= memory && admitted.TryAcquire(weight+kept) {
				admitted.Release(kept)
				return nil
			}
			r.pool.close()
		}
	}
	return admitted.Acquire(ctx, weight)
}

func (r *run) needed(g *Group) bool {
	for _, f := range g.Fits {
		if len(r.pending(g, f)) > 0 {
			return true
		}
	}
	return false
}

// DefaultDir is where a run of an experiment under a profile goes.
func DefaultDir(root, experiment, profile string) string {
	return filepath.Join(root, experiment, profile)
}
