//go:build !unix

package exec

import (
	"os"
	"os/exec"
)

// own does nothing: this system knows no process groups.
func own(*exec.Cmd) (release func()) { return func() {} }

// killGroup kills the program alone; what it started is left.
func killGroup(p *os.Process) error { return p.Kill() }
