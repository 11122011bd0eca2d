package runner

import (
	"context"
	"errors"
	"fmt"

	"mercer/internal/process"
	"mercer/results"
	"mercer/runner/plan"
)

// task is a fit in one repeat, with the cells that are wanted and their rows.
type task struct {
	fit    *plan.Fit
	cells  []*plan.Cell
	rows   []results.Row
	points []rowPoints // of the cells that figures show
}

// rowPoints are the points of one row, to be stored before it.
type rowPoints struct {
	id     string
	points results.Points
}

// wanted says whether a cell is still to be computed in a repeat.
type wanted func(c *plan.Cell, repeat int) bool

// due are the tasks of each unit of a group that are left to do in a repeat, in their order.
// Those of fits that are skipped, or refused for want of memory, are done at once.
func (c *computation) due(g *plan.Group, repeat int, wanted wanted, out sink) ([][]*task, error) {
	var units [][]*task
	for _, u := range c.plan.Units(g, repeat) {
		var tasks []*task
		for i, f := range u.Fits {
			t := &task{fit: f}
			for _, cell := range u.Cells[i] {
				if wanted(cell, repeat) {
					row := c.plan.Row(g, f, cell, repeat)
					row.BLAS = c.blas
					t.cells, t.rows = append(t.cells, cell), append(t.rows, row)
				}
			}
			if len(t.cells) == 0 {
				continue
			}
			status, reason := results.Skipped, f.Skip
			if reason == nil {
				status, reason = results.OOM, c.plan.Refusal(f)
			}
			if reason == nil {
				tasks = append(tasks, t)
			} else if err := failTasks([]*task{t}, status, reason, out); err != nil {
				return nil, err
			}
		}
		if len(tasks) > 0 {
			units = append(units, tasks)
		}
	}
	return units, nil
}

// failTasks finishes tasks without a result.
func failTasks(tasks []*task, status results.Status, reason error, out sink) error {
	for _, t := range tasks {
		t.set(status, reason)
		if err := out.add(t); err != nil {
			return err
		}
	}
	return nil
}

func (t *task) set(status results.Status, reason error) {
	for i := range t.rows {
		t.rows[i].Metrics = results.Metrics{}
		t.rows[i].Status, t.rows[i].Reason = status, reason.Error()
	}
}

// fail fills in the rows of a task that an error ended.
func (w *groupState) fail(ctx context.Context, t *task, err error) {
	status := results.Failed
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) && errors.Is(context.Cause(ctx), context.DeadlineExceeded) {
		status = results.Timeout
		if ctx.Err() != nil { // the cell's time limit, not one of the method's own
			err = fmt.Errorf("not finished within %v", w.limit)
		}
	}
	t.set(status, err)
}

// limited is a context that ends after the time limit of a cell; again begins the limit
// anew.
func (c *computation) limited(ctx context.Context) (limited context.Context, again func(), cancel func()) {
	return process.WithLimit(ctx, c.limit, context.DeadlineExceeded)
}

// writePoints stores the points of tasks.
func writePoints(dir string, points []rowPoints) error {
	for _, k := range points {
		if err := results.WritePoints(dir, k.id, k.points); err != nil {
			return err
		}
	}
	return nil
}
