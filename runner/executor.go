package runner

import "context"

// executor is where the passes of a group are computed: in this process or in one of
// their own.
type executor interface {
	// pass does the tasks of the group's pass of a number and calls done after
	// each; an error of done ends it and is returned. stop ends it between two
	// tasks, broken as soon as may be; those left are then not done.
	pass(stop, broken context.Context, number int, tasks []*task, done func(*task) error) error
	leave()
}
