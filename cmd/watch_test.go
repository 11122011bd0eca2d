//go:build linux

package cmd

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"mercer/results"
)

// TestWatch follows a run of another process: Ctrl-C leaves the run alone; at the run's end
// the command ends as mercer check does; a run that was killed is not waited for.
func TestWatch(t *testing.T) {
	f := &faulted{t: t, dir: t.TempDir()}
	f.write("fast.yaml", strings.Replace(fastSpec, "repeats: 1000", "repeats: 300", 1))
	run := mercerCommand(f.dir, "run", "fast.yaml", "--out", "out", "--quiet")
	signal := func(s syscall.Signal) {
		if err := run.Process.Signal(s); err != nil {
			t.Fatal(err)
		}
	}
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	f.recorded("out")
	signal(syscall.SIGSTOP)
	x := inTerminal(t, 80, mercerCommand(f.dir, "watch", "out"))
	x.until(`[1-9][0-9]*/7200`)
	x.press("\x03")
	x.ends(exitInterrupted)
	x.said("computed by process [0-9]+ on .*")
	x.said("the run goes on; to follow it again: mercer watch out")
	x = inTerminal(t, 80, mercerCommand(f.dir, "watch", "out"))
	x.until(`[1-9][0-9]*/7200`)
	signal(syscall.SIGCONT)
	x.ends(exitOK)
	x.bar(`7200/7200( records)?, took `)
	x.said("next: mercer export out .*")
	if err := run.Wait(); err != nil {
		t.Errorf("the run: %v", err)
	}

	run = mercerCommand(f.dir, "run", "fast.yaml", "--out", "killed", "--quiet")
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	f.recorded("killed")
	signal(syscall.SIGSTOP)
	signal(syscall.SIGKILL)
	_ = run.Wait()
	if holder := results.Holder(filepath.Join(f.dir, "killed")); holder != "" {
		t.Errorf("a killed run is computed by %s", holder)
	}
	start := time.Now()
	text, err := mercerCommand(f.dir, "watch", "killed").CombinedOutput()
	if exitCode(err) != "1" || !strings.Contains(string(text), "of 7200 records are missing; to continue: ") || time.Since(start) > hang {
		t.Errorf("exit %v\n%s", err, text)
	}
	if _, err := os.Stat(filepath.Join(f.dir, "killed", "report")); err == nil {
		t.Error("it wrote a report")
	}
}
