package runner

import (
	"bytes"
	"cmp"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"mercer/linalg"
	"mercer/process"
	"mercer/results"
)

const (
	// watchEvery is how often a worker's memory and time are looked at.
	watchEvery = 20 * time.Millisecond
	// programsEvery is how many such looks lie between two at the programs that it
	// runs.
	programsEvery = 5
	// grace is what a fit has, beyond its time limit, to end by itself; one that
	// does not look at its limit is then killed with its process.
	grace = time.Second
	// maxTries is how often a pass is begun whose worker is killed from outside.
	maxTries = 3
	// leaveTime is what a worker has to end when its input does.
	leaveTime = 2 * time.Second
	// maxComplaint is how much of a worker's standard error is kept, in bytes.
	maxComplaint = 4 << 10
)

// pool starts worker processes as groups need them, and keeps those that groups
// have left for others.
type pool struct {
	command []string
	setup   setup
	memory  int64 // bytes that a worker may have resident
	reason  string
	each    int64 // bytes that a worker holds beside its group, by estimate

	mu   sync.Mutex
	free []*worker
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
			Recipe: *r.plan.Recipe, Digest: r.plan.digest, BLAS: linalg.Backend(),
			Processors: max(1, processors/workers), Limit: r.options.CellTimeout,
		},
	}
	if limit := r.options.CellMemory; limit > 0 && limit < memory {
		p.memory, p.reason = limit, "a cell may take (--cell-memory)"
	}
	p.setup.Memory = max(min(p.memory, memory/int64(workers)), leastHeap)
	return p
}

// take is a worker that is ready for orders.
func (p *pool) take(ctx context.Context) (*worker, error) {
	p.mu.Lock()
	if last := len(p.free) - 1; last >= 0 {
		w := p.free[last]
		p.free = p.free[:last]
		p.mu.Unlock()
		return w, nil
	}
	p.mu.Unlock()
	return p.start(ctx)
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

// worker is a running worker process.
type worker struct {
	child     *exec.Cmd
	input     io.WriteCloser
	orders    *gob.Encoder
	answers   chan message  // closed when there are no more
	ended     chan struct{} // closed when the process has been waited for
	complaint tail
	err       error // of waiting; after ended

	cpu      float64 // seconds that it had taken when something was finished last
	peak     int64   // bytes that it was seen to have since
	programs []int   // that it was seen to run, each with a process group of its own
}

// start runs a worker process and sees it ready.
func (p *pool) start(ctx context.Context) (*worker, error) {
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
	if err := w.orders.Encode(order{Setup: &p.setup}); err != nil {
		return nil, w.failed()
	}
	select {
	case a := <-w.answers:
		if a.Ready {
			return w, nil
		}
		if a.Error != "" {
			w.end()
			return nil, fmt.Errorf("worker process: %s", a.Error)
		}
		return nil, w.failed()
	case <-ctx.Done():
		w.kill()
		return nil, ctx.Err()
	}
}

// kill ends the process and what it started, and waits for it. Programs that a
// method runs are groups of their own; what they have started would outlive them.
func (w *worker) kill() {
	if running := process.Children(w.child.Process.Pid); running != nil {
		w.programs = running
	}
	_ = process.KillGroup(w.child.Process) // it may have ended
	for _, pid := range w.programs {
		if program, err := os.FindProcess(pid); err == nil {
			_ = process.KillGroup(program)
		}
	}
	w.drain()
	<-w.ended
}

// drain takes what answers are left, so that their reader ends.
func (w *worker) drain() {
	go func() {
		for range w.answers {
		}
	}()
}

// end closes the worker's input, upon which it ends by itself.
func (w *worker) end() {
	w.input.Close()
	w.drain()
	select {
	case <-w.ended:
	case <-time.After(leaveTime):
		w.kill()
	}
}

// failed waits for a worker that has gone and says how it ended.
func (w *worker) failed() error {
	w.kill()
	return died{state: w.child.ProcessState, complaint: w.complaint.String()}
}

// died is the error of a worker process that ended in the middle of its work.
type died struct {
	state     *os.ProcessState
	complaint string
}

func (d died) Error() string {
	text := "its process ended: " + d.state.String()
	if d.complaint != "" {
		text += ": " + d.complaint
	}
	return text
}

// fromOutside says that a signal ended the process that programs do not send
// themselves.
func (d died) fromOutside() bool {
	status, ok := d.state.Sys().(syscall.WaitStatus)
	if !ok || !status.Signaled() {
		return false
	}
	switch status.Signal() {
	case syscall.SIGKILL, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP:
		return true
	}
	return false
}

// tail keeps the first and the last bytes that are written to it: a crash of Go's
// runtime begins with its cause.
type tail struct {
	mu          sync.Mutex
	first, last []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	all := len(p)
	room := min(len(p), maxComplaint/2-len(t.first))
	t.first = append(t.first, p[:room]...)
	t.last = append(t.last, p[room:]...)
	if over := len(t.last) - maxComplaint/2; over > 0 {
		t.last = append(t.last[:0], t.last[over:]...)
	}
	return all, nil
}

// String is the first lines, in one.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	lines := strings.FieldsFunc(string(bytes.Join([][]byte{t.first, t.last}, nil)), func(r rune) bool { return r == '\n' })
	return strings.Join(lines[:min(len(lines), 3)], "; ")
}

