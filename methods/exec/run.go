package exec

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"

	"mercer/internal/process"
)

// lingering is how long, after the program has ended, something it started may
// still hold its output open.
const lingering = 2 * time.Second

// ownTurn is for how long a program that SIGTERM ended may be the first sign of the
// end of this one: a batch system that ends a job signals its processes one by one.
const ownTurn = time.Second

// Result is what a program that ended well has said.
type Result struct {
	Answer Answer
	Stderr string // the end of what it printed there, in one line; empty for nothing
}

// Run starts the program in the scratch directory with the request on its
// standard input and waits until it is gone, with everything in its process
// group. It fails where the program cannot be started, exits with a status other
// than 0, dies of a signal, runs out of time (an error that is
// context.DeadlineExceeded), prints more than 4 MiB or something that is no
// answer. The reason ends with what the program printed last on standard error.
// When ctx ends the program is killed; the error is then the context's, too. Started,
// if it is not nil, is called right before the program starts, and what it returns
// when the program is gone: making and ending its process group is not its time.
func (c *Command) Run(ctx context.Context, scratch *Scratch, request Request, started func() (gone func())) (Result, error) {
	if err := c.unchanged(); err != nil {
		return Result{}, err
	}
	line, err := request.line()
	if err != nil {
		return Result{}, err
	}
	var complaints tail
	printed, err := c.run(ctx, scratch, line, &complaints, request.Threads, started)
	stderr := complaints.text(scratch.dir)
	var answer Answer
	if err == nil {
		answer, err = DecodeAnswer(printed)
	}
	switch {
	case err == nil:
		return Result{Answer: answer, Stderr: stderr}, nil
	case stderr != "":
		return Result{}, fmt.Errorf("%w; stderr: %s", err, stderr)
	}
	return Result{}, err
}

// run returns what the program printed.
func (c *Command) run(ctx context.Context, scratch *Scratch, request []byte, stderr *tail, threads int, started func() (gone func())) ([]byte, error) {
	group, err := process.NewGroup()
	if err != nil {
		return nil, fmt.Errorf("the program cannot be started: %w", err)
	}
	defer group.Close()
	limited, end := context.WithCancelCause(ctx)
	defer end(nil)
	limited, _, stop := process.WithLimit(limited, c.Timeout, outOfTime{c.Timeout})
	defer stop()
	stdout := head{over: func() {
		end(fmt.Errorf("the program printed more than %d MiB on standard output; it was killed: give arrays as files", maxAnswer>>20))
	}}
	child := exec.CommandContext(limited, c.Words[0], c.Words[1:]...)
	child.Dir = scratch.dir
	child.Env = c.environment(scratch.dir, threads)
	child.Stdin, child.Stdout, child.Stderr = strings.NewReader(string(request)), &stdout, stderr
	child.WaitDelay = lingering
	child.Cancel = group.Kill
	defer group.Own(child)()
	if started != nil {
		defer started()()
	}
	if err := child.Start(); err != nil {
		return nil, fmt.Errorf("the program cannot be started: %w", err)
	}
	err = child.Wait()
	cause := context.Cause(limited)
	if cause == nil && terminated(err) {
		select {
		case <-ctx.Done():
			cause = context.Cause(ctx)
		case <-time.After(ownTurn):
		}
	}
	switch {
	case err == nil && !stdout.overflowed():
		return stdout.bytes(), nil
	case cause != nil:
		return nil, cause
	case errors.Is(err, exec.ErrWaitDelay):
		return nil, fmt.Errorf("the program ended, but something it started held its output open for %v more; it was killed", lingering)
	}
	return nil, ended(err)
}

// environment is what the program inherits of this process's, with temporary files in
// the scratch directory, numerical libraries held to a number of threads, and what the
// spec sets.
func (c *Command) environment(scratch string, threads int) []string {
	env := os.Environ()
	if c.Inherit != nil {
		env = slices.DeleteFunc(env, func(entry string) bool {
			name, _, _ := strings.Cut(entry, "=")
			return !slices.Contains(c.Inherit, name)
		})
	}
	env = append(env, "TMPDIR="+scratch)
	for _, name := range []string{"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"} {
		env = append(env, fmt.Sprintf("%s=%d", name, threads))
	}
	for _, name := range slices.Sorted(maps.Keys(c.Env)) {
		env = append(env, name+"="+c.Env[name])
	}
	return env
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

// ended words how a program failed.
func ended(err error) error {
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return fmt.Errorf("the program cannot be waited for: %w", err)
	}
	if killedBy(exit) >= 0 {
		return fmt.Errorf("the program was killed by a signal: %s", exit)
	}
	return fmt.Errorf("the program failed: %s", exit)
}

// outOfTime is a context.DeadlineExceeded that says whose deadline it was.
type outOfTime struct{ limit time.Duration }

func (e outOfTime) Error() string {
	return fmt.Sprintf("no answer within timeout: %v; the program and all it started were killed", e.limit)
}

func (outOfTime) Is(target error) bool { return target == context.DeadlineExceeded }
