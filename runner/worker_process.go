package runner

import (
	"bytes"
	"cmp"
	"encoding/gob"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"mercer/internal/process"
	"mercer/results"
	"mercer/runner/plan"
)

const (
	// watchEvery is how often a worker's memory and time are looked at.
	watchEvery = 20 * time.Millisecond
	// leaveTime is what a worker has to end when its input does.
	leaveTime = 2 * time.Second
	// goneTime is what a process that was killed has to be gone, which gives much
	// memory back and may wait for a disk.
	goneTime = 5 * time.Second
	// maxComplaint is how much of a worker's standard error is kept, in bytes.
	maxComplaint = 4 << 10
)

// worker is a running worker process.
type worker struct {
	child     *exec.Cmd
	input     io.WriteCloser
	orders    *gob.Encoder
	answers   chan message  // closed when there are no more
	ended     chan struct{} // closed when the process has been waited for
	complaint tail
	err       error // of waiting; after ended

	cpu  float64 // seconds that it had taken when something was finished last
	peak int64   // bytes that it was seen to have since

	living *atomic.Int64 // where it is counted; nil before it is ready and after its end
}

// unready is the error of a worker that failed before it was ready for orders.
type unready struct {
	worker *worker // which has ended
	fault  error
}

func (u unready) Error() string { return "no worker process got ready: " + u.fault.Error() }

// discount counts the worker no more among those that live.
func (w *worker) discount() {
	if w.living != nil {
		w.living.Add(-1)
		w.living = nil
	}
}

// watch looks at a worker now and then.
type watch struct {
	*time.Ticker
	worker *worker
	last   time.Time
	spent  time.Duration // since its last answer, without the time in which it or this process was stopped
}

func (w *worker) watch() *watch {
	return &watch{Ticker: time.NewTicker(watchEvery), worker: w, last: time.Now()}
}

// look takes stock, and fails where the worker has more memory than it may.
func (v *watch) look(now time.Time, memory int64) error {
	pid := v.worker.child.Process.Pid
	if !process.Stopped(pid) {
		v.spent += min(now.Sub(v.last), 10*watchEvery)
	}
	v.last = now
	bytes, ok := process.Resident(pid)
	if v.worker.peak = max(v.worker.peak, bytes); ok && bytes > memory {
		return tooLarge(bytes)
	}
	return nil
}

// kill ends the process and what it started, and waits for it, but not for one that
// cannot be killed because it waits for a dead disk. Programs that a method runs are
// groups of their own, which end with the process.
func (w *worker) kill() {
	w.discount()
	_ = process.KillGroup(w.child.Process) // it may have ended
	w.drain()
	select {
	case <-w.ended:
	case <-time.After(goneTime):
	}
}

// state is how the process ended; nil while it has not.
func (w *worker) state() *os.ProcessState {
	select {
	case <-w.ended:
		return w.child.ProcessState
	default:
		return nil
	}
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
	w.discount()
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
	return died{state: w.state(), complaint: w.complaint.String()}
}

// died is the error of a worker process that ended in the middle of its work.
type died struct {
	state     *os.ProcessState // nil where it could not be killed
	complaint string
}

func (d died) Error() string {
	text := "its process answers no more, and cannot be killed"
	if d.state != nil {
		text = "its process ended: " + d.state.String()
	}
	if d.complaint != "" {
		text += ": " + d.complaint
	}
	return text
}

// fromOutside says that a signal ended the process that programs do not send
// themselves.
func (d died) fromOutside() bool {
	if d.state == nil {
		return false
	}
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

var (
	// errTime ends a worker that is past its time.
	errTime = errors.New("past its time")
	// errHung ends one that does not get ready.
	errHung = errors.New("not ready in time")
	// errStopped is of a timed pass during which its worker, which lives, was stopped
	// and continued: it has no valid time.
	errStopped = errors.New("its process was stopped and continued (SIGSTOP) while it was timed")
)

// tooLarge ends a worker that has so many bytes resident.
type tooLarge int64

func (t tooLarge) Error() string { return "its process had " + plan.Bytes(int64(t)) }

// used is what the process took after it had finished something last. It has been
// killed or has ended.
func (w *worker) used() *results.Usage {
	all := process.Ended(w.state())
	return &results.Usage{CPU: max(0, all.CPU-w.cpu), Peak: cmp.Or(w.peak, all.Peak)}
}
