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
	"strings"
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
	// DefaultStart is within what a program must say that it is ready.
	DefaultStart = 2 * time.Minute
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
	printed chan line     // closed at the end of its standard output
	stderr  *tail         // what it has said there since the fit began
	mark    *os.File      // writes to its standard error
	outputs []io.Closer   // the ends of its pipes that are read
	gone    chan struct{} // closed when it has been waited for, and its group is gone
	err     error         // how it ended; set before gone is closed
	ready   bool          // it waits for a request
	closed  sync.Once
}

// Start starts the program in a scratch directory of its own and waits until it says
// that it is ready. Its process group ends with it. It must be closed.
func (c *Command) Start(ctx context.Context, threads int) (*Program, error) {
	scratch, err := NewScratch()
	if err != nil {
		return nil, err
	}
	p := &Program{Scratch: scratch, command: c, threads: threads, printed: make(chan line), stderr: newTail(), gone: make(chan struct{})}
	if err := p.launch(); err != nil {
		return nil, errors.Join(fmt.Errorf("the program cannot be started: %w", err), scratch.Remove())
	}
	limited, _, stop := process.WithLimit(ctx, c.StartLimit, outOfTime{fmt.Sprintf("the program did not print the line %s within %v of its start (docs/exec.md; a program for protocol 1 must be changed)", readyLine, c.StartLimit)})
	defer stop()
	err = p.awaitReady(limited, ctx)
	if errors.Is(err, errEnded) {
		err = fmt.Errorf("the program ended before it printed the line %s", readyLine)
	}
	if err != nil {
		err = p.explain(err)
		return nil, errors.Join(err, p.Close())
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
	stderr, mark, err := os.Pipe()
	if err == nil {
		p.child.Stdout, p.child.Stderr, p.mark = its, mark, mark
		p.outputs = []io.Closer{stdout, stderr}
		p.input, err = p.child.StdinPipe()
	}
	if err == nil {
		p.group, err = process.NewGroup()
	}
	if err == nil {
		err = p.startChild()
	}
	its.Close()
	if err != nil {
		stdout.Close()
		if p.mark != nil {
			mark.Close()
			stderr.Close()
		}
		return err
	}
	go readLines(stdout, p.printed)
	go func() { _, _ = io.Copy(p.stderr, stderr) }() // until Close
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
		time.AfterFunc(lingering, func() { p.outputs[0].Close() })
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

// quiet says whether the program, which is ready, has printed nothing since; if it has,
// it is no longer taken for ready.
func (p *Program) quiet() bool {
	select {
	case <-p.printed:
		p.ready = false
	default:
	}
	return p.ready
}

// Close ends the process, by the end of its input if it is ready and otherwise by
// force, and removes the scratch directory.
func (p *Program) Close() (err error) {
	p.closed.Do(func() {
		if p.ready {
			p.input.Close()
			select {
			case <-p.gone:
			case <-time.After(leaving):
			}
		}
		p.kill()
		for _, c := range append(p.outputs, p.mark) {
			c.Close()
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
	env := os.Environ()
	if c.Inherit != nil {
		env = slices.DeleteFunc(env, func(entry string) bool {
			name, _, _ := strings.Cut(entry, "=")
			return !slices.Contains(c.Inherit, name)
		})
	}
	env = append(env, "TMPDIR="+temporary)
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
	if terminated(p.err) {
		select {
		case <-stopped.Done():
			return context.Cause(stopped)
		case <-time.After(ownTurn):
		}
	}
	var exit *exec.ExitError
	switch {
	case p.err == nil:
		return errEnded
	case !errors.As(p.err, &exit):
		return fmt.Errorf("the program cannot be waited for: %w", p.err)
	case killedBy(exit) >= 0:
		return fmt.Errorf("the program was killed by a signal: %s", exit)
	}
	return fmt.Errorf("the program failed: %s", exit)
}

// terminated says that SIGTERM ended the program.
func terminated(err error) bool {
	var exit *exec.ExitError
	return errors.As(err, &exit) && killedBy(exit) == syscall.SIGTERM
}

// killedBy is the signal that ended a program, -1 for none.
func killedBy(exit *exec.ExitError) syscall.Signal {
	if status, ok := exit.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return status.Signal()
	}
	return -1
}

// outOfTime is a context.DeadlineExceeded that says whose deadline it was.
type outOfTime struct{ reason string }

func (e outOfTime) Error() string { return e.reason + "; the program and all it started were killed" }

func (outOfTime) Is(target error) bool { return target == context.DeadlineExceeded }
