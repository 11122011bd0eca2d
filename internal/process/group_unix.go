//go:build unix

package process

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"syscall"
)

// Group is the process group of one program and all that it starts, as far as that
// does not leave the group. It ends when it is killed or closed, and when this
// process ends, however that comes about.
//
// A shell that does nothing but wait is its first member. It reads a pipe whose other
// end this process alone has open, and kills its group when that is closed.
type Group struct {
	guard   *exec.Cmd
	program *exec.Cmd // nil before Own
}

// guarding is what the shell does. A program that signals its whole group is not to
// end the shell.
const guarding = `trap '' HUP INT QUIT TERM USR1 USR2 ALRM; read -r line; kill -KILL 0`

// NewGroup makes a group, at the cost of starting a shell, /bin/sh. It must be closed.
func NewGroup() (*Group, error) { return guardedBy("/bin/sh") }

func guardedBy(shell string) (*Group, error) {
	g := &Group{guard: exec.Command(shell, "-c", guarding)}
	g.guard.SysProcAttr = guardAttributes()
	_, err := g.guard.StdinPipe() // open until Wait
	if err == nil {
		err = g.guard.Start()
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("no process group can be made: %w: install a %s", err, shell)
	}
	if err != nil {
		return nil, fmt.Errorf("no process group can be made: %w", err)
	}
	return g, nil
}

// Own puts the program, which has yet to be started, into the group; else it is as
// the function [Own].
func (g *Group) Own(c *exec.Cmd) (release func()) {
	release = Own(c)
	c.SysProcAttr.Pgid = g.guard.Process.Pid
	g.program = c
	return release
}

// Kill kills all in the group, and the program should it have left it, with the
// group that it may have made then. They may be gone already.
func (g *Group) Kill() error {
	err := KillGroup(g.guard.Process)
	if g.program != nil && g.program.Process != nil { // it has been started
		// A process that is left in the program's group keeps its number from being
		// given to another; an empty one that was just waited for has none to be hit.
		_ = KillGroup(g.program.Process)
		_ = g.program.Process.Kill()
	}
	return err
}

// Close kills what is left.
func (g *Group) Close() {
	_ = g.Kill()       // it may be gone
	_ = g.guard.Wait() // which was killed
}

// KillGroup kills the program and what it started, as far as that stayed in its
// group. The group may be gone already.
func KillGroup(p *os.Process) error {
	err := syscall.Kill(-p.Pid, syscall.SIGKILL)
	if err == syscall.ESRCH {
		return os.ErrProcessDone
	}
	return err
}
