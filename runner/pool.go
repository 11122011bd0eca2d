package runner

import (
	"cmp"
	"context"
	"encoding/gob"
	"fmt"
	"math"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
	"time"

	"mercer/internal/linalg"
	"mercer/internal/process"
	"mercer/results"
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
func newPool(p *plan.Plan, o Options, workers, processors int) *pool {
	memory := o.Memory
	if memory <= 0 {
		memory = math.MaxInt64
	}
	made := &pool{
		command: o.Worker, timed: p.Timed, memory: memory, reason: "the run may take (--memory)", each: plan.WithGarbage(p.SharedBytes) + processBytes,
		setup: setup{
			Input: p.Origin.Input, Shard: p.Origin.Shard, Digest: p.Origin.Digest, BLAS: linalg.Backend(),
			Processors: max(1, processors/workers), Limit: o.CellTimeout,
		},
	}
	if limit := o.CellMemory; limit > 0 && limit < memory {
		made.memory, made.reason = limit, "a cell may take (--cell-memory)"
	}
	made.setup.Memory = made.memory - made.memory/outsideHeap
	made.ready = cmp.Or(o.ready, readyTime(workers, p.Origin.Elapsed))
	return made
}

// take is a worker that is ready for orders. It fails with unready where a new one
// failed before that, and with noneLeft where none is to be started any more.
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

// start runs a worker process and sees it ready.
func (p *pool) start(stop, broken context.Context) (*worker, error) {
	w := &worker{child: exec.Command(p.command[0], p.command[1:]...), answers: make(chan message), ended: make(chan struct{})}
	w.child.Args[0] = os.Args[0] // the name under which this program runs
	var err error
	if w.input, err = w.child.StdinPipe(); err != nil {
		return nil, fmt.Errorf("runner: no pipe to a worker process: %w", err)
	}
	answers, itsAnswers, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("runner: no pipe from a worker process: %w", err)
	}
	w.child.ExtraFiles = []*os.File{itsAnswers}
	w.child.Stderr = &w.complaint
	w.child.WaitDelay = leaveTime
	started := make(chan error)
	go func() {
		defer process.Own(w.child)() // one goroutine starts it and waits
		err := w.child.Start()
		itsAnswers.Close()
		started <- err
		if err == nil {
			w.err = w.child.Wait()
			close(w.ended)
		}
	}()
	if err := <-started; err != nil {
		answers.Close()
		return nil, fmt.Errorf("runner: a worker process cannot be started: %w; --isolate none computes all cells in one process", err)
	}
	go func() {
		defer answers.Close()
		defer close(w.answers)
		in := gob.NewDecoder(answers)
		for {
			var a message
			if in.Decode(&a) != nil {
				return
			}
			w.answers <- a
		}
	}()
	w.orders = gob.NewEncoder(w.input)
	if err := p.makeReady(stop, broken, w); err != nil {
		return nil, err
	}
	w.living = &p.living
	w.living.Add(1)
	return w, nil
}

// makeReady gives a worker its first order and waits until it is ready for others.
// Where it fails the worker has ended.
func (p *pool) makeReady(stop, broken context.Context, w *worker) error {
	sent := make(chan error, 1) // a worker that hangs reads nothing
	go func() { sent <- w.orders.Encode(order{Setup: &p.setup}) }()
	v := w.watch()
	defer v.Stop()
	for {
		select {
		case err := <-sent:
			if err != nil {
				return unready{w, w.failed()}
			}
		case a := <-w.answers: // empty where there are no more
			switch {
			case a.Ready:
				return nil
			case a.Error != "":
				w.end()
				return fmt.Errorf("worker process: %s", a.Error)
			}
			return unready{w, w.failed()}
		case <-stop.Done():
			w.kill()
			return stop.Err()
		case <-broken.Done():
			w.kill()
			return broken.Err()
		case now := <-v.C:
			fault := v.look(now, p.memory)
			if fault == nil && v.spent > p.ready {
				fault = errHung
			}
			if fault != nil {
				w.kill()
				return unready{w, fault}
			}
		}
	}
}
