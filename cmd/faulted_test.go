//go:build unix

package cmd

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"mercer/results"
)

// These tests do to the real program what can happen to it on one machine. Each
// looks at the exit code, the message, and that a run that goes on ends with the
// export of an undisturbed one.

// faultSpec is a run of 160 records and some tenths of a second; longSpec takes its
// time.
var (
	faultSpec = fmt.Sprintf(faultForm, 20, "[50, 100]")
	longSpec  = fmt.Sprintf(faultForm, 60, "[100, 200]")
)

const faultForm = `
name: faults
seed: 9
repeats: %d
datasets:
  - {id: poly2, use: series, decay: {power: 2}}
grid: {n: %s, ell: [2, 5], m: [20]}
methods:
  - {id: ekpca, use: ekpca, center: u}
  - {id: nystrom, use: nystrom}
measure: [recon_h, recon_l2]
`

// faulted is a folder with a spec, shared by the faults of one test.
type faulted struct {
	t    *testing.T
	dir  string
	want []byte // export of an undisturbed run
}

func newFaulted(t *testing.T, spec string) *faulted {
	t.Helper()
	f := &faulted{t: t, dir: t.TempDir()}
	f.write("faults.yaml", spec)
	f.want = f.finish("undisturbed")
	return f
}

// finish runs what is missing and exports the run.
func (f *faulted) finish(out string) []byte {
	f.t.Helper()
	f.run(exitOK, "", "run", "faults.yaml", "--out", out, "--quiet")
	text, err := mercerCommand(f.dir, "export", out, "--no-times").Output()
	if err != nil {
		f.t.Fatalf("export %s: %v", out, err)
	}
	return text
}

func (f *faulted) write(name, text string) {
	f.t.Helper()
	if err := os.WriteFile(filepath.Join(f.dir, name), []byte(text), 0o777); err != nil {
		f.t.Fatal(err)
	}
}

// run runs a command and checks its exit code and that its standard error matches.
func (f *faulted) run(code int, pattern string, args ...string) string {
	f.t.Helper()
	return f.expect(mercerCommand(f.dir, args...), code, pattern)
}

func (f *faulted) expect(c *exec.Cmd, code int, pattern string) string {
	f.t.Helper()
	var stderr bytes.Buffer
	c.Stderr = &stderr
	err := c.Run()
	if got := c.ProcessState.ExitCode(); got != code {
		f.t.Errorf("%v: exit code %d, %v, want %d\n%s", c.Args[1:], got, err, code, &stderr)
	}
	if !regexp.MustCompile(pattern).Match(stderr.Bytes()) {
		f.t.Errorf("%v says\n%swant %s", c.Args[1:], &stderr, pattern)
	}
	return stderr.String()
}

// goesOn finishes a run and compares it with the undisturbed one.
func (f *faulted) goesOn(out string) {
	f.t.Helper()
	if got := f.finish(out); !bytes.Equal(got, f.want) {
		f.t.Errorf("%s: the export differs from that of an undisturbed run", out)
	}
}

// recorded waits until a run has stored something.
func (f *faulted) recorded(out string) {
	f.t.Helper()
	path := filepath.Join(f.dir, out, results.RecordsFile)
	for range 1000 {
		if info, err := os.Stat(path); err == nil && info.Size() > 0 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	f.t.Fatalf("%s: no record within 10 s", out)
}
