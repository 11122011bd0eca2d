package runner

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"mercer/internal/process"
	"mercer/runner/plan"
)

const (
	// leaveTime is what a worker has to end once it has no more to do.
	leaveTime = 2 * time.Second
	// maxComplaint is how much of a worker's standard error is kept, in bytes.
	maxComplaint = 4 << 10
)

// worker is a running worker process.
type worker struct {
	child     *exec.Cmd
	input     io.Closer     // closed: it is to begin no further fit
	replies   chan reply    // closed when there are no more
	ended     chan struct{} // closed when the process has been waited for
	complaint complaint
	begun     bool // its first fit
}

// startWorker runs a worker process for a request.
func startWorker(command []string, r request) (*worker, error) {
	w := &worker{child: exec.Command(command[0], command[1:]...), replies: make(chan reply), ended: make(chan struct{})}
	w.child.Args[0] = os.Args[0] // the name under which this program runs
	w.child.Stderr, w.child.WaitDelay = &w.complaint, leaveTime
	input, err := w.child.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("runner: no pipe to a worker process: %w", err)
	}
	w.input = input
	replies, its, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("runner: no pipe from a worker process: %w", err)
	}
	w.child.ExtraFiles = []*os.File{its}

	started := make(chan error)
	go func() {
		defer process.Own(w.child)() // one goroutine starts it and waits
		err := w.child.Start()
		its.Close()
		started <- err
		if err == nil {
			_ = w.child.Wait() // its state has how it ended
			close(w.ended)
		}
	}()
	if err := <-started; err != nil {
		replies.Close()
		return nil, fmt.Errorf("runner: a worker process cannot be started: %w; --isolate none computes all cells in one process", err)
	}
	go func() { _ = json.NewEncoder(input).Encode(r) }() // one that has ended replies no more
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

// kill ends the process and what it started, and waits for it. Programs that a method runs
// are groups of their own, which end with the process.
func (w *worker) kill() {
	_ = process.KillGroup(w.child.Process) // it may have ended
	for range w.replies {                  // so that their reader ends
	}
	<-w.ended
}

// end has the worker end by itself.
func (w *worker) end() {
	w.input.Close()
	select {
	case <-w.ended:
	case <-time.After(leaveTime):
	}
}

// death says how a worker ended in the middle of its work.
func (w *worker) death() error {
	w.kill()
	text := "its process ended: " + w.child.ProcessState.String()
	if complaint := w.complaint.String(); complaint != "" {
		text += ": " + complaint
	}
	return errors.New(text)
}

// errTime is the fault of a worker that is past its time.
var errTime = errors.New("past its time")

// tooLarge is the fault of a worker that has had so many bytes resident.
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
