package runner

import (
	"errors"
	"os/exec"
	"testing"
	"testing/synctest"
	"time"

	"mercer/results"
)

// TestUnkillable: a process that is not gone though it was killed, as one that waits
// for a dead disk, is left behind, and the fault needs no exit status.
func TestUnkillable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := exec.Command("true")
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		w := &worker{child: c, replies: make(chan reply), ended: make(chan struct{}), peak: 7}
		close(w.replies)
		begun := time.Now()
		fault := w.failed() // it is not waited for, so that it counts as there
		if took := time.Since(begun); took < goneTime || took > 2*goneTime {
			t.Errorf("waited %v for it, want %v", took, goneTime)
		}
		var end died
		if !errors.As(fault, &end) || end.state != nil || end.fromOutside() {
			t.Fatalf("%#v", fault)
		}
		if status, reason := new(subprocess).judge(fault, 0, 1); status != results.Failed || reason.Error() != "its process answers no more, and cannot be killed" {
			t.Errorf("%s: %v", status, reason)
		}
		if used := w.used(); used.CPU != 0 || used.Peak != 7 {
			t.Errorf("it took %+v", used)
		}
		if err := c.Wait(); err != nil {
			t.Error(err)
		}
		close(w.ended)
		if w.state() != c.ProcessState {
			t.Error("no state of a process that has ended")
		}
	})
}
