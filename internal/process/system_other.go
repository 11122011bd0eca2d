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

// CPU is 0: not known on this system.
func CPU() float64 { return 0 }

// Ended is what a process that was waited for took in all; nothing for nil, one that
// was not.
func Ended(state *os.ProcessState) Usage {
	if state == nil {
		return Usage{}
	}
	return Usage{CPU: (state.UserTime() + state.SystemTime()).Seconds()}
}

func maxResident() int64 { return 0 }

// Continued is false: not known on this system.
func Continued(int) bool { return false }

// Discard does nothing.
func Discard([]byte) {}
