//go:build linux

package cmd

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"mercer/results"
	"mercer/runner/verdicts"
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
	if missing, table := bytes.Index(text, []byte("the run is incomplete")), bytes.Index(text, []byte("| method")); missing < 0 || table < missing {
		t.Errorf("it does not say first that records are missing:\n%s", text)
	}
	if _, err := os.Stat(filepath.Join(f.dir, "killed", "report")); err == nil {
		t.Error("it wrote a report")
	}
}

// TestWatchGathering: in a pipe the command says how far the records of each claim are and
// the means so far, and none of it is a look at the verdicts. The run has no end in sight.
func TestWatchGathering(t *testing.T) {
	f := &faulted{t: t, dir: t.TempDir()}
	f.write("fast.yaml", fastSpec+`claims:
  - {id: falls, says: R falls, slope: {of: recon_h, over: n, where: {method: nystrom}, by: [m], at_most: 0}}
  - {id: as-good, says: the sketch is as good, ratio: {of: recon_h, method: sketch, to: nystrom, by: [n], at_most: 2}}
`)
	run := mercerCommand(f.dir, "run", "fast.yaml", "--out", "out", "--quiet")
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	f.recorded("out")
	if err := run.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	var out, log bytes.Buffer
	watch := mercerCommand(f.dir, "watch", "out")
	watch.Stdout = &out
	pipe, err := watch.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := watch.Start(); err != nil {
		t.Fatal(err)
	}
	defer time.AfterFunc(hang, func() { _ = watch.Process.Kill() }).Stop()
	said := bufio.NewScanner(io.TeeReader(pipe, &log))
	for said.Scan() {
		if strings.HasPrefix(said.Text(), "| Nyström") {
			if err := watch.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
		}
	}
	if code := exitCode(watch.Wait()); code != fmt.Sprint(exitInterrupted) {
		t.Errorf("exit %s", code)
	}
	for _, want := range []string{`so far [0-9]+ of 24000 records\n`,
		`claims with all records: 0 of 2:\n  falls \([0-9]+ of [0-9]+000 records, 0 of [0-9]+ cells? complete, ([1-4]) of ([1-4]) groups? open\)\n  as-good \(`,
		`\| method .*\| recon_h`, `\| Nyström.*\| 0\.[0-9]+`} {
		if !regexp.MustCompile(want).MatchString(log.String()) {
			t.Errorf("standard error lacks %s:\n%s", want, log.String())
		}
	}
	early, err := results.Load(filepath.Join(f.dir, "out"))
	if err != nil {
		t.Fatal(err)
	}
	spec, err := verdicts.SpecOf(early)
	if err != nil {
		t.Fatal(err)
	}
	c := &cobra.Command{}
	var silent bytes.Buffer
	c.SetErr(&silent)
	early.Records = nil
	if err := (&gathering{spec: spec}).print(c, early); err != nil || silent.Len() > 0 {
		t.Errorf("before the first record: %v, %s", err, silent.String())
	}
	if out.Len() > 0 {
		t.Errorf("standard output of a run in progress: %s", out.String())
	}
	if err := run.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = run.Wait()
	if m, err := results.ReadManifest(filepath.Join(f.dir, "out")); err != nil || len(m.Looks) > 0 {
		t.Errorf("looks %v, %v: want none", m.Looks, err)
	}
}
