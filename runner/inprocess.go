package runner

import (
	"context"

	"mercer/results"
	"mercer/runner/plan"
)

// inProcess is where the passes of one group are computed in this process.
type inProcess struct {
	*computation
	group   *plan.Group
	state   *groupState
	failure error // of what all fits share
}

// begin makes ready what all fits of the group share.
func (h *inProcess) begin() {
	if h.state == nil && h.failure == nil {
		h.state, h.failure = h.prepare(h.group)
	}
}

func (h *inProcess) pass(stop, broken context.Context, _ int, tasks []*task, done func(*task) error) error {
	h.begin()
	if h.failure == nil && len(tasks) > 1 {
		return h.state.stream(stop, broken, tasks, done)
	}
	for _, t := range tasks {
		if h.failure != nil {
			setStatus(t.records, results.Failed, h.failure)
		} else {
			h.state.fit(broken, t)
		}
		if err := done(t); err != nil {
			return err
		}
	}
	return nil
}

func (h *inProcess) leave() {}
