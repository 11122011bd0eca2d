//go:build linux

package process

import (
	"bufio"
	"context"
	"io"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// asChild makes this test binary a child process of a test: one that answers each line
// after some work, or one that stops itself.
const asChild = "MERCER_TEST_AS_CHILD"

func TestMain(m *testing.M) {
	switch os.Getenv(asChild) {
	case "answers":
		answerLines()
	case "is stopped":
		stopWithinLimit()
	default:
		os.Exit(m.Run())
	}
}

func answerLines() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		for begun := time.Now(); time.Since(begun) < time.Millisecond; {
		}
		if _, err := os.Stdout.WriteString("done\n"); err != nil {
			return
		}
	}
}

// child is a child process of a test.
type child struct {
	t       *testing.T
	pid     int
	in      io.Writer
	answers *bufio.Reader
}

// startChild starts this test binary as one, which ends with the test.
func startChild(t *testing.T, as string) child {
	t.Helper()
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), asChild+"="+as)
	c.Stderr = os.Stderr
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Process.Kill(); _ = c.Wait() })
	return child{t, c.Process.Pid, in, bufio.NewReader(out)}
}

func (c child) ask() {
	c.t.Helper()
	if _, err := c.in.Write([]byte("\n")); err != nil {
		c.t.Fatal(err)
	}
}

func (c child) answered() {
	c.t.Helper()
	if line, err := c.answers.ReadString('\n'); err != nil || line != "done\n" {
		c.t.Fatalf("answer %q, %v", line, err)
	}
}

// stopFor stops the child, and continues it some time after it has stopped.
func (c child) stopFor(pause time.Duration) {
	c.t.Helper()
	c.signal(syscall.SIGSTOP)
	if err := unix.Waitid(unix.P_PID, c.pid, nil, unix.WSTOPPED|unix.WNOWAIT, nil); err != nil {
		c.t.Fatal(err)
	}
	if !Stopped(c.pid) {
		c.t.Error("one that is stopped is not")
	}
	time.Sleep(pause)
	c.signal(syscall.SIGCONT)
}

func (c child) signal(s syscall.Signal) {
	c.t.Helper()
	if err := syscall.Kill(c.pid, s); err != nil {
		c.t.Fatal(err)
	}
}

// busy keeps so many threads busy until the test ends.
func busy(t *testing.T, threads int) {
	stop := make(chan struct{})
	t.Cleanup(func() { close(stop) })
	for range threads {
		go func() {
			for {
				select {
				case <-stop:
					return
				//lint:ignore SA5004 it is to spin
				default:
				}
			}
		}()
	}
}

// TestContinued: on the answer of a child, each stop since the last one is known, and
// none that was not, though the machine is busy and stops are as short as can be.
func TestContinued(t *testing.T) {
	busy(t, 2)
	c := startChild(t, "answers")
	for round := range 60 {
		stops := round % 3
		c.ask()
		for range stops {
			time.Sleep(time.Duration(round%7) * 200 * time.Microsecond) // its work takes a millisecond
			c.stopFor(time.Duration(round%5) * 100 * time.Microsecond)
		}
		c.answered()
		if Stopped(c.pid) {
			t.Fatal("one that answers is stopped")
		}
		if got := Continued(c.pid); got != (stops > 0) {
			t.Fatalf("round %d: continued %v after %d stops", round, got, stops)
		}
	}
	if Continued(os.Getpid()) || Continued(1<<30) || Stopped(1<<30) {
		t.Error("a process that is no child, or not there, was stopped or continued")
	}
}

const testLimit = 2 * time.Second

// stopWithinLimit answers lines until a limit has ended.
func stopWithinLimit() {
	ctx, _, cancel := WithLimit(context.Background(), testLimit, context.DeadlineExceeded)
	defer cancel()
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() && ctx.Err() == nil {
		if _, err := os.Stdout.WriteString("done\n"); err != nil {
			return
		}
	}
}

// TestLimitOfStopped: a process that was stopped for longer than its limit has the rest
// of it left.
func TestLimitOfStopped(t *testing.T) {
	c := startChild(t, "is stopped")
	c.ask()
	c.answered()
	c.stopFor(testLimit + testLimit/4)
	time.Sleep(testLimit / 8) // for ticks that are due
	c.ask()
	c.answered()
}
