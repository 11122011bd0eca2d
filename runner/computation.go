package runner

import (
	"sync"
	"time"

	"mercer/internal/linalg"
	"mercer/internal/metrics"
	"mercer/runner/plan"
)

// computation computes the fits of a plan, and stores nothing. It may be used by several
// goroutines at once.
type computation struct {
	plan  *plan.Plan
	limit time.Duration // for a cell; 0 for none
	blas  string        // linalg.Backend
	// measuring is how many processors measuring takes between fits that are timed on
	// fewer, no other group being in hand; 0 for those of the fit.
	measuring int

	mu sync.Mutex
	// heldOut are kernel matrices of populations whose points all repeats share.
	heldOut map[string]*metrics.HeldOutKernel
}

func newComputation(p *plan.Plan, limit time.Duration) *computation {
	return &computation{plan: p, limit: limit, blas: linalg.Backend(), heldOut: map[string]*metrics.HeldOutKernel{}}
}
