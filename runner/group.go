package runner

import (
	"context"

	"mercer/results"
	"mercer/runner/plan"
)

// sink takes what the computation of a group yields: the writer of a run, or the pipe
// of a worker process.
type sink interface {
	// begin comes before the first fit, when what the group's fits share is made.
	begin() error
	// add takes a task that is finished.
	add(*task) error
}

// group computes the wanted cells of a group, or of a part of one, one pass after
// another. stop ends it between two fits; broken, after a write error, as soon as may
// be. An error of out ends it and is returned.
func (c *computation) group(stop, broken context.Context, g *plan.Group, wanted wanted, out sink) error {
	passes, err := c.due(g, wanted, out)
	if err != nil || len(passes) == 0 || stop.Err() != nil {
		return err
	}
	state, failure := c.prepare(g)
	if err := out.begin(); err != nil {
		return err
	}
	if failure == nil && state.measuresTogether(passes) {
		return state.together(stop, broken, passes, out)
	}
	for _, tasks := range passes {
		if stop.Err() != nil || broken.Err() != nil {
			return nil
		}
		switch {
		case failure != nil:
			err = failTasks(tasks, results.Failed, failure, nil, out)
		case len(tasks) > 1:
			err = state.stream(stop, broken, tasks, out.add)
		default:
			state.fit(broken, tasks[0])
			err = out.add(tasks[0])
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// due are the tasks of each pass of a group that are left to do, in their order. Those
// of fits that are skipped are done at once.
func (c *computation) due(g *plan.Group, wanted wanted, out sink) ([][]*task, error) {
	var passes [][]*task
	for _, pass := range c.plan.Order(g) {
		tasks := c.tasks(g, pass, wanted)
		if len(tasks) == 0 {
			continue
		}
		if skip := pass[0].Skip; skip != nil { // one fit
			if err := failTasks(tasks, results.Skipped, skip, nil, out); err != nil {
				return nil, err
			}
			continue
		}
		passes = append(passes, tasks)
	}
	return passes, nil
}

// failTasks finishes tasks without a result. What a process took for them goes to the
// first.
func failTasks(tasks []*task, status results.Status, reason error, used *results.Usage, out sink) error {
	for _, t := range tasks {
		setStatus(t.records, status, reason)
		for i := range t.records {
			t.records[i].Usage = used
		}
		used = nil
		if err := out.add(t); err != nil {
			return err
		}
	}
	return nil
}
