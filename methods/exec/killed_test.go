//go:build linux

package exec

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// asRunner makes this test binary run a program that writes its number into the
// named file and hangs.
const asRunner = "MERCER_TEST_AS_RUNNER"

func TestMain(m *testing.M) {
	out := os.Getenv(asRunner)
	if out == "" {
		os.Exit(m.Run())
	}
	command, err := Find(".", []string{"sh", "-c", `echo $$ > "$OUT"; exec sleep 600`}, map[string]string{"OUT": out})
	if err != nil {
		panic(err)
	}
	s, err := NewScratch()
	if err != nil {
		panic(err)
	}
	_, err = command.Run(context.Background(), s, request(), nil)
	panic(err)
}

// TestKilledRunner: a program does not outlive a run that is killed, which can do
// nothing about it any more; its scratch directory does.
func TestKilledRunner(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	runner := exec.Command(self)
	runner.Env = append(os.Environ(), asRunner+"="+filepath.Join(dir, "pid"), "TMPDIR="+dir)
	if err := runner.Start(); err != nil {
		t.Fatal(err)
	}
	pid := pidIn(t, filepath.Join(dir, "pid"))
	if err := runner.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = runner.Wait() // killed
	gone(t, pid)
}

// TestNoZombies: programs that ended, in whatever way, are waited for.
func TestNoZombies(t *testing.T) {
	for _, script := range []string{"exit 1", "kill -9 $$", "sleep 600", "sleep 600 & echo x"} {
		command := shell(t, script)
		command.Timeout = 200 * time.Millisecond
		if _, err := command.Run(context.Background(), scratch(t), request(), nil); err == nil {
			t.Errorf("%s: no error", script)
		}
	}
	children, err := filepath.Glob("/proc/self/task/*/children")
	if err != nil || len(children) == 0 {
		t.Skipf("SKIPPED: the system does not list children (%v)", err)
	}
	for _, path := range children {
		for _, child := range strings.Fields(read(path)) {
			if stat := read("/proc/" + child + "/stat"); strings.Contains(stat, ") Z ") {
				t.Errorf("process %s is a zombie: %s", child, stat)
			}
		}
	}
}

// read is a file of /proc; empty for one of a process that is gone.
func read(path string) string {
	text, _ := os.ReadFile(path)
	return string(text)
}
