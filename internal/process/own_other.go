//go:build !unix

package process

import (
	"os"
	"os/exec"
)

// Own does nothing: this system knows no process groups.
func Own(*exec.Cmd) (release func()) { return func() {} }

// KillGroup kills the program alone; what it started is left.
func KillGroup(p *os.Process) error { return p.Kill() }
