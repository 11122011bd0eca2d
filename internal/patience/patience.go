// Package patience limits time by what a process could use of it: while it is
// stopped (SIGSTOP, Ctrl-Z, a debugger, a virtual machine that is paused) no time
// passes. A limit of an hour set before a night's stop still has its hour left
// after it.
//
// Time is counted in ticks. Between two ticks that the process saw far apart it
// was stopped, and just one tick is counted. The monotonic clock is asked alone, so
// that a change of the wall clock changes nothing.
package patience

import (
	"context"
	"sync"
	"time"
)

const (
	// coarsest is the longest tick.
	coarsest = 100 * time.Millisecond
	// ticks are how many a limit has at least, where a tick is no less than a
	// millisecond.
	ticks = 20
	// far is how many ticks lie between two that the process was stopped between. A
	// machine under load may be late by some.
	far = 10
)

// Timer calls a function once a limit has passed. Its methods may be called from
// several goroutines.
type Timer struct {
	call func()
	tick time.Duration

	mu    sync.Mutex
	left  time.Duration
	last  time.Time
	next  *time.Timer
	ended bool
}

// AfterFunc calls f in a goroutine of its own after a limit, which must be
// positive, unless the timer is stopped before. A stop of the process that lasts
// less than ten ticks (a second, for limits of 2 s and more) counts as time.
func AfterFunc(limit time.Duration, f func()) *Timer {
	t := &Timer{call: f, tick: min(coarsest, max(limit/ticks, time.Millisecond)), left: limit, last: time.Now()}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.next = time.AfterFunc(min(t.tick, limit), t.beat)
	return t
}

// beat is a tick.
func (t *Timer) beat() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ended {
		return
	}
	now := time.Now()
	t.left -= counted(now.Sub(t.last), t.tick)
	t.last = now
	if t.left > 0 {
		t.next.Reset(min(t.tick, t.left))
		return
	}
	t.ended = true
	go t.call()
}

// counted is how much of the time between two ticks passed for the process.
func counted(gap, tick time.Duration) time.Duration {
	if gap > far*tick {
		return tick
	}
	return gap
}

// Reset gives the timer a whole limit again. It does nothing once the function was
// called or the timer stopped.
func (t *Timer) Reset(limit time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.left, t.last = limit, time.Now()
}

// Stop keeps the function from being called, unless it was.
func (t *Timer) Stop() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ended = true
	t.next.Stop()
}

// With is a context that ends after a limit, if it is positive, with the given
// cause; its error is then context.Canceled. The other function frees what it
// holds.
func With(parent context.Context, limit time.Duration, cause error) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(parent)
	if limit <= 0 {
		return ctx, func() { cancel(nil) }
	}
	timer := AfterFunc(limit, func() { cancel(cause) })
	return ctx, func() {
		timer.Stop()
		cancel(nil)
	}
}
