package runner

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"mercer/internal/process"
	"mercer/methods"
	"mercer/results"
)

// passes divides the fits of a group into those that one pass over the sample
// does: fits of a streaming method that differ in n only, by rising n. Every other
// fit is a pass by itself, and so is every timed or skipped one.
func (p *Plan) passes(g *Group) [][]*Fit {
	type series struct {
		method string
		sizes  methods.Sizes
	}
	var passes [][]*Fit
	index := map[series]int{}
	for _, f := range g.Fits {
		method := p.Methods[f.Method]
		if _, ok := method.Method.(methods.Streaming); !ok || p.Timed || f.Skip != nil {
			passes = append(passes, []*Fit{f})
			continue
		}
		s := series{f.Method, sharedSizes(method, f.Sizes)}
		s.sizes.N = 0
		at, ok := index[s]
		if !ok {
			at = len(passes)
			index[s] = at
			passes = append(passes, nil)
		}
		passes[at] = append(passes[at], f)
	}
	for _, pass := range passes {
		slices.SortStableFunc(pass, func(a, b *Fit) int { return a.Sizes.N - b.Sizes.N })
	}
	return passes
}

// shareEll gives the fits of each pass the largest ℓ of any, before any filter, so
// that no result depends on which of them are run together.
func (p *Plan) shareEll(g *Group) {
	for _, pass := range p.passes(g) {
		most := 0
		for _, f := range pass {
			most = max(most, f.Sizes.Ell)
		}
		for _, f := range pass {
			f.Sizes.Ell = most
		}
	}
}

// flopsOf are the flops of each fit of a pass over the given ones, by rising n:
// what it adds to the fit before, and measuring.
func flopsOf(pass []*Fit) []float64 {
	flops, before := make([]float64, len(pass)), 0.0
	for i, f := range pass {
		flops[i] = max(0, f.fitting-before) + f.measuring
		before = f.fitting
	}
	return flops
}

// shareFlops sets the flops of all fits that have cells.
func (p *Plan) shareFlops() {
	done := map[*Fit]bool{} // the first fits of groups: repeats share them
	for _, g := range p.Groups {
		if g.records() == 0 || done[g.Fits[0]] {
			continue
		}
		done[g.Fits[0]] = true
		for _, pass := range p.passes(g) {
			pass = slices.DeleteFunc(pass, func(f *Fit) bool { return len(f.Cells) == 0 })
			for i, flops := range flopsOf(pass) {
				pass[i].Flops = flops
			}
		}
	}
}

// task is a fit with the cells that are pending, and their records.
type task struct {
	fit     *Fit
	cells   []Cell
	records []results.Record
	points  []kept // of the cells that figures show
	flops   float64
}

// tasks are what is left to do of a pass: the cells that are pending.
func (c *computation) tasks(g *Group, pass []*Fit, pending func(*Group, *Fit) []Cell) []*task {
	var tasks []*task
	var fits []*Fit
	for _, f := range pass {
		if cells := pending(g, f); len(cells) > 0 {
			tasks = append(tasks, &task{fit: f, cells: cells, records: c.blank(g, f, cells)})
			fits = append(fits, f)
		}
	}
	for i, flops := range flopsOf(fits) {
		tasks[i].flops = flops
	}
	return tasks
}

// stream does the tasks of a streaming method in one pass and calls done after
// each. Each has the time limit to itself, from the model before it on. A task
// whose model cannot be fitted fails by itself; where the pass fails, so do the
// tasks that it has not come to. stop ends it between two
// tasks; those left are then not done. An error of done ends it and is returned.
func (w *work) stream(stop, broken context.Context, tasks []*task, done func(*task) error) error {
	ctx, again, cancel := process.WithLimit(broken, w.limit, context.DeadlineExceeded)
	defer cancel()
	reached := 0
	var ended error
	err := w.eachModel(ctx, tasks, func(n int, m methods.Model, err error) error {
		if reached == len(tasks) || n != tasks[reached].fit.Sizes.N {
			return fmt.Errorf("a model of n = %d, which was not asked for", n)
		}
		t := tasks[reached]
		reached++
		if err != nil {
			w.fail(ctx, t, err)
		} else {
			w.score(ctx, t, m, taken{})
		}
		if ended = done(t); ended == nil {
			ended = stop.Err()
		}
		again()
		return ended
	})
	switch {
	case ended != nil && stop.Err() != nil && errors.Is(ended, stop.Err()):
		return nil
	case ended != nil:
		return ended
	case err == nil && reached < len(tasks):
		err = errors.New("the pass ended without a model")
	}
	for _, t := range tasks[reached:] {
		w.fail(ctx, t, fmt.Errorf("in one pass over n up to %d: %w", tasks[len(tasks)-1].fit.Sizes.N, err))
		if err := done(t); err != nil {
			return err
		}
	}
	return nil
}

// eachModel is the pass of a streaming method over the sizes of tasks.
func (w *work) eachModel(ctx context.Context, tasks []*task, found func(n int, m methods.Model, err error) error) (err error) {
	defer recovered(&err)
	var sizes []int
	for _, t := range tasks {
		sizes = append(sizes, t.fit.Sizes.N)
	}
	f := tasks[len(tasks)-1].fit
	method := w.plan.Methods[f.Method].Method.(methods.Streaming)
	return method.FitEach(ctx, w.problem(f), sizes, w.rng(f), found)
}
