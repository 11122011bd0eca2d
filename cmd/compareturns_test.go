//go:build unix

package cmd

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

const sleepingSpec = `name: sleeping
seed: 3
repeats: 1
datasets: [{id: poly2, use: series, decay: {power: 2}}]
grid: {n: [5], ell: [1]}
methods: [{id: script, use: exec, command: [sh, "{dir}/sleep.sh"], model: subspace}]
measure: [time]
`

// TestCompareRunStopped: SIGTERM and SIGINT end the program that runs, and what it has
// started, and no file is left.
func TestCompareRunStopped(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
		dir, scratch := t.TempDir(), t.TempDir()
		started := filepath.Join(dir, "pid")
		for name, text := range map[string]string{"sleep.yaml": sleepingSpec, "sleep.sh": "echo $$ > " + started + ".new; mv " + started + ".new " + started + "; exec sleep 1000\n"} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		c := mercerCommand(dir, "compare", "--run", os.Args[0], os.Args[0], "sleep.yaml")
		c.Env = append(c.Env, "TMPDIR="+scratch)
		var stderr bytes.Buffer
		c.Stderr = &stderr
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		pid := 0
		eventually(t, "the program starts", func() bool {
			text, _ := os.ReadFile(started)
			pid, _ = strconv.Atoi(strings.TrimSpace(string(text)))
			return pid > 0
		})
		if err := c.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		_ = c.Wait()
		if code, said := c.ProcessState.ExitCode(), stderr.String(); code != exitInterrupted || !strings.Contains(said, "stopped, and the program that ran was ended; nothing is kept") {
			t.Errorf("%v: exit code %d, said %s", signal, code, said)
		}
		eventually(t, "the program has ended", func() bool { return syscall.Kill(pid, 0) == syscall.ESRCH })
		if left, err := os.ReadDir(scratch); err != nil || len(left) > 0 {
			t.Errorf("%v: left %v, %v", signal, left, err)
		}
	}
}
