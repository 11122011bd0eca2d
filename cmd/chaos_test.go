//go:build system && linux

package cmd

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"mercer/results"
)

var (
	chaosKills = flag.Int("chaos.kills", 0, "kill runs or workers at least so often, beside other disturbances; 0: as often as chaos.time allows")
	chaosTime  = flag.Duration("chaos.time", 30*time.Second, "about how long, where chaos.kills is 0")
	chaosSeed  = flag.Uint64("chaos.seed", 1, "seed of what happens when")
)

const chaosSpec = `
name: chaos
seed: 9
repeats: 24
datasets:
  - {id: poly2, use: series, decay: {power: 2}}
grid: {n: [100, 200, 300], ell: [2, 5], m: [40]}
methods:
  - {id: ekpca, use: ekpca, center: u}
  - {id: nystrom, use: nystrom}
measure: [recon_h, recon_l2]
plots:
  - {id: points, kind: scatter, where: {n: 300, ell: 5}}
`

// TestChaos runs the program again and again and, at random moments, kills it or one
// of its worker processes, stops and continues them, or asks it to end; cells are
// computed now in one process, now in several. Whatever was stored stays as it is, no
// cell is stored twice, no process is left behind, and each run ends with the export,
// and the points of a figure, of an undisturbed one, byte for byte.
func TestChaos(t *testing.T) {
	t.Parallel()
	c := &chaos{t: t, dir: t.TempDir(), rng: rand.New(rand.NewPCG(*chaosSeed, 0)), took: map[bool]time.Duration{}, count: map[string]int{}}
	t.Logf("-chaos.seed=%d", *chaosSeed)
	if err := os.WriteFile(filepath.Join(c.dir, "chaos.yaml"), []byte(chaosSpec), 0o666); err != nil {
		t.Fatal(err)
	}
	begun := time.Now()
	const fewest = 5 // on a machine that is busy
	var want []byte
	for _, apart := range []bool{false, true} {
		at := time.Now()
		got := c.finish("undisturbed"+strconv.FormatBool(apart), apart)
		c.took[apart] = time.Since(at)
		if want != nil && !bytes.Equal(got, want) {
			t.Fatal("worker processes change the export")
		}
		want = got
	}
	for run := 0; !t.Failed(); run++ {
		if *chaosKills > 0 && c.killed >= *chaosKills || *chaosKills == 0 && c.disturbed >= fewest && time.Since(begun) > *chaosTime-2*c.took[true] {
			break
		}
		out := fmt.Sprintf("run%d", run)
		var before []byte
		for range 1 + c.rng.IntN(4) {
			c.disturb(out)
			before = c.kept(out, before)
		}
		if got := c.finish(out, c.rng.IntN(2) == 0); !bytes.Equal(got, want) {
			t.Errorf("run %d: the export differs from that of an undisturbed run; first difference at byte %d", run, difference(got, want))
		}
		c.kept(out, before)
		c.once(out)
		if err := os.RemoveAll(filepath.Join(c.dir, out)); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d disturbances of %d runs met a running program in %v: %v", c.disturbed, c.runs, time.Since(begun).Round(time.Second), c.count)
}

type chaos struct {
	t         *testing.T
	dir       string
	rng       *rand.Rand
	took      map[bool]time.Duration // an undisturbed run, by whether cells have processes of their own
	runs      int
	disturbed int
	killed    int            // of these, by SIGKILL
	count     map[string]int // of what was done
}

func (c *chaos) command(out string, apart bool) *exec.Cmd {
	isolate := "none"
	if apart {
		isolate = "process"
	}
	return mercerCommand(c.dir, "run", "chaos.yaml", "--out", out, "--quiet", "--isolate", isolate, "--workers", strconv.Itoa(1+c.rng.IntN(3)))
}

// disturb starts a run and does something to it.
func (c *chaos) disturb(out string) {
	c.t.Helper()
	c.runs++
	apart := c.rng.IntN(2) == 0
	command := c.command(out, apart)
	var stderr bytes.Buffer
	command.Stderr = &stderr
	if err := command.Start(); err != nil {
		c.t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- command.Wait() }()
	time.Sleep(time.Duration(c.rng.Float64() * 0.9 * float64(c.took[apart])))
	runner := command.Process.Pid
	workers := slices.DeleteFunc(children(c.t, runner), zombie)
	what, expected := c.choose(runner, workers)
	select {
	case err := <-ended:
		c.judge(what, err, expected, &stderr)
	case <-time.After(2 * time.Minute):
		_ = command.Process.Kill()
		c.t.Fatalf("%s: the program did not end\n%s", what, &stderr)
	}
	for _, pid := range workers {
		for wait := 0; syscall.Kill(pid, 0) == nil && !zombie(pid); wait++ {
			if wait == 500 {
				c.t.Fatalf("%s: worker process %d is left behind", what, pid)
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
}

// choose does something to a runner or one of its workers, and says what, and how
// the runner may end then.
func (c *chaos) choose(runner int, workers []int) (what string, codes []int) {
	send := func(pid int, s syscall.Signal) { _ = syscall.Kill(pid, s) }
	pause := func(pid int) {
		send(pid, syscall.SIGSTOP)
		time.Sleep(time.Duration(c.rng.Float64() * float64(300*time.Millisecond)))
		send(pid, syscall.SIGCONT)
	}
	dice := c.rng.IntN(20)
	if len(workers) > 0 && dice < 7 {
		worker := workers[c.rng.IntN(len(workers))]
		if dice < 5 {
			send(worker, syscall.SIGKILL)
			return "SIGKILL of a worker", []int{exitOK, exitFailed}
		}
		pause(worker)
		return "SIGSTOP and SIGCONT of a worker", []int{exitOK}
	}
	switch {
	case dice < 15:
		send(runner, syscall.SIGKILL)
		return "SIGKILL", []int{-1, exitOK}
	case dice < 17:
		pause(runner)
		return "SIGSTOP and SIGCONT", []int{exitOK}
	case dice < 18:
		pause(runner)
		send(runner, syscall.SIGKILL)
		return "SIGSTOP, SIGCONT and SIGKILL", []int{-1, exitOK}
	}
	send(runner, syscall.SIGTERM)
	return "SIGTERM", []int{exitInterrupted, exitOK, -1} // -1: before the program listens
}

func (c *chaos) judge(what string, err error, codes []int, stderr *bytes.Buffer) {
	c.t.Helper()
	code := 0
	if exit := new(exec.ExitError); errors.As(err, &exit) {
		code = exit.ExitCode()
	} else if err != nil {
		c.t.Fatal(err)
	}
	for _, expected := range codes {
		if code == expected {
			if code != exitOK || !strings.HasPrefix(what, "SIG") || strings.Contains(what, "CONT") || strings.Contains(what, "worker") {
				c.disturbed++
				if strings.Contains(what, "KILL") {
					c.killed++
				}
				c.count[what]++
			}
			return
		}
	}
	c.t.Errorf("%s: exit code %d, want one of %v\n%s", what, code, codes, stderr)
}

// finish runs what is missing and gives the export and the points of the run.
func (c *chaos) finish(out string, apart bool) []byte {
	c.t.Helper()
	if text, err := c.command(out, apart).CombinedOutput(); err != nil {
		c.t.Fatalf("run: %v\n%s", err, text)
	}
	text, err := mercerCommand(c.dir, "export", out, "--no-times").Output()
	if err != nil {
		c.t.Fatalf("export: %v", err)
	}
	files, err := filepath.Glob(filepath.Join(c.dir, out, results.PointsFolder, "*"))
	if err != nil || len(files) < 2 {
		c.t.Fatalf("%d files of points, %v", len(files), err)
	}
	for _, file := range files { // a kill while one is written may leave a hidden one
		if points, err := os.ReadFile(file); err != nil {
			c.t.Fatal(err)
		} else if name := filepath.Base(file); name[0] != '.' {
			text = append(append(append(text, name...), '\n'), points...)
		}
	}
	return text
}

// kept checks that whole lines of records are still there, and gives those that are
// now.
func (c *chaos) kept(out string, before []byte) []byte {
	c.t.Helper()
	now, err := os.ReadFile(filepath.Join(c.dir, out, results.RecordsFile))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		c.t.Fatal(err)
	}
	if !bytes.HasPrefix(now, before) {
		c.t.Errorf("%s: records that were stored are not as they were", out)
	}
	return now[:bytes.LastIndexByte(now, '\n')+1]
}

// once checks that no cell was stored again once it had ended well.
func (c *chaos) once(out string) {
	c.t.Helper()
	text, err := os.ReadFile(filepath.Join(c.dir, out, results.RecordsFile))
	if err != nil {
		c.t.Fatal(err)
	}
	ok := map[string]bool{}
	for line := range bytes.Lines(text) {
		r, err := results.Decode(line)
		if err != nil || ok[r.ID] {
			c.t.Errorf("%s: row %s again after it was ok, or %v", out, r.ID, err)
		}
		ok[r.ID] = ok[r.ID] || r.Status == results.OK
	}
}

// children are the processes that a process has started and not yet waited for.
func children(t *testing.T, pid int) []int {
	t.Helper()
	lists, err := filepath.Glob("/proc/" + strconv.Itoa(pid) + "/task/*/children") // of its threads
	if err != nil {
		t.Fatal(err)
	}
	var found []int
	for _, list := range lists {
		text, _ := os.ReadFile(list) // the thread may have ended
		for _, word := range strings.Fields(string(text)) {
			if child, err := strconv.Atoi(word); err == nil {
				found = append(found, child)
			}
		}
	}
	return found
}

// zombie says that a process has ended and was not waited for.
func zombie(pid int) bool {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && bytes.Contains(text, []byte(") Z "))
}

func difference(a, b []byte) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i
		}
	}
	return min(len(a), len(b))
}
