package process

import (
	"context"
	"time"
)

// WithLimit is a context that ends at the limit, with the given cause; its error is then
// context.Canceled. A limit of 0 is none. again gives the context a whole limit anew, cancel
// ends it and frees what it holds. The clock is the monotonic one, so that a change of the
// wall clock changes nothing.
func WithLimit(parent context.Context, limit time.Duration, cause error) (ctx context.Context, again, cancel func()) {
	ctx, end := context.WithCancelCause(parent)
	if limit <= 0 {
		return ctx, func() {}, func() { end(nil) }
	}
	timer := time.AfterFunc(limit, func() { end(cause) })
	return ctx, func() { timer.Reset(limit) }, func() { timer.Stop(); end(nil) }
}