// there is where the passes of one group are computed in a worker process.
type there struct {
	pool   *pool
	number int   // of the group in the plan
	fits   []int // of the group's, by number; nil for all
	worker *worker
}

// place is one for a part of the group of a number in the plan.
func (p *pool) place(g *Group, number int, part *Group) *there {
	t := &there{pool: p, number: number}
	if part != g {
		for _, f := range part.Fits {
			t.fits = append(t.fits, slices.Index(g.Fits, f))
		}
	}
	return t
}

// errTime ends a worker that is past its time.
var errTime = errors.New("past its time")

// tooLarge ends a worker that has so many bytes resident.
type tooLarge int64

func (t tooLarge) Error() string { return "its process had " + Bytes(int64(t)) }

// pass has a worker do the tasks. Where that goes past a limit, the tasks that
// are left are settled as timeout or oom. Where it is killed from outside, they
// are begun again, a few times; where it crashes, they have failed. An error that
// is not done's is one of starting workers at all.
func (t *there) pass(stop, broken context.Context, number int, tasks []*task, done func(*task) error) error {
	for try := 1; len(tasks) > 0 && stop.Err() == nil && broken.Err() == nil; try++ {
		if t.worker == nil {
			var err error
			kills := process.OutOfMemoryKills()
			if t.worker, err = t.pool.take(broken); err != nil {
				fault := new(died)
				if !errors.As(err, fault) {
					return err
				}
				if status, reason := t.judge(*fault, kills, try); status != "" {
					return give(tasks, status, reason, nil, done)
				}
				continue
			}
		}
		kills := process.OutOfMemoryKills()
		finished, fault, err := t.order(stop, broken, number, tasks, done)
		tasks = tasks[finished:]
		if err != nil || fault == nil {
			return err
		}
		ended := t.worker
		t.worker = nil
		if status, reason := t.judge(fault, kills, try); status != "" {
			return give(tasks, status, reason, ended.used(), done)
		}
	}
	return nil
}

// used is what the process took after it had finished something last. It has
// ended.
func (w *worker) used() *results.Usage {
	all := process.Ended(w.child.ProcessState)
	return &results.Usage{CPU: max(0, all.CPU-w.cpu), Peak: cmp.Or(w.peak, all.Peak)}
}

// give settles tasks that a process has not finished; what it took goes to the
// first of them.
func give(tasks []*task, status results.Status, reason error, used *results.Usage, done func(*task) error) error {
	for _, task := range tasks {
		settle(task.records, status, reason)
		for i := range task.records {
			task.records[i].Usage = used
		}
		used = nil
		if err := done(task); err != nil {
			return err
		}
	}
	return nil
}

// judge says what becomes of the tasks that a worker's end has left; no status
// where they are to be begun again.
func (t *there) judge(fault error, kills int64, try int) (results.Status, error) {
	var end died
	var size tooLarge
	switch {
	case errors.Is(fault, errTime):
		return results.Timeout, fmt.Errorf("not finished within %v: its process was killed", t.pool.setup.Limit)
	case errors.As(fault, &size):
		return results.OOM, fmt.Errorf("%w, more than the %s that %s, and was killed; take smaller n, m or population, or allow more", size, Bytes(t.pool.memory), t.pool.reason)
	case !errors.As(fault, &end):
		return results.Failed, fault
	case end.fromOutside() && process.OutOfMemoryKills() > kills:
		return results.OOM, errors.New("the system ran out of memory and killed its process; take smaller n, m or population, or lower --memory or --workers")
	case end.fromOutside() && try < maxTries:
		return "", nil
	case end.fromOutside():
		return results.Failed, fmt.Errorf("tried %d times: %w; someone or something kills it: the same command tries again", try, end)
	}
	return results.Failed, end
}

