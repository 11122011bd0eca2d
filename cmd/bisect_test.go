//go:build system && linux

package cmd

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mercer/runner/bisect"
)

// toySpec has one method, a program that reads the environment of mercer.
const toySpec = `
name: toy
seed: 1
repeats: 2
datasets: [{id: sphere, use: sphere, d: 2, population: {held_out: 50}}]
kernels: [{id: gauss, use: gaussian, form: two-sigma-squared, sigma: 1}]
grid: {n: 20, ell: 1}
methods: [{id: toy, use: exec, command: [sh, "{dir}/toy.sh"], model: subspace}]
measure: [recon_h, time]
`

// toyProgram answers with the function of one point of the sample: of the first, or of
// another if a commit says so.
const toyProgram = `
while echo '{"ready":2}'; read -r request; do
	sleep "$TOY_SECONDS"
	awk -v at="$TOY_POINT" 'BEGIN { printf "{\"values\": [1], \"coef\": ["; for (i = 1; i <= 20; i++) printf "%s[%d]", (i > 1 ? ", " : ""), i == at; print "]}" }'
done
`

// toyBuild makes a mercer that passes on what the commit says. Commits without a file
// "point" cannot be built.
const toyBuild = `set -e
point=$(cat point)
printf '#!/bin/sh\nTOY_POINT=%s TOY_SECONDS=%s exec "$TOY_MERCER" "$@"\n' "$point" "$(cat seconds)" > mercer
chmod +x mercer
`

// toy is a repository of commits 0 … last, each with the files that it is given.
type toy struct {
	*testing.T
	dir, spec string
	hashes    []string
}

