//go:build unix

package process

import (
	"bufio"
	"errors"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestGroup: killing a group ends what its program has started, and the program
// where it is in another one.
func TestGroup(t *testing.T) {
	for name, script := range map[string]string{
		"starts another":   "sleep 300 & echo $! $$; wait",
		"ends at once":     "sleep 300 > /dev/null & echo $!",
		"signals":          "trap '' TERM; sleep 300 & kill -TERM 0; echo $$; sleep 300 & wait",
		"in another group": "exec setsid sh -c 'sleep 300 & echo $! $$; wait'",
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := exec.LookPath("setsid"); err != nil && strings.Contains(script, "setsid") {
				t.Skip("SKIPPED: no setsid here")
			}
			g, err := NewGroup()
			if err != nil {
				t.Fatal(err)
			}
			c := exec.Command("sh", "-c", script)
			defer g.Own(c)()
			out, err := c.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := c.Start(); err != nil {
				t.Fatal(err)
			}
			line, err := bufio.NewReader(out).ReadString('\n')
			if err != nil {
				t.Fatal(err)
			}
			g.Close()
			_ = c.Wait()
			for _, word := range strings.Fields(line) {
				pid, err := strconv.Atoi(word)
				if err != nil {
					t.Fatal(err)
				}
				for tries := 0; !gone(pid); tries++ {
					if tries == 500 {
						t.Fatalf("process %d is there after 5 s", pid)
					}
					time.Sleep(10 * time.Millisecond)
				}
			}
		})
	}
}

// TestNoShell: where the shell is missing the error says what to do.
func TestNoShell(t *testing.T) {
	if _, err := guardedBy("/not/there/sh"); err == nil || !strings.HasSuffix(err.Error(), ": install a /not/there/sh") {
		t.Error(err)
	}
}

// gone says that a process has ended, whether or not it was waited for.
func gone(pid int) bool {
	state, err := exec.Command("ps", "-o", "stat=", "-p", strconv.Itoa(pid)).Output()
	return errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) || err == nil && strings.HasPrefix(string(state), "Z")
}
