package runner

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"mercer/internal/linalg"
	"mercer/runner/plan"
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
	memory  int64 // bytes that a worker may have resident
	reason  string
	each    int64         // bytes that a worker holds beside its group, by estimate
	ready   time.Duration // that a worker may take to get ready
	lost    atomic.Int32  // passes in a row that failed because no worker got ready

	mu   sync.Mutex
	free []*worker
}

// newPool makes a pool of at most so many workers at once, which share processors
// and memory; a cell may have the run's CellMemory, or all there is.
func newPool(p *plan.Plan, o Options, workers, processors, measuring int) *pool {
	memory, reason := o.Memory, "the run may take (--memory)"
	if memory <= 0 {
		memory = math.MaxInt64
	}
	if limit := o.cellMemory; limit > 0 && limit < memory {
		memory, reason = limit, "a cell may take (--cell-memory)"
	}
	return &pool{
		command: o.Worker, memory: memory, reason: reason, each: plan.WithGarbage(p.SharedBytes) + processBytes,
		ready: cmp.Or(o.ready, readyTime(workers, p.Origin.Elapsed)),
		setup: setup{
			Input: p.Origin.Input, Shard: p.Origin.Shard, Digest: p.Origin.Digest, BLAS: linalg.Backend(), Dir: o.Dir,
			Processors: max(1, processors/workers), Measuring: measuring, Memory: memory - memory/outsideHeap, Limit: o.CellTimeout,
		},
	}
}

// take is a worker that is free, or a new one. Where a new one does not get ready, it
// has ended, and the fault says why. There is none if the run ends first.
func (p *pool) take(stop, broken context.Context) (w *worker, fault, err error) {
	p.mu.Lock()
	if last := len(p.free) - 1; last >= 0 {
		w, p.free = p.free[last], p.free[:last]
	}
	p.mu.Unlock()
	if w != nil {
		return w, nil, nil
	}
	if w, err = startWorker(p.command); err != nil {
		return nil, nil, err
	}
	fault, err = p.makeReady(stop, broken, w)
	if w.ready {
		p.lost.Store(0)
		return w, nil, nil
	}
	w.kill()
	if fault == nil {
		w = nil
	}
	return w, fault, err
}

// makeReady sends a worker its setup and waits until it has made its plan.
func (p *pool) makeReady(stop, broken context.Context, w *worker) (fault, err error) {
	w.send(request{Setup: &p.setup})
	v := w.watch()
	defer v.Stop()
	for fault == nil {
		select {
		case a := <-w.replies: // empty where there are no more
			switch w.ready = a.Ready; {
			case a.Ready:
				return nil, nil
			case a.Error != "":
				return nil, fmt.Errorf("worker process: %s", a.Error)
			}
			return w.failed(), nil
		case <-stop.Done():
			return nil, nil
		case <-broken.Done():
			return nil, nil
		case now := <-v.C:
			if fault = v.look(now, p.memory); fault == nil && v.spent > p.ready {
				fault = errHung
			}
		}
	}
	return fault, nil
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
