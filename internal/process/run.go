package process

import (
	"os/exec"
	"time"
)

// Run runs a program of [exec.CommandContext] to its end. When the context ends it kills
// the program with all that it started.
func Run(c *exec.Cmd) error {
	group, err := NewGroup()
	if err != nil {
		return err
	}
	defer group.Close()
	c.Cancel, c.WaitDelay = group.Kill, time.Second
	defer group.Own(c)()
	return c.Run()
}
