package exec

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"time"

	"mercer/internal/process"
)

const (
	// lingering is how long, after the program has ended, something that left its
	// process group may still hold its output open, and how long a program may live
	// that has closed its output.
	lingering = 2 * time.Second
	// leaving is what a program has to end after its input has ended.
	leaving = time.Second
	// ownTurn is for how long a program that SIGTERM ended may be the first sign of the
	// end of this one: a batch system that ends a job signals its processes one by one.
	ownTurn = time.Second
	// defaultStart is within what a program must say that it is ready.
	defaultStart = 2 * time.Minute
)

// temporary is the folder of a program's temporary files in its scratch directory,
// which stays from fit to fit.
const temporary = "tmp"

// Program is a process that serves one fit after another, with its scratch directory.
// One goroutine may use it at a time.
type Program struct {
	Scratch *Scratch
	command *Command
	threads int
	group   *process.Group
	child   *exec.Cmd
	input   io.WriteCloser
	printed chan line // closed at the end of its standard output
	stderr  *tail     // what it has said there since the fit began
	// The ends of its pipes that this process has: stdout and its stderr are read, and mark
	// writes to its stderr, too.
	stdout, complaints, mark *os.File

	gone   chan struct{} // closed when it has been waited for, and its group is gone
	err    error         // how it ended; set before gone is closed
	ready  bool          // it waits for a request
	closed sync.Once
}

// start starts the program in a scratch directory of its own and waits until it says
// that it is ready. Its process group ends with it. It must be closed.
func (c *Command) start(ctx context.Context, threads int) (*Program, error) {
	scratch, err := NewScratch()
	if err != nil {
		return nil, err
	}
	p := &Program{Scratch: scratch, command: c, threads: threads, printed: make(chan line), stderr: newTail(), gone: make(chan struct{})}
	if err := p.launch(); err != nil {
		close(p.printed)
		close(p.gone)
		return nil, errors.Join(fmt.Errorf("the program cannot be started: %w", err), p.close())
	}

	limited, _, stop := process.WithLimit(ctx, c.StartLimit, outOfTime{fmt.Sprintf("the program did not print the line %s within %v of its start (docs/exec.md; a program for protocol 1 must be changed)", readyLine, c.StartLimit)})
	defer stop()
	err = p.awaitReady(limited, ctx)
	if errors.Is(err, errEnded) {
		err = fmt.Errorf("the program ended before it printed the line %s", readyLine)
	}
	if err != nil {
		err = p.explain(err)
		return nil, errors.Join(err, p.close())
	}
	return p, nil
}

// launch starts the process and the goroutines that read its output.
func (p *Program) launch() error {
	if err := p.Scratch.root.Mkdir(temporary, 0o700); err != nil {
		return err
	}
	p.child = exec.Command(p.command.Words[0], p.command.Words[1:]...)
	p.child.Dir, p.child.Env = p.Scratch.dir, p.command.environment(filepath.Join(p.Scratch.dir, temporary), p.threads)

	stdout, its, err := os.Pipe()
	if err != nil {
		return err
	}
	defer its.Close()
	p.stdout, p.child.Stdout = stdout, its
	if p.complaints, p.mark, err = os.Pipe(); err != nil {
		return err
	}
	p.child.Stderr = p.mark
	if p.input, err = p.child.StdinPipe(); err != nil {
		return err
	}

	if p.group, err = process.NewGroup(); err != nil {
		return err
	}
	if err := p.startChild(); err != nil {
		return err
	}
	go readLines(p.stdout, p.printed)
	go func() { _, _ = io.Copy(p.stderr, p.complaints) }() // until close
	return nil
}

// startChild starts the process on a goroutine that waits for it: see [process.Own].
// With it, all in its group ends.
func (p *Program) startChild() error {
	started := make(chan error)
	go func() {
		defer p.group.Own(p.child)()
		err := p.child.Start()
		if err == nil {
			started <- nil
			p.err = p.child.Wait()
		}
		p.group.Close()
		if err != nil {
			started <- err
			return
		}
		close(p.gone)
		time.AfterFunc(lingering, func() { p.stdout.Close() })
	}()
	return <-started
}

// kill ends the process with its group and waits until they are gone.
func (p *Program) kill() {
	if p.alive() {
		_ = p.group.Kill() // it may end at this moment
	}
	<-p.gone
}

// alive says whether the process has not been waited for.
func (p *Program) alive() bool {
	select {
	case <-p.gone:
		return false
	default:
		return true
	}
}

// idle says whether the program waits for a request. One that has printed something since it
// was ready does not any more: that could pass for the next answer.
func (p *Program) idle() bool {
	select {
	case <-p.printed:
		p.ready = false
	default:
	}
	return p.ready && p.alive()
}

// close ends the process, by the end of its input if it is ready and otherwise by
// force, and removes the scratch directory.
func (p *Program) close() (err error) {
	p.closed.Do(func() {
		if p.ready {
			p.input.Close()
			select {
			case <-p.gone:
			case <-time.After(leaving):
			}
		}
		p.kill()
		for _, end := range []*os.File{p.stdout, p.complaints, p.mark} {
			end.Close()
		}
		for range p.printed { // so that its reader ends
		}
		err = p.Scratch.Remove()
	})
	return err
}

// environment is what the program inherits of this process's, with a folder for
// temporary files, numerical libraries held to a number of threads, and what the spec
// sets.
func (c *Command) environment(temporary string, threads int) []string {
	env := append(os.Environ(), "TMPDIR="+temporary)
	for _, name := range []string{"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"} {
		env = append(env, fmt.Sprintf("%s=%d", name, threads))
	}
	for _, name := range slices.Sorted(maps.Keys(c.Env)) {
		env = append(env, name+"="+c.Env[name])
	}
	return env
}

// errEnded is of a program that ended with the status 0.
var errEnded = errors.New("the program ended without an answer")

// ended words how a program ended that prints no more. stopped is the context of the
// run.
func (p *Program) ended(stopped context.Context) error {
	select {
	case <-p.gone:
	case <-time.After(lingering):
		return errors.New("the program closed its standard output and did not end; it was killed")
	}
	signal := signalOf(p.err)
	if signal == syscall.SIGTERM {
		select {
		case <-stopped.Done():
			return context.Cause(stopped)
		case <-time.After(ownTurn):
		}
	}

	switch {
	case p.err == nil:
		return errEnded
	case signal >= 0:
		return fmt.Errorf("the program was killed by a signal: %w", p.err)
	}
	return fmt.Errorf("the program failed: %w", p.err)
}

// signalOf is the signal that ended a program, -1 for none.
func signalOf(err error) syscall.Signal {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		if status, ok := exit.Sys().(syscall.WaitStatus); ok && status.Signaled() {
			return status.Signal()
		}
	}
	return -1
}

// outOfTime is a context.DeadlineExceeded that says whose deadline it was.
type outOfTime struct{ reason string }

func (e outOfTime) Error() string { return e.reason + "; the program and all it started were killed" }

func (outOfTime) Is(target error) bool { return target == context.DeadlineExceeded }
