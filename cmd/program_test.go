package cmd

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
)

func exitCode(err error) string {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return fmt.Sprint(exit.ExitCode())
	}
	return err.Error()
}

// mercerCommand is this test binary acting as mercer in dir.
func mercerCommand(dir string, args ...string) *exec.Cmd {
	c := exec.Command(os.Args[0], args...)
	c.Dir = dir
	c.Env = append(os.Environ(), asMercer+"=1")
	return c
}
