package process

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// TestWithLimit: a context ends at its limit, from its last restart on.
func TestWithLimit(t *testing.T) {
	for _, limit := range []time.Duration{10 * time.Millisecond, time.Second, time.Hour} {
		synctest.Test(t, func(t *testing.T) {
			begun := time.Now()
			ctx, again, cancel := WithLimit(context.Background(), limit, context.DeadlineExceeded)
			defer cancel()
			time.Sleep(limit / 2)
			again()
			<-ctx.Done()
			if took, want := time.Since(begun), limit/2+limit; took < want || took > want+time.Millisecond {
				t.Errorf("a limit of %v that began anew after half of it ended after %v", limit, took)
			}
			if !errors.Is(ctx.Err(), context.Canceled) || !errors.Is(context.Cause(ctx), context.DeadlineExceeded) {
				t.Errorf("error %v, cause %v", ctx.Err(), context.Cause(ctx))
			}
		})
	}
}

// TestNoLimit: a context without limit ends when it is cancelled, and not by a deadline;
// so does one with a limit, and leaves no goroutine.
func TestNoLimit(t *testing.T) {
	for _, limit := range []time.Duration{0, time.Hour} {
		synctest.Test(t, func(t *testing.T) {
			ctx, again, cancel := WithLimit(context.Background(), limit, context.DeadlineExceeded)
			again()
			time.Sleep(time.Minute)
			if ctx.Err() != nil {
				t.Error("has ended")
			}
			cancel()
			if ctx.Err() == nil || errors.Is(context.Cause(ctx), context.DeadlineExceeded) {
				t.Errorf("after its end: %v, cause %v", ctx.Err(), context.Cause(ctx))
			}
		})
	}
}
