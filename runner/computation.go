package runner

import (
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"mercer/internal/linalg"
	"mercer/internal/lists"
	"mercer/internal/metrics"
	"mercer/methods"
	"mercer/results"
	"mercer/runner/plan"
)

// computation computes the fits of a plan, and stores nothing. It may be used by
// several goroutines at once.
type computation struct {
	plan  *plan.Plan
	limit time.Duration // for a cell; 0 for none
	blas  string        // linalg.Backend
	// measuring is how many processors measuring takes between fits that are timed on
	// fewer, no other group being in hand; 0 for those of the fit.
	measuring int

	mu      sync.Mutex
	heldOut map[heldOutKey]*metrics.HeldOutKernel
	cells   map[cellName]cellText
}

// heldOutKey names the kernel matrix of a population's points that all repeats
// share.
type heldOutKey struct{ dataset, kernel string }

// cellName is a cell, whatever its kernel and repeat.
type cellName struct {
	dataset string
	number  int
}

// cellText is what the records of a cell share in memory.
type cellText struct {
	point map[string]float64
	work  string
}

func newComputation(p *plan.Plan, limit time.Duration) *computation {
	return &computation{plan: p, limit: limit, blas: linalg.Backend(), heldOut: map[heldOutKey]*metrics.HeldOutKernel{}, cells: map[cellName]cellText{}}
}

// serving are the methods that keep processes from fit to fit.
func (c *computation) serving() (all []methods.Serving) {
	for _, id := range slices.Sorted(maps.Keys(c.plan.Methods)) {
		if s, ok := c.plan.Methods[id].Method.(methods.Serving); ok {
			all = append(all, s)
		}
	}
	return all
}

// endPrograms ends what methods keep running.
func (c *computation) endPrograms() (err error) {
	for _, s := range c.serving() {
		err = errors.Join(err, s.Close())
	}
	return err
}

// measuresOn lets measuring take so many processors where fits are timed.
func (c *computation) measuresOn(processors int) {
	if c.plan.Timed {
		c.measuring = processors
	}
}

func (c *computation) cellText(g *plan.Group, method string, cell plan.Cell) cellText {
	name := cellName{g.Dataset, cell.Number()}
	c.mu.Lock()
	defer c.mu.Unlock()
	text, ok := c.cells[name]
	if !ok {
		text = cellText{g.Point(cell), c.plan.Work(method, cell)}
		c.cells[name] = text
	}
	return text
}

// newRecords are the records of cells with all but their outcome.
func (c *computation) newRecords(g *plan.Group, f *plan.Fit, cells []plan.Cell) []results.Record {
	records := make([]results.Record, len(cells))
	for i, cell := range cells {
		text := c.cellText(g, f.Method, cell)
		records[i] = results.Record{
			Schema: results.SchemaVersion, Key: g.Key(cell), Experiment: c.plan.Spec.Name,
			Dataset: g.Dataset, Kernel: g.Kernel, Method: f.Method,
			Sizes: cell.Sizes, Point: text.point, Work: text.work,
			Repeat: g.Repeat, Seed: c.plan.Spec.Seed,
			Version: c.plan.Methods[f.Method].Version, BLAS: c.blas,
		}
	}
	return records
}

// tasks are what is left to do of a pass: the cells that are wanted.
func (c *computation) tasks(g *plan.Group, pass []*plan.Fit, wanted wanted) []*task {
	var tasks []*task
	var fits []*plan.Fit
	for _, f := range pass {
		cells := lists.Where(f.Cells, func(cell plan.Cell) bool { return wanted(g, cell) })
		if len(cells) > 0 {
			tasks = append(tasks, &task{fit: f, cells: cells, records: c.newRecords(g, f, cells)})
			fits = append(fits, f)
		}
	}
	for i, flops := range plan.PassFlops(fits) {
		tasks[i].flops = flops
	}
	return tasks
}
