package runner

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"time"

	"mercer/linalg"
	"mercer/results"
)

// leastReady and readyShare bound the time that a worker may take to get ready:
// minutes, and so many times what this process took to make the plan, once for each
// worker, for all may read from one disk.
const (
	leastReady = 2 * time.Minute
	readyShare = 10
)

// pool starts worker processes as groups need them, and keeps those that groups
// have left for others.
type pool struct {
	command []string
	setup   setup
	memory  int64 // bytes that a worker may have resident
	reason  string
	each    int64         // bytes that a worker holds beside its group, by estimate
	ready   time.Duration // that a worker may take to get ready

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
		command: r.options.Worker, memory: memory, reason: "the run may take (--memory)", each: r.plan.SharedBytes + processBytes,
		setup: setup{
			Recipe: *r.plan.Recipe, Shard: r.plan.shard, Digest: r.plan.digest, BLAS: linalg.Backend(),
			Processors: max(1, processors/workers), Limit: r.options.CellTimeout,
		},
	}
	if limit := r.options.CellMemory; limit > 0 && limit < memory {
		p.memory, p.reason = limit, "a cell may take (--cell-memory)"
	}
	p.setup.Memory = max(min(p.memory, memory/int64(workers)), leastHeap)
	p.ready = cmp.Or(r.options.ready, leastReady+readyShare*time.Duration(workers)*r.plan.making)
	return p
}

// take is a worker that is ready for orders. It fails with unready where a new one
// came to grief before that.
func (p *pool) take(stop, broken context.Context) (*worker, error) {
	p.mu.Lock()
	if last := len(p.free) - 1; last >= 0 {
		w := p.free[last]
		p.free = p.free[:last]
		p.mu.Unlock()
		return w, nil
	}
	p.mu.Unlock()
	w, err := p.start(stop, broken)
	if err == nil {
		p.mu.Lock()
		p.lost = 0
		p.mu.Unlock()
	}
	return w, err
}

// giveUp notes that a pass was given up because no worker got ready.
func (p *pool) giveUp(status results.Status, cause error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lost, p.status, p.cause = p.lost+1, status, cause
}

// hopeless says that no more workers are to be started, and what became of the last:
// all make the same plan of the same data.
func (p *pool) hopeless() (results.Status, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.lost < maxTries || len(p.free) > 0 {
		return "", nil
	}
	return p.status, fmt.Errorf("not tried any more, after %d passes like this: %w", p.lost, p.cause)
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
