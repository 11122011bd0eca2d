package batch

import (
	"context"
	"fmt"
	"io"
	"time"

	"mercer/internal/plain"
)

// Wait returns when no job of the run waits or runs. It notes each change.
func (r *Run) Wait(ctx context.Context, notes io.Writer) error {
	wait, last := time.Second, ""
	for {
		q, err := r.queue(ctx)
		switch {
		case err == nil && !q.busy():
			return nil
		case err != nil && ctx.Err() == nil:
			fmt.Fprintln(notes, "note:", err)
		case err == nil:
			if now := q.count(); now != last {
				fmt.Fprintln(notes, now)
				last, wait = now, time.Second
			}
		}
		if pause(ctx, wait) != nil {
			return Stopped{fmt.Errorf("stopped waiting; the jobs continue: mercer status %s", plain.Quote(r.Dir))}
		}
		wait = min(wait*3/2, 30*time.Second)
	}
}