// order has the worker do the tasks. It says how many are finished, and what
// ended the worker, nil while it lives; an error is one of done.
func (t *there) order(stop, broken context.Context, number int, tasks []*task, done func(*task) error) (finished int, fault, err error) {
	o := order{Group: t.number, Fits: t.fits, Pass: number}
	for _, task := range tasks {
		for _, c := range task.cells {
			o.Cells = append(o.Cells, c.Key)
		}
	}
	if t.worker.orders.Encode(o) != nil {
		return 0, t.worker.failed(), nil
	}
	watch := time.NewTicker(watchEvery)
	defer watch.Stop()
	stopping := stop.Done()
	begun, spent, last, looks := false, time.Duration(0), time.Now(), 0
	for {
		select {
		case a, ok := <-t.worker.answers:
			spent = 0
			switch {
			case !ok:
				return finished, t.worker.failed(), nil
			case a.Begin:
				begun = true
				t.worker.cpu, t.worker.peak = a.CPU, 0
				continue
			case a.End:
				return finished, nil, nil
			case a.Error != "" || a.Task != finished || finished == len(tasks):
				t.worker.kill()
				return finished, fmt.Errorf("its process answered out of order: task %d of %d: %s", a.Task, len(tasks), a.Error), nil
			}
			if fault := tasks[finished].take(a, t.pool.memory); fault != nil {
				t.worker.kill()
				return finished, fault, nil
			}
			finished++
			t.worker.cpu, t.worker.peak = a.CPU, 0
			if err := done(tasks[finished-1]); err != nil {
				t.worker.kill() // it is in the middle of its pass
				t.worker = nil
				return finished, nil, err
			}
		case <-stopping:
			stopping = nil
			if t.worker.orders.Encode(order{Stop: true}) != nil {
				return finished, t.worker.failed(), nil
			}
		case <-broken.Done():
			t.worker.kill()
			t.worker = nil
			return finished, nil, broken.Err()
		case now := <-watch.C:
			// Time in which this process or the worker was stopped is not the cell's.
			if !process.Stopped(t.worker.child.Process.Pid) {
				spent += min(now.Sub(last), 10*watchEvery)
			}
			if last = now; begun && t.pool.setup.Limit > 0 && spent > t.pool.setup.Limit+grace {
				t.worker.kill()
				return finished, errTime, nil
			}
			pid := t.worker.child.Process.Pid
			bytes, ok := process.Resident(pid)
			if looks++; ok && looks%programsEvery == 0 {
				t.worker.programs = process.Children(pid)
			}
			if t.worker.peak = max(t.worker.peak, bytes); ok && bytes > t.pool.memory {
				t.worker.kill()
				return finished, tooLarge(bytes), nil
			}
		}
	}
}

// take fills in a task as a worker has done it. It fails where that took more
// memory than it may, if only between two looks.
func (t *task) take(a message, memory int64) error {
	if len(a.Lines) != len(t.records) {
		return fmt.Errorf("its process answered with %d records for %d", len(a.Lines), len(t.records))
	}
	records := make([]results.Record, len(a.Lines))
	for i, line := range a.Lines {
		r, err := results.Decode(line)
		switch {
		case err != nil || r.Key != t.records[i].Key:
			return fmt.Errorf("its process answered with a record of %q for %q: %v", r.Key, t.records[i].Key, err)
		case r.Usage != nil && r.Usage.Peak > memory:
			return tooLarge(r.Usage.Peak)
		}
		records[i] = r
	}
	t.records = records
	for _, k := range a.Points {
		t.points = append(t.points, kept{k.Key, k.Points})
	}
	return nil
}

// leave gives the worker back for other groups.
func (t *there) leave() {
	if t.worker == nil {
		return
	}
	if t.worker.orders.Encode(order{Release: true}) != nil {
		t.worker.kill()
	} else {
		t.pool.put(t.worker)
	}
	t.worker = nil
}