func newToy(t *testing.T, last int, files func(commit int) map[string]string) *toy {
	t.Helper()
	x := &toy{T: t, dir: t.TempDir()}
	specs := t.TempDir()
	x.spec = filepath.Join(specs, "toy.yaml")
	for name, text := range map[string]string{x.spec: toySpec, filepath.Join(specs, "toy.sh"): toyProgram, filepath.Join(x.dir, "build.sh"): toyBuild} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	x.git("init", "--quiet")
	for commit := range last + 1 {
		_ = os.Remove(filepath.Join(x.dir, "point"))
		for name, text := range files(commit) {
			if err := os.WriteFile(filepath.Join(x.dir, name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		x.git("add", "--all")
		x.git("-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "--quiet", "--allow-empty", "--message", fmt.Sprint("commit ", commit))
		x.hashes = append(x.hashes, x.git("rev-parse", "HEAD"))
	}
	return x
}

func (x *toy) git(args ...string) string {
	x.Helper()
	c := exec.Command("git", args...)
	c.Dir = x.dir
	text, err := c.CombinedOutput()
	if err != nil {
		x.Fatalf("git %v: %v\n%s", args, err, text)
	}
	return strings.TrimSpace(string(text))
}

func (x *toy) command(args ...string) *exec.Cmd {
	c := mercerCommand(x.dir, append(append([]string{"bisect"}, args...), x.spec, "--", "sh", "build.sh")...)
	c.Env = append(c.Env, "TOY_MERCER="+os.Args[0])
	return c
}

// searchTime is how long a search may take, half a minute on an idle machine. Where others
// disturb the times a step looks at them three times, in 112 runs.
const searchTime = 9 * time.Minute

func load() string {
	text, _ := os.ReadFile("/proc/loadavg")
	return "load " + strings.TrimSpace(string(text))
}

// bisect runs the command, and checks that it leaves nothing.
func (x *toy) bisect(code string, args ...string) bisect.Answer {
	x.Helper()
	limited, stop := context.WithTimeout(x.Context(), searchTime)
	defer stop()
	toy := x.command(append([]string{"--json", "--good", x.hashes[0]}, args...)...)
	c := exec.CommandContext(limited, toy.Path, toy.Args[1:]...)
	c.Cancel, c.WaitDelay = func() error { return c.Process.Signal(os.Interrupt) }, 30*time.Second
	temp := x.TempDir()
	c.Dir, c.Env = toy.Dir, append(toy.Env, "TMPDIR="+temp)
	var stderr strings.Builder
	c.Stderr = &stderr
	text, err := c.Output()
	if limited.Err() != nil {
		x.Fatalf("no answer within %v, on a machine with %s; so far:\n%s", searchTime, load(), &stderr)
	}
	got := "0"
	if err != nil {
		got = exitCode(err)
	}
	if got != code {
		x.Fatalf("exit code %s, want %s\n%s%s", got, code, text, &stderr)
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		x.Errorf("left behind: %v %v", left, err)
	}
	if trees := x.git("worktree", "list"); strings.Contains(trees, "\n") {
		x.Errorf("checkouts are left:\n%s", trees)
	}
	var a bisect.Answer
	if err := json.Unmarshal(text, &a); err != nil {
		x.Fatalf("%v\n%s%s", err, text, &stderr)
	}
	return a
}

// TestBisectNumbers: of 32 commits the one that changes a number is found with at most 8
// builds, wherever it is; where its neighbours cannot be built the answer is a range.
func TestBisectNumbers(t *testing.T) {
	const last = 32
	for _, planted := range []int{1, 17, last} {
		x := newToy(t, last, func(commit int) map[string]string {
			files := map[string]string{"point": "1", "seconds": "0"}
			if commit >= planted {
				files["point"] = "2"
			}
			return files
		})
		a := x.bisect("0")
		if len(a.Suspects) != 1 || a.Suspects[0].Hash != x.hashes[planted] || a.By != "numbers" || a.Confidence != 1 || a.Builds > 8 {
			t.Errorf("commit %d is planted: %+v", planted, a)
		}
	}
	x := newToy(t, last, func(commit int) map[string]string {
		files := map[string]string{"seconds": "0", "point": "1"}
		if commit >= 17 {
			files["point"] = "2"
		}
		if commit == 16 || commit == 17 {
			delete(files, "point")
		}
		return files
	})
	a := x.bisect("5")
	if len(a.Suspects) != 3 || a.Suspects[0].Hash != x.hashes[16] || a.Suspects[2].Hash != x.hashes[18] {
		t.Errorf("commits 16 and 17 cannot be built: %+v", a.Suspects)
	}
}

// TestBisectTimes: a commit that makes a fit 0.1 s longer is found.
func TestBisectTimes(t *testing.T) {
	const last, planted = 4, 2
	x := newToy(t, last, func(commit int) map[string]string {
		files := map[string]string{"point": "1", "seconds": "0.05"}
		if commit >= planted {
			files["seconds"] = "0.15"
		}
		return files
	})
	a := x.bisect("0", "--slower", "1.5", "--confidence", "0.8")
	if len(a.Suspects) != 1 || a.Suspects[0].Hash != x.hashes[planted] || a.By != "times" || a.Confidence != 0.8 || a.Builds > 4 {
		t.Errorf("%+v", a)
	}
}

// TestBisectRefuses: ends that do not differ, in numbers or in anything that is measured,
// and what is no question.
func TestBisectRefuses(t *testing.T) {
	x := newToy(t, 3, func(int) map[string]string { return map[string]string{"point": "1", "seconds": "0.05"} })
	if a := x.bisect("5", "--slower", "3"); a.By != "" || len(a.Trials) != 2 || len(a.Suspects) != 3 {
		t.Errorf("the ends are alike: %+v", a)
	}
	for message, args := range map[string][]string{
		"--good is missing":                   {},
		`"nosuch" is no commit of`:            {"--good", "nosuch"},
		"give the older one as --good":        {"--good", x.hashes[3], "--bad", x.hashes[0]},
		"must be a path within the checkout":  {"--good", x.hashes[0], "--program", "../mercer"},
		`unknown profile "quick"`:             {"--good", x.hashes[0], "--profile", "quick"},
		"--confidence 2: must be between 0.5": {"--good", x.hashes[0], "--confidence", "2"},
	} {
		if text, err := x.command(args...).CombinedOutput(); exitCode(err) != "2" || !strings.Contains(string(text), message) {
			t.Errorf("%v: %v\n%swant %s", args, err, text, message)
		}
	}
	c := x.command("--good", x.hashes[0], "--program", "nothing")
	if text, err := c.CombinedOutput(); exitCode(err) != "1" || !strings.Contains(string(text), "made no nothing: name the program by --program") {
		t.Errorf("%v\n%s", err, text)
	}
}

// TestBisectStopped: Ctrl-C removes the checkout.
func TestBisectStopped(t *testing.T) {
	x := newToy(t, 8, func(commit int) map[string]string {
		return map[string]string{"point": "1", "seconds": fmt.Sprint(0.1 * float64(1+commit))}
	})
	c := x.command("--good", x.hashes[0])
	temp := t.TempDir()
	c.Env = append(c.Env, "TMPDIR="+temp)
	tty := inTerminal(t, 80, c)
	tty.until("times are compared")
	tty.press("\x03")
	tty.ends(exitInterrupted)
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
	if trees := x.git("worktree", "list"); strings.Contains(trees, "\n") {
		t.Errorf("checkouts are left:\n%s", trees)
	}
}
