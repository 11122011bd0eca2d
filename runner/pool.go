package runner

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"mercer/internal/linalg"
	"mercer/results"
)

// leastReady, readyShare and mostReady bound the time that a worker may take to get
// ready: minutes, and so many times what this process took to make the plan, once for
// each worker, for all may read from one disk; but no more than an hour, or twice
// what this process took.
const (
	leastReady = 2 * time.Minute
	readyShare = 10
	mostReady  = time.Hour
)

// outsideHeap is the part of a worker's memory that the collector leaves to what is
// not in Go's heap, so that garbage alone gets no worker killed: one in so many.
const outsideHeap = 20

// readyTime is how long each of so many workers may take to get ready, where making
// the plan took this process so long.
func readyTime(workers int, making time.Duration) time.Duration {
	return min(leastReady+readyShare*time.Duration(workers)*making, max(mostReady, 2*making))
}

// pool starts worker processes as groups need them, and keeps those that groups
// have left for others.
type pool struct {
	command []string
	setup   setup
	timed   bool  // the plan's fits are
	memory  int64 // bytes that a worker may have resident
	reason  string
	each    int64         // bytes that a worker holds beside its group, by estimate
	ready   time.Duration // that a worker may take to get ready

	living atomic.Int64 // workers that got ready and have not ended

	mu     sync.Mutex
	free   []*worker
	lost   int // passes in a row that were given up because no worker got ready
	status results.Status
	cause  error // why the last of them was
}

// newPool makes a pool of at most so many workers at once, which share processors
// and memory; a cell may have the run's CellMemory, or all there is.
func newPool(r *run, workers, processors int) *pool {
	memory := r.options.Memory
	if memory <= 0 {
		memory = maxBytes
	}
	p := &pool{
		command: r.options.Worker, timed: r.plan.Timed, memory: memory, reason: "the run may take (--memory)", each: withGarbage(r.plan.SharedBytes) + processBytes,
		setup: setup{
			Recipe: *r.plan.Recipe, Shard: r.plan.shard, Digest: r.plan.digest, BLAS: linalg.Backend(),
			Processors: max(1, processors/workers), Limit: r.options.CellTimeout,
		},
	}
	if limit := r.options.CellMemory; limit > 0 && limit < memory {
		p.memory, p.reason = limit, "a cell may take (--cell-memory)"
	}
	p.setup.Memory = p.memory - p.memory/outsideHeap
	p.ready = cmp.Or(r.options.ready, readyTime(workers, r.plan.making))
	return p
}

// take is a worker that is ready for orders. It fails with unready where a new one
// came to grief before that, and with noneLeft where none is to be started any more.
// After a row of passes that were given up it starts none while others are at work,
// but waits for one of these.
func (p *pool) take(stop, broken context.Context) (*worker, error) {
	for {
		w, wait, err := p.idler()
		switch {
		case w != nil || err != nil:
			return w, err
		case !wait:
			if w, err = p.start(stop, broken); err == nil {
				p.well()
			}
			return w, err
		}
		select {
		case <-stop.Done():
			return nil, stop.Err()
		case <-broken.Done():
			return nil, broken.Err()
		case <-time.After(watchEvery):
		}
	}
}

// idler is a worker that is free; where there is none, it says whether to wait for
// one.
func (p *pool) idler() (w *worker, wait bool, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if last := len(p.free) - 1; last >= 0 {
		w = p.free[last]
		p.free = p.free[:last]
		return w, false, nil
	}
	if err := p.hopeless(); err != nil {
		return nil, false, err
	}
	return nil, p.lost >= maxTries, nil
}

// well notes that a worker got ready, or that a pass ended well.
func (p *pool) well() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lost = 0
}

// giveUp notes that a pass was given up because no worker got ready.
func (p *pool) giveUp(status results.Status, cause error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lost, p.status, p.cause = p.lost+1, status, cause
}

// noneLeft is the error of a pool that starts no more workers: what became of the
// last.
type noneLeft struct {
	status results.Status
	reason error
}

func (h noneLeft) Error() string { return h.reason.Error() }

// hopeless fails where no more workers are to be started: all make the same plan of
// the same data. Where one lives it can be done. The pool is locked.
func (p *pool) hopeless() error {
	if p.lost < maxTries || p.living.Load() > 0 {
		return nil
	}
	return noneLeft{p.status, fmt.Errorf("not tried any more, after %d passes like this: %w", p.lost, p.cause)}
}

// idle is the number of workers that wait for a group.
func (p *pool) idle() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.free)
}

func (p *pool) put(w *worker) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.free = append(p.free, w)
}

// close ends the workers that wait.
func (p *pool) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, w := range p.free {
		w.end()
	}
	p.free = nil
}
