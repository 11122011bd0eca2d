package process

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Children are the processes that a process has started and not yet waited for;
// nil where there are none, or the system does not tell.
func Children(pid int) []int {
	lists, err := filepath.Glob("/proc/" + strconv.Itoa(pid) + "/task/*/children")
	if err != nil {
		return nil
	}
	var children []int
	for _, list := range lists { // of its threads
		text, err := os.ReadFile(list)
		if err != nil {
			continue
		}
		for _, word := range strings.Fields(string(text)) {
			if child, err := strconv.Atoi(word); err == nil {
				children = append(children, child)
			}
		}
	}
	return children
}
