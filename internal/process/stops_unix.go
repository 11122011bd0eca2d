//go:build unix

package process

import (
	"os"
	"os/signal"
	"syscall"
	"time"
)

// WatchStops notes from now on whether this process is stopped and continued
// (SIGSTOP, Ctrl-Z). What it returns says whether it was, and ends the watch.
func WatchStops() (stopped func() bool) {
	continued := make(chan os.Signal, 1)
	signal.Notify(continued, syscall.SIGCONT)
	return func() bool {
		time.Sleep(time.Millisecond) // a signal that has just come is on its way here
		signal.Stop(continued)
		return len(continued) > 0
	}
}
