package cmd

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"mercer/results"
)

func exitCode(err error) string {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return fmt.Sprint(exit.ExitCode())
	}
	return err.Error()
}

// mercerCommand is this test binary acting as mercer in dir.
func mercerCommand(dir string, args ...string) *exec.Cmd {
	c := exec.Command(os.Args[0], args...)
	c.Dir = dir
	c.Env = append(os.Environ(), asMercer+"=1")
	return c
}

const killSpec = `
name: killed
seed: 9
repeats: 40
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

// TestKilledAnywhere kills the program with SIGKILL at ten random moments of a
// run and goes on each time: the export is that of an undisturbed run, byte for
// byte, and so are the points that a plot shows.
func TestKilledAnywhere(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "killed.yaml"), []byte(killSpec), 0o666); err != nil {
		t.Fatal(err)
	}
	begun := time.Now()
	want := runAndExport(t, dir, "undisturbed")
	undisturbed := time.Since(begun)
	rng := rand.New(rand.NewPCG(3, 4))
	kills := 0
	for attempt := 0; kills < 10 && attempt < 100; attempt++ {
		out := fmt.Sprintf("run%d", attempt/3) // up to three kills in a row on one run
		c := mercerCommand(dir, "run", "killed.yaml", "--out", out, "--quiet")
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(rng.Float64() * 0.8 * float64(undisturbed)))
		if err := c.Process.Kill(); err != nil {
			continue // ended by itself
		}
		if err := c.Wait(); err != nil {
			kills++
		}
		if attempt%3 == 2 {
			if got := runAndExport(t, dir, out); !bytes.Equal(got, want) {
				t.Fatalf("export after kills differs:\n%s\nwant:\n%s", got, want)
			}
		}
	}
	if kills < 10 {
		t.Errorf("only %d kills met a running program", kills)
	}
}

func runAndExport(t *testing.T, dir, out string) []byte {
	t.Helper()
	if text, err := mercerCommand(dir, "run", "killed.yaml", "--out", out, "--quiet").CombinedOutput(); err != nil {
		t.Fatalf("run: %v\n%s", err, text)
	}
	text, err := mercerCommand(dir, "export", out).Output()
	if err != nil {
		t.Fatalf("export: %v", err)
	}
	files, err := filepath.Glob(filepath.Join(dir, out, results.PointsFolder, "*"))
	if err != nil || len(files) < 2 {
		t.Fatalf("%d files of points, %v", len(files), err)
	}
	for _, file := range files { // a kill while one is written may leave a hidden one
		if points, err := os.ReadFile(file); err != nil {
			t.Fatal(err)
		} else if name := filepath.Base(file); name[0] != '.' {
			text = append(append(append(text, name...), '\n'), points...)
		}
	}
	return text
}
