package batch

import (
	"context"
	"errors"
	"testing"

	"mercer/runner"
)

// TestUnfinished: a warned shard goes back into the queue if it got anywhere; records
// that failed are no way forward.
func TestUnfinished(t *testing.T) {
	for failed, requeued := range map[int]bool{2: false, 1: true} {
		asked := false
		place := Place{Task: "7_3", Requeue: func(context.Context) error { asked = true; return nil }}
		err := (&shard{dir: "run", place: place}).unfinished(t.Context(), runner.Summary{Total: 5, Resumed: 1, Written: 2, Failed: failed}, true, func(string) {})
		if stopped := errors.As(err, new(Stopped)); err == nil || stopped != requeued {
			t.Errorf("%d of 2 failed: %#v", failed, err)
		}
		if asked != requeued {
			t.Errorf("%d of 2 failed: asked %v", failed, asked)
		}
	}
}
