// Command testsummary runs go test with its arguments and shows less and more than
// it: a line for each package as it ends, all output of what fails, and at the end one
// paragraph that says which tests were skipped and why. It exits with 1 where go test
// fails.
//
//	go run ./internal/testsummary -timeout 30m ./...
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run runs go test and returns the exit code.
func run(args []string, out, errs io.Writer) int {
	test := exec.Command("go", append([]string{"test", "-json"}, args...)...)
	test.Stderr = errs
	events, err := test.StdoutPipe()
	if err == nil {
		err = test.Start()
	}
	if err != nil {
		fmt.Fprintln(errs, err)
		return 1
	}
	s := summary{out: out}
	readErr := s.read(events)
	err = test.Wait()
	fmt.Fprintf(out, "\n%s\n", s.skips())
	if readErr != nil || err != nil {
		fmt.Fprintln(errs, "go test:", errors.Join(readErr, err))
		return 1
	}
	return 0
}
