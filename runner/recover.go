package runner

import (
	"fmt"
	"path"
	"runtime/debug"
	"strings"

	"mercer/data"
	"mercer/methods/exec"
)

// recovered turns a panic into an error that names the place; but one about a
// file that points are read from, or about a program, is that error.
func recovered(err *error) {
	switch v := recover().(type) {
	case nil:
	case *data.ReadError:
		*err = v
	case exec.Failed:
		*err = v
	default:
		*err = fmt.Errorf("panic: %v (%s)", v, panicPlace(string(debug.Stack())))
	}
}

// panicPlace is the file and line of the first frame of a stack below the panic
// that is in this module.
func panicPlace(stack string) string {
	_, below, _ := strings.Cut(stack, "panic(")
	own := false
	for line := range strings.SplitSeq(below, "\n") {
		if own && !strings.Contains(line, "oncefunc.go") {
			place, _, _ := strings.Cut(path.Base(line), " ")
			return place
		}
		own = strings.HasPrefix(line, "mercer/")
	}
	return "place unknown"
}
