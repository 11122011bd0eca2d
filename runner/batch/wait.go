package batch

import (
	"context"
	"fmt"
	"io"
	"time"

	"mercer/runner/batch/slurm"
)

// Wait returns when no job of the run waits or runs. It notes each change.
func (r *Run) Wait(ctx context.Context, notes io.Writer) error {
	pause, last := time.Second, ""
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
				last, pause = now, time.Second
			}
		}
		if Pause(ctx, pause) != nil {
			return fmt.Errorf("%w: mercer status %s", ErrStoppedWaiting, slurm.Quote(r.Dir))
		}
		pause = min(pause*3/2, 30*time.Second)
	}
}
