package runner

import (
	"context"
	"runtime"

	"mercer/internal/metrics"
	"mercer/methods"
)

// fittedTask is a task with its model, which is not measured yet.
type fittedTask struct {
	*task
	model methods.Model
	took  fitCost
}

// measuresTogether says that measuring takes one pass over the blocks of a kernel matrix of
// held-out points that is not kept, for all models of the group. A cell with a time limit is
// measured by itself, and so is what a streaming method passes or a program holds.
func (w *groupState) measuresTogether(passes [][]*task) bool {
	if w.limit > 0 || w.kernelMatrix == nil || !w.kernelMatrix.Streams() {
		return false
	}
	for _, tasks := range passes {
		if _, program := w.plan.Methods[tasks[0].fit.Method].Method.(methods.Opener); program || len(tasks) > 1 {
			return false
		}
	}
	return true
}

// together fits all tasks of a group before it measures them. Until then the models are in
// memory, and no record is stored: a run that dies computes the group's fits again. A stop
// between two fits ends them, and those that are fitted are measured.
func (w *groupState) together(stop, broken context.Context, passes [][]*task, out sink) error {
	var fitted []fittedTask
	var models []methods.Model
	for _, tasks := range passes {
		if stop.Err() != nil || broken.Err() != nil {
			break
		}
		t := tasks[0]
		model, took, err := w.model(broken, t.fit)
		if err != nil {
			w.fail(broken, t, err)
			if err := out.add(t); err != nil {
				return err
			}
			continue
		}
		fitted, models = append(fitted, fittedTask{t, model, took}), append(models, model)
	}
	lifted, failure := w.lift(broken, models)
	for i, f := range fitted {
		switch {
		case broken.Err() != nil:
			return nil
		case failure != nil:
			w.fail(broken, f.task, failure)
		default:
			w.measure(broken, f.task, f.model, f.took, lifted[i])
		}
		if err := out.add(f.task); err != nil {
			return err
		}
	}
	return nil
}

// lift has the processors of measuring.
func (w *groupState) lift(ctx context.Context, models []methods.Model) (lifted []*metrics.Lifted, err error) {
	defer recovered(&err)
	if w.measuring > 0 {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(w.measuring))
	}
	return w.kernelMatrix.Lift(ctx, models)
}
