//go:build system && unix

package cmd

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"mercer/data/files"
	"mercer/results"
)

// TestSignals: after SIGTERM, SIGINT and SIGHUP a run finishes what it has in hand and says
// how to go on; a stopped one goes on by itself; a second signal, but for SIGHUP, ends it at once.
func TestSignals(t *testing.T) {
	f := newFaulted(t, strings.Replace(longSpec, "[100, 200]", "[300, 600]", 1)) // long also on a fast machine
	for i, signals := range [][]syscall.Signal{{syscall.SIGTERM}, {syscall.SIGINT}, {syscall.SIGSTOP, syscall.SIGTERM, syscall.SIGCONT}, {syscall.SIGHUP, syscall.SIGHUP}, {syscall.SIGTERM, syscall.SIGTERM}} {
		if slices.Contains(signals, syscall.SIGHUP) && signal.Ignored(syscall.SIGHUP) {
			t.Log("SKIPPED: SIGHUP is ignored here, as under nohup, and so it is by a run")
			continue
		}
		out := fmt.Sprintf("signals%d", i)
		c := mercerCommand(f.dir, "run", "faults.yaml", "--out", out, "--workers", "1")
		var stderr bytes.Buffer
		c.Stderr = &stderr
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		f.recorded(out)
		for _, s := range signals {
			_ = c.Process.Signal(s)
			time.Sleep(20 * time.Millisecond)
		}
		_ = c.Wait()
		said := stderr.String()
		if code := c.ProcessState.ExitCode(); code != exitInterrupted {
			t.Errorf("%v: exit code %d, want %d\n%s", signals, code, exitInterrupted, said)
		}
		if !strings.Contains(said, "stopping; a run first finishes and stores its current work") {
			t.Errorf("%v: said %s", signals, said)
		}
		if i < 4 && !strings.Contains(said, "of 480 rows; to continue: mercer run faults.yaml --profile paper --workers=1 --out "+out) {
			t.Errorf("%v: does not say how to continue: %s", signals, said)
		}
		f.goesOn(out)
	}
}

// TestSignalToReader: a command whose output nobody reads ends at its second signal.
func TestSignalToReader(t *testing.T) {
	c := mercerCommand(t.TempDir(), "schema") // more than a pipe holds
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	c.Stderr = &stderr
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := out.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	_ = c.Process.Signal(syscall.SIGTERM)
	time.Sleep(500 * time.Millisecond)
	_ = c.Process.Signal(syscall.SIGTERM)
	deaf := time.AfterFunc(time.Minute, func() { _ = c.Process.Kill() })
	_ = c.Wait()
	deaf.Stop()
	if code, said := c.ProcessState.ExitCode(), stderr.String(); code != exitInterrupted || !strings.Contains(said, "stopping") {
		t.Errorf("exit code %d, want %d; said %q", code, exitInterrupted, said)
	}
}

// TestFullDisk lets a run reach a limit on the size of files, which is what a full
// disk or a quota looks like from within, and then lifts it.
func TestFullDisk(t *testing.T) {
	f := newFaulted(t, faultSpec)
	for _, kibibytes := range []int{0, 8, 40} {
		out := fmt.Sprintf("limited%d", kibibytes)
		c := exec.Command("bash", append([]string{"-c", fmt.Sprintf(`ulimit -f %d; exec "$0" "$@"`, kibibytes)}, mercerCommand(f.dir, "run", "faults.yaml", "--out", out, "--quiet").Args...)...)
		c.Dir, c.Env = f.dir, append(os.Environ(), asMercer+"=1")
		f.expect(c, exitFailed, `file too large`)
		f.goesOn(out)
	}
}

