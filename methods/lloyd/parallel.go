package lloyd

import (
	"context"
	"runtime"
	"sync/atomic"

	"mercer/internal/linalg/threads"
)

// workers is how many goroutines share the given number of tasks at most.
func workers(tasks int) int { return max(1, min(runtime.GOMAXPROCS(0), tasks)) }

// parallel calls do(worker, task) for each task in [0, tasks) from as many
// goroutines as there is room for, worker in [0, workers(tasks)) being the caller's
// own number. Which worker gets a task is left to chance: results must not depend on
// it. It returns the context's error if that ended before all tasks were begun.
func parallel(ctx context.Context, tasks, workers int, do func(worker, task int)) error {
	others := threads.Reserve(min(workers, tasks) - 1)
	defer threads.Release(others)
	var next atomic.Int64
	threads.Together(others, func(worker int) {
		for ctx.Err() == nil {
			task := int(next.Add(1)) - 1
			if task >= tasks {
				return
			}
			do(worker, task)
		}
	})
	return ctx.Err()
}
