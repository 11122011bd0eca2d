package runner

import (
	"fmt"
	"mercer/data"
	"path"
	"runtime/debug"
	"strings"
)

// recovered turns a panic into an error that names the place; but one about a
// file that points are read from is that error.
func recovered(err *error) {
	if v := recover(); v != nil {
		if failure, ok := v.(*data.ReadError); ok {
			*err = failure
			return
		}
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