// TestTwoRunners: a second runner on a run directory is refused and writes nothing, also
// where it would begin anew.
func TestTwoRunners(t *testing.T) {
	f := newFaulted(t, faultSpec)
	dir := filepath.Join(f.dir, "undisturbed")
	store, err := results.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	files := func() (texts []string) {
		for _, name := range []string{results.RecordsFile, results.ManifestFile, results.SpecFile} {
			text, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			texts = append(texts, string(text))
		}
		return texts
	}
	before := files()
	f.run(exitFailed, "another runner has this directory open; wait for it or choose another directory", "run", "faults.yaml", "--out", "undisturbed")
	f.run(exitFailed, "another runner has this directory open; wait for it or choose another directory", "run", "faults.yaml", "--out", "undisturbed", "--fresh")
	if diff := cmp.Diff(before, files()); diff != "" {
		t.Errorf("the second runner has changed the directory:\n%s", diff)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	f.goesOn("undisturbed")
}

// TestClockJump: a manifest of a machine whose clock was set back while it ran, or is
// wrong by decades, breaks no command, and a run goes on from it.
func TestClockJump(t *testing.T) {
	f := newFaulted(t, faultSpec)
	path := filepath.Join(f.dir, "undisturbed", results.ManifestFile)
	for _, times := range [][2]string{
		{"2026-06-01T12:00:00Z", "2026-06-01T11:00:00Z"}, // set back
		{"2026-06-01T12:00:00Z", "1970-01-01T00:00:00Z"},
		{"9999-12-31T23:59:59Z", "9999-12-31T23:59:59Z"},
		{"yesterday", ""},
	} {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var m results.Manifest
		if err := json.Unmarshal(text, &m); err != nil {
			t.Fatal(err)
		}
		m.Started, m.Finished = times[0], times[1]
		if err := results.WriteManifest(filepath.Join(f.dir, "undisturbed"), m); err != nil {
			t.Fatal(err)
		}
		for _, args := range [][]string{{"report", "undisturbed"}, {"check", "undisturbed"}, {"compare", "undisturbed", "undisturbed"}, {"run", "faults.yaml", "--out", "undisturbed"}} {
			said := f.run(exitOK, "", args...)
			if strings.Contains(said, "panic") {
				t.Errorf("%v with times %v: %s", args, times, said)
			}
		}
		report, err := os.ReadFile(filepath.Join(f.dir, "undisturbed", "report", "report.md"))
		if err != nil {
			t.Fatal(err)
		}
		if negative := regexp.MustCompile(`-\d+(\.\d+)? ?(ns|µs|ms|s|m|h|min|seconds|minutes|hours)\b`).Find(report); negative != nil {
			t.Errorf("times %v: the report speaks of %s", times, negative)
		}
		f.goesOn("undisturbed")
	}
}

// TestChangedNPY changes the content of a data file that is read as needed, in place
// and with its size kept, while a run goes on, in one process and in workers: it
// stops, every row that it has stored is one of the file as it was, and each
// content has a run of its own afterwards.
func TestChangedNPY(t *testing.T) {
	f := &faulted{t: t, dir: t.TempDir()}
	array := func(coordinate func(i int) float64) string {
		var b bytes.Buffer
		if err := files.WriteNPY(&b, 300, 2, func(i int) []float64 { return []float64{coordinate(i), float64(i * i % 23)} }); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	was, is := array(func(i int) float64 { return float64(i % 17) }), array(func(i int) float64 { return float64(i % 19) })
	f.write("x.npy", was)
	f.write("faults.yaml", strings.NewReplacer("{id: poly2, use: series, decay: {power: 2}}", "{id: poly2, use: npy, path: x.npy, population: {held_out: 100}}",
		"grid: ", "kernels: [{id: rbf, use: gaussian, sigma: 3, form: sigma-squared}]\ngrid: ",
		"repeats: 60", "repeats: 240").Replace(longSpec)) // so that it goes on while this test gets no processor
	f.want = f.finish("undisturbed")
	undisturbed := map[string]bool{}
	for line := range bytes.Lines(f.want) {
		undisturbed[string(line)] = true
	}
	for _, isolate := range []string{"none", "process"} {
		f.write("x.npy", was)
		c := mercerCommand(f.dir, "run", "faults.yaml", "--out", isolate, "--isolate", isolate, "--workers", "1", "--quiet")
		var stderr bytes.Buffer
		c.Stderr = &stderr
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		f.recorded(isolate)
		f.write("x.npy", is)
		_ = c.Wait()
		if code := c.ProcessState.ExitCode(); code != exitFailed {
			t.Errorf("%s: exit code %d, want %d", isolate, code, exitFailed)
		}
		want := `data set "poly2": .*x\.npy: the file was changed while it was in use: .*: leave it alone, and run again\s+the last \d+ rows are not stored`
		if isolate == "process" { // the next process opens the changed file
			want += `|the data or programs that the spec names have changed since this run began: run the same command again`
		}
		if !regexp.MustCompile(want).Match(stderr.Bytes()) {
			t.Errorf("%s: said %s, want %s", isolate, &stderr, want)
		}
		got, err := mercerCommand(f.dir, "export", isolate, "--no-times").Output()
		if err != nil || bytes.Count(got, []byte("\n")) < 2 || len(got) >= len(f.want) {
			t.Errorf("%s: %d bytes of export, %d of the undisturbed run; %v", isolate, len(got), len(f.want), err)
		}
		for line := range bytes.Lines(got) {
			if !undisturbed[string(line)] {
				t.Errorf("%s: stored, and not of the file as it was: %s", isolate, line)
			}
		}
		f.write("x.npy", was)
		f.goesOn(isolate)
	}
	f.write("x.npy", is)
	if got := f.finish("none"); bytes.Equal(got, f.want) {
		t.Error("records of the file as it was pass for those of the changed one")
	}
}

// TestManyCells runs 100,000 cells, kills the run on its way, finishes it and asks for
// it once more; times are in the log, memory is held to half a GiB.
func TestManyCells(t *testing.T) {
	f := &faulted{t: t, dir: t.TempDir()}
	var theta []string
	for i := range 100 {
		theta = append(theta, fmt.Sprint(i+1))
	}
	f.write("faults.yaml", fmt.Sprintf(`
name: many
seed: 9
repeats: 100
datasets:
  - {id: poly2, use: atoms, atoms: 20, decay: {power: "1.5 + theta/100"}}
grid: {n: [20], ell: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], theta: [%s]}
methods:
  - {id: kpca, use: kpca}
measure: [recon_h]
`, strings.Join(theta, ", ")))
	timed := func(what string, args ...string) []byte {
		t.Helper()
		c := mercerCommand(f.dir, args...)
		var stdout, stderr bytes.Buffer
		c.Stdout, c.Stderr = &stdout, &stderr
		begun := time.Now()
		if err := c.Run(); err != nil {
			t.Fatalf("%s: %v\n%s", what, err, &stderr)
		}
		memory := int64(0)
		if usage, ok := c.ProcessState.SysUsage().(*syscall.Rusage); ok && runtime.GOOS == "linux" {
			memory = usage.Maxrss >> 10
		}
		t.Logf("%s: %v of processor time, %v by the wall, %d MiB", what, c.ProcessState.UserTime()+c.ProcessState.SystemTime(), time.Since(begun).Round(time.Millisecond), memory)
		if memory > 512 {
			t.Errorf("%s takes %d MiB", what, memory)
		}
		return stdout.Bytes()
	}
	c := mercerCommand(f.dir, "run", "faults.yaml", "--out", "many", "--quiet")
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	f.recorded("many")
	time.Sleep(500 * time.Millisecond)
	_ = c.Process.Kill()
	_ = c.Wait()
	timed("the rest after a kill", "run", "faults.yaml", "--out", "many", "--quiet")
	timed("a run with nothing left to do", "run", "faults.yaml", "--out", "many", "--quiet")
	if rows := bytes.Count(timed("export", "export", "many"), []byte("\n")); rows != 400_001 {
		t.Errorf("%d rows of export, want 4 of each cell and a header", rows)
	}
	if lines, err := os.ReadFile(filepath.Join(f.dir, "many", results.RecordsFile)); err != nil || bytes.Count(lines, []byte("\n")) != 100_000 {
		t.Errorf("%d records, %v", bytes.Count(lines, []byte("\n")), err)
	}
}
