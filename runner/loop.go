package runner

import (
	"context"
	"errors"

	"mercer/methods"
	"mercer/results"
	"mercer/runner/plan"
)

// This file is the whole experiment: for each group of the plan and each repeat, draw the
// sample; then for each unit fit, measure and hand on the rows.
//
//	for repeat, for group:              run.all (run.go)
//	    draw the sample                 computation.draw (draw.go)
//	    for unit in the plan's order:
//	        fit the method              groupState.model (fit.go)
//	        measure the model           groupState.score (score.go)
//	        hand on the rows            sink.add: the writer, or a worker's pipe

// sink takes what the computation of a group yields: the writer of a run, or the pipe of a
// worker process.
type sink interface {
	// begin comes before the first fit, when what the group's fits share is made.
	begin() error
	// add takes a task that is finished.
	add(*task) error
}

// group computes the units of a group in a repeat that are due. stop ends it between two fits;
// broken, after a write error, as soon as may be. An error of out ends it and is returned.
func (c *computation) group(stop, broken context.Context, g *plan.Group, repeat int, units [][]*task, out sink) error {
	if len(units) == 0 || stop.Err() != nil {
		return nil
	}
	state, failure := c.draw(g, repeat)
	if err := out.begin(); err != nil {
		return err
	}

	for _, tasks := range units {
		if stop.Err() != nil || broken.Err() != nil {
			return nil
		}
		var err error
		switch {
		case failure != nil:
			err = failTasks(tasks, results.Failed, failure, out)
		case len(tasks) > 1:
			err = state.stream(stop, broken, tasks, out)
		default:
			err = state.one(broken, tasks[0], out)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// one fits a method, measures its model and hands on the rows.
func (w *groupState) one(ctx context.Context, t *task, out sink) error {
	limited, _, cancel := w.limited(ctx)
	defer cancel()
	model, took, err := w.model(limited, t.fit)
	if err != nil {
		w.fail(limited, t, err)
	} else {
		w.measure(limited, t, model, took)
	}
	return out.add(t)
}

// stream has one pass over the sample give the models of several n, and does with each what
// one does. Each has the time limit to itself, from the model before it on. A task whose
// model cannot be fitted fails by itself; where the pass fails, so do the tasks that it has
// not reached. stop ends it between two tasks; those left are then not done.
func (w *groupState) stream(stop, broken context.Context, tasks []*task, out sink) error {
	ctx, again, cancel := w.limited(broken)
	defer cancel()
	reached := 0
	var ended error
	err := w.eachModel(ctx, tasks, func(n int, m methods.Model, err error) error {
		if reached == len(tasks) || n != tasks[reached].fit.Sizes.N {
			return errors.New("a model of an n that was not asked for")
		}
		t := tasks[reached]
		reached++
		if err != nil {
			w.fail(ctx, t, err)
		} else {
			w.score(ctx, t, m, fitCost{})
		}
		if ended = out.add(t); ended == nil {
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
		w.fail(ctx, t, err)
		if err := out.add(t); err != nil {
			return err
		}
	}
	return nil
}
