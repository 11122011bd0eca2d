//go:build !unix

package process

import (
	"os"
	"os/exec"
)

// AbortBySignal does nothing where there are no signals: the exit code of an abort is
// that of Go's runtime, 2.
func AbortBySignal() error { return nil }

// Group is one program: this system knows no process groups.
type Group struct{ program *exec.Cmd }

// NewGroup makes a group. It must be closed.
func NewGroup() (*Group, error) { return new(Group), nil }

// Own puts the program, which has yet to be started, into the group.
func (g *Group) Own(c *exec.Cmd) (release func()) {
	g.program = c
	return func() {}
}

// Kill kills the program alone; what it started is left.
func (g *Group) Kill() error { return g.program.Process.Kill() }

// Close does nothing.
func (g *Group) Close() {}

// Own does nothing: this system knows no process groups.
func Own(*exec.Cmd) (release func()) { return func() {} }

// KillGroup kills the program alone; what it started is left.
func KillGroup(p *os.Process) error { return p.Kill() }
