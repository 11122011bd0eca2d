package runner

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
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
	input     io.Closer
	sending   sync.Mutex
	requests  *json.Encoder
	replies   chan reply    // closed when there are no more
	ended     chan struct{} // closed when the process has been waited for
	complaint complaint
	ready     bool // it has made its plan
	killed    sync.Once

	cpu  float64 // seconds that it had taken at its last reply
	peak int64   // bytes that it was seen to have since
}

// startWorker runs a worker process.
func startWorker(command []string) (*worker, error) {
	w := &worker{child: exec.Command(command[0], command[1:]...), replies: make(chan reply), ended: make(chan struct{})}
	w.child.Args[0] = os.Args[0] // the name under which this program runs
	input, err := w.child.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("runner: no pipe to a worker process: %w", err)
	}
	w.input, w.requests = input, json.NewEncoder(input)
	replies, its, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("runner: no pipe from a worker process: %w", err)
	}
	w.child.ExtraFiles = []*os.File{its}
	w.child.Stderr = &w.complaint
	w.child.WaitDelay = leaveTime
	started := make(chan error)
	go func() {
		defer process.Own(w.child)() // one goroutine starts it and waits
		err := w.child.Start()
		its.Close()
		started <- err
		if err == nil {
			_ = w.child.Wait() // state has how it ended
			close(w.ended)
		}
	}()
	if err := <-started; err != nil {
		replies.Close()
		return nil, fmt.Errorf("runner: a worker process cannot be started: %w; --isolate none computes all cells in one process", err)
	}
	go func() {
		defer replies.Close()
		defer close(w.replies)
		for lines := json.NewDecoder(replies); ; {
			var a reply
			if lines.Decode(&a) != nil {
				return
			}
			w.complaint.forget()
			w.replies <- a
		}
	}()
	return w, nil
}

func (w *worker) pid() int { return w.child.Process.Pid }

// send sends a request, without waiting: a worker that hangs reads none. One that has
// ended replies no more.
func (w *worker) send(r request) {
	go func() {
		w.sending.Lock()
		defer w.sending.Unlock()
		_ = w.requests.Encode(r)
	}()
}

// watch looks at a worker now and then.
type watch struct {
	*time.Ticker
	worker *worker
	last   time.Time
	spent  time.Duration // since its last reply, without the time in which it or this process was stopped
}

func (w *worker) watch() *watch {
	return &watch{Ticker: time.NewTicker(watchEvery), worker: w, last: time.Now()}
}

// look takes stock, and fails where the worker has more memory than it may.
func (v *watch) look(now time.Time, memory int64) error {
	if !process.Stopped(v.worker.pid()) {
		v.spent += min(now.Sub(v.last), 10*watchEvery)
	}
	v.last = now
	bytes, ok := process.Resident(v.worker.pid())
	if v.worker.peak = max(v.worker.peak, bytes); ok && bytes > memory {
		return tooLarge(bytes)
	}
	return nil
}

// kill ends the process and what it started, and waits for it, but not for one that
// cannot be killed because it waits for a dead disk. Programs that a method runs are
// groups of their own, which end with the process.
func (w *worker) kill() {
	w.killed.Do(func() {
		_ = process.KillGroup(w.child.Process) // it may have ended
		go func() {
			for range w.replies { // so that their reader ends
			}
		}()
		select {
		case <-w.ended:
		case <-time.After(goneTime):
		}
	})
}

// end has the worker end by itself, which it does with its input.
func (w *worker) end() {
	w.input.Close()
	select {
	case <-w.ended:
	case <-time.After(leaveTime):
	}
	w.kill()
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

// used is what the process took after its last reply. It has been killed or has
// ended.
func (w *worker) used() *results.Usage {
	all := process.Ended(w.state())
	return &results.Usage{CPU: max(0, all.CPU-w.cpu), Peak: cmp.Or(w.peak, all.Peak)}
}

// failed waits for a worker that has gone and says how it ended.
func (w *worker) failed() error {
	w.kill()
	return died{state: w.state(), complaint: w.complaint.String()}
}

// died is the fault of a worker process that ended in the middle of its work.
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

var (
	// errTime is the fault of a worker that is past its time.
	errTime = errors.New("past its time")
	// errHung is that of one that does not get ready.
	errHung = errors.New("not ready in time")
)

// tooLarge is the fault of a worker that has so many bytes resident.
type tooLarge int64

func (t tooLarge) Error() string { return "its process had " + plan.Bytes(int64(t)) }

// complaint is the beginning of what a worker has written to its standard error since
// its last reply: a crash of Go's runtime begins with its cause.
type complaint struct {
	mu   sync.Mutex
	text []byte
}

func (c *complaint) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.text = append(c.text, p[:min(len(p), maxComplaint-len(c.text))]...)
	return len(p), nil
}

func (c *complaint) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.text = nil
}

// String is the first lines, in one.
func (c *complaint) String() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	lines := strings.FieldsFunc(string(c.text), func(r rune) bool { return r == '\n' })
	return strings.Join(lines[:min(len(lines), 3)], "; ")
}
