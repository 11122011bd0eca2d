package process

import (
	"context"
	"sync/atomic"
	"time"
)

const (
	// coarsest is the longest tick by which a limit is counted.
	coarsest = 100 * time.Millisecond
	// ticks are how many a limit has at least, where a tick is no less than a
	// millisecond.
	ticks = 20
	// far is how many ticks lie between two that the process was stopped between. A
	// machine under load may be late by some.
	far = 10
)

// WithLimit is a context that ends once this process has run for the limit, with the
// given cause; its error is then context.Canceled. A limit of 0 is none. again gives
// the context a whole limit anew, cancel ends it and frees what it holds.
//
// While the process is stopped (SIGSTOP, Ctrl-Z, a debugger, a virtual machine that is
// paused) no time passes, so that a limit of an hour set before a night's stop still
// has its hour left after it. Time is counted in ticks of a twentieth of the limit, at
// most 0.1 s: of ten ticks or more between two that the process sees one is counted.
// A shorter stop counts as time. The clock is the monotonic one, so that a change of
// the wall clock changes nothing.
func WithLimit(parent context.Context, limit time.Duration, cause error) (ctx context.Context, again, cancel func()) {
	ctx, end := context.WithCancelCause(parent)
	cancel = func() { end(nil) }
	if limit <= 0 {
		return ctx, func() {}, cancel
	}
	tick := min(coarsest, max(limit/ticks, time.Millisecond))
	var left atomic.Int64
	left.Store(int64(limit))
	ticker := time.NewTicker(tick)
	last := time.Now()
	go func() {
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
			}
			now := time.Now()
			if left.Add(-int64(counted(now.Sub(last), tick))) <= 0 {
				end(cause)
				return
			}
			last = now
		}
	}()
	return ctx, func() { left.Store(int64(limit + tick)) }, cancel // the tick in hand may count for what was before
}

// counted is how much of the time between two ticks passed for the process.
func counted(gap, tick time.Duration) time.Duration {
	if gap > far*tick {
		return tick
	}
	return gap
}
