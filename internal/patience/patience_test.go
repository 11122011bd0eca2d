//go:build unix

package patience

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// asStopped makes the test binary wait for a limit, for TestStopped.
const asStopped = "PATIENCE_TEST_STOPPED"

const testLimit = 400 * time.Millisecond

func TestMain(m *testing.M) {
	if os.Getenv(asStopped) != "" {
		begun := time.Now()
		ctx, cancel := With(context.Background(), testLimit, context.DeadlineExceeded)
		defer cancel()
		println("ready")
		<-ctx.Done()
		println(time.Since(begun).String())
		return
	}
	os.Exit(m.Run())
}

func TestCounted(t *testing.T) {
	for _, tt := range []struct{ gap, tick, want time.Duration }{
		{time.Second, time.Second, time.Second},
		{9 * time.Second, time.Second, 9 * time.Second}, // a machine under load
		{11 * time.Second, time.Second, time.Second},    // stopped
		{8 * time.Hour, 100 * time.Millisecond, 100 * time.Millisecond},
		{0, time.Second, 0},
	} {
		if got := counted(tt.gap, tt.tick); got != tt.want {
			t.Errorf("of %v between ticks of %v count %v, want %v", tt.gap, tt.tick, got, tt.want)
		}
	}
}

func TestWith(t *testing.T) {
	begun := time.Now()
	ctx, cancel := With(context.Background(), 60*time.Millisecond, context.DeadlineExceeded)
	defer cancel()
	<-ctx.Done()
	if took := time.Since(begun); took < 60*time.Millisecond || took > 10*time.Second {
		t.Errorf("a limit of 60 ms ends after %v", took)
	}
	if !errors.Is(ctx.Err(), context.Canceled) || !errors.Is(context.Cause(ctx), context.DeadlineExceeded) {
		t.Errorf("error %v, cause %v", ctx.Err(), context.Cause(ctx))
	}
	none, end := With(context.Background(), 0, context.DeadlineExceeded)
	if none.Err() != nil {
		t.Error("no limit has ended")
	}
	end()
	if none.Err() == nil || errors.Is(context.Cause(none), context.DeadlineExceeded) {
		t.Errorf("after its end: %v, cause %v", none.Err(), context.Cause(none))
	}
}

func TestStopAndReset(t *testing.T) {
	called := make(chan bool, 1)
	timer := AfterFunc(50*time.Millisecond, func() { called <- true })
	timer.Stop()
	select {
	case <-called:
		t.Error("called after Stop")
	case <-time.After(150 * time.Millisecond):
	}
	begun := time.Now()
	timer = AfterFunc(150*time.Millisecond, func() { called <- true })
	time.Sleep(100 * time.Millisecond)
	timer.Reset(150 * time.Millisecond)
	<-called
	if took := time.Since(begun); took < 250*time.Millisecond {
		t.Errorf("a limit of 150 ms given again after 100 ms ends after %v", took)
	}
}

// TestStopped stops a process for twice its limit: it ends late by what it was
// stopped for, not on its first breath.
func TestStopped(t *testing.T) {
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), asStopped+"=1")
	stderr, err := c.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Process.Kill(); _ = c.Wait() }()
	text := make([]byte, 64)
	n, err := stderr.Read(text)
	if err != nil || strings.TrimSpace(string(text[:n])) != "ready" {
		t.Fatalf("%q, %v", text[:n], err)
	}
	const stop = 2 * testLimit
	if err := c.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	time.Sleep(stop)
	if err := c.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	if n, err = stderr.Read(text); err != nil {
		t.Fatal(err)
	}
	took, err := time.ParseDuration(strings.TrimSpace(string(text[:n])))
	if err != nil {
		t.Fatal(err)
	}
	// By the wall it took the stop and the limit, less the time before the stop, which
	// a busy machine may stretch: of that there is none here but a write to a pipe.
	if least := stop + testLimit/2; took < least {
		t.Errorf("took %v by the wall, want at least %v: the stop of %v counted against the limit of %v", took, least, stop, testLimit)
	}
}
