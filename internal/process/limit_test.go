package process

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

func TestCounted(t *testing.T) {
	for _, tt := range []struct{ gap, tick, want time.Duration }{
		{time.Second, time.Second, time.Second},
		{9 * time.Second, time.Second, 9 * time.Second}, // a machine under load
		{11 * time.Second, time.Second, time.Second},    // stopped
		{8 * time.Hour, 100 * time.Millisecond, 100 * time.Millisecond},
		{0, time.Second, 0},
	} {
		if got := counted(tt.gap, tt.tick); got != tt.want {
			t.Errorf("of %v between ticks of %v count %v, want %v", tt.gap, tt.tick, got, tt.want)
		}
	}
}

// TestWithLimit: a context ends at its limit, to a tick, from its last restart on.
func TestWithLimit(t *testing.T) {
	for _, limit := range []time.Duration{10 * time.Millisecond, time.Second, time.Hour} {
		synctest.Test(t, func(t *testing.T) {
			begun := time.Now()
			ctx, again, cancel := WithLimit(context.Background(), limit, context.DeadlineExceeded)
			defer cancel()
			time.Sleep(limit / 2)
			again()
			<-ctx.Done()
			if took, want := time.Since(begun), limit/2+limit; took < want || took > want+2*max(limit/ticks, time.Millisecond) {
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
