package runner

import (
	"context"
	"errors"
	"fmt"
	"mercer/internal/metrics"
	"mercer/internal/process"
	"mercer/methods"
	"mercer/results"
)

// fit computes the fit of a task by itself, measures it and fills in the records.
func (w *groupState) fit(ctx context.Context, t *task) {
	ctx, _, cancel := process.WithLimit(ctx, w.limit, context.DeadlineExceeded)
	defer cancel()
	model, took, err := w.model(ctx, t.fit)
	if err != nil {
		w.fail(ctx, t, err)
		return
	}
	w.measure(ctx, t, model, took, nil)
}

// measure scores a model and lets go of what it holds.
func (w *groupState) measure(ctx context.Context, t *task, model methods.Model, took fitCost, lifted *metrics.Lifted) {
	w.score(ctx, t, model, took, lifted)
	if err := methods.Release(model); err != nil {
		for i := range t.records {
			t.records[i].Metrics, t.records[i].Phases = results.Metrics{}, nil
		}
		w.fail(ctx, t, err)
	}
}

// stream does the tasks of a streaming method in one pass and calls done after
// each. Each has the time limit to itself, from the model before it on. A task
// whose model cannot be fitted fails by itself; where the pass fails, so do the
// tasks that it has not reached. stop ends it between two
// tasks; those left are then not done. An error of done ends it and is returned.
func (w *groupState) stream(stop, broken context.Context, tasks []*task, done func(*task) error) error {
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
			w.score(ctx, t, m, fitCost{}, nil)
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
