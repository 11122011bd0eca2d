//go:build unix

package exec

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// shell is a command that says that it is ready and then runs a script with sh.
func shell(t *testing.T, script string) *Command {
	t.Helper()
	return bare(t, "echo '"+readyLine+"'; "+script)
}

// bare is a command that runs a script with sh.
func bare(t *testing.T, script string) *Command {
	t.Helper()
	c, err := Find(".", []string{"sh", "-c", script}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// fit starts a program, has it serve one fit, and ends it.
func fit(ctx context.Context, c *Command) (Answer, error) {
	p, err := c.start(ctx, 1)
	if err != nil {
		return Answer{}, err
	}
	answer, err := p.Ask(ctx, request(), keys, nil)
	return answer, errors.Join(err, p.close())
}

// noneLeft points $TMPDIR to a directory that must be empty at the end.
func noneLeft(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	t.Cleanup(func() {
		if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) > 0 {
			t.Errorf("left in $TMPDIR: %q", left)
		}
	})
}

// scratch is a directory that is gone at the end of the test.
func scratch(t *testing.T) *Scratch {
	t.Helper()
	s, err := NewScratch()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Remove(); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(s.dir); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s is left: %v", s.dir, err)
		}
	})
	return s
}

func request() Request {
	return Request{Model: "subspace", X: "X.npy", N: 2, Dim: 1, Fit: &Fit{Kernel: map[string]any{"name": "gaussian", "formula": "", "gamma": 0.5}, Threads: 1}}
}

// TestRun runs programs that do well, each in its way.
func TestRun(t *testing.T) {
	cases := map[string]struct{ script, stderr string }{
		"reads the request":               {`read -r line && case $line in *'"formula":""'*'"gamma":0.5'*) echo '` + answered + `';; esac`, ""},
		"reads nothing":                   {`echo '` + answered + `'`, ""},
		"closes standard input at once":   {`exec <&-; sleep 0.1; echo '` + answered + `'`, ""},
		"no newline":                      {`printf '%s' '` + answered + `'`, ""},
		"newline as on Windows":           {`printf '%s\r\n' '` + answered + `'`, ""},
		"complains":                       {`read -r request; echo 'one  warning' >&2; printf '\033[1mat %s\n' "$PWD" >&2; echo '` + answered + `'`, "stderr: one warning | �[1mat {scratch}"},
		"starts something that soon ends": {`sleep 0.2 & echo '` + answered + `'`, ""},
		"runs in the scratch directory":   {`test "$(ls)" = tmp && test "$TMPDIR" = "$PWD/tmp" && test "$OMP_NUM_THREADS" = 1 && echo '` + answered + `'`, ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			answer, err := fit(context.Background(), shell(t, c.script))
			if err != nil {
				t.Fatal(err)
			}
			if answer.Arrays["coef"].At(1, 0) != 2 || strings.Join(answer.Warnings, "") != c.stderr {
				t.Errorf("answer %+v, warnings %q, want %q", answer, answer.Warnings, c.stderr)
			}
		})
	}
}

// TestRunFails runs programs that fail, each in its way: the reason says what
// happened, within the time that the program is given, and nothing is left.
func TestRunFails(t *testing.T) {
	cases := map[string]struct{ script, says string }{
		"exit status":             {`read -r request; echo 'no such thing' >&2; exit 3`, "the program failed: exit status 3; stderr: no such thing"},
		"exception":               {`read -r request; printf 'Traceback (most recent call last):\n File "a"\nIndexError: of -1\n' >&2; exit 1`, `exit status 1: IndexError: of -1; stderr: Traceback (most recent call last): | File "a" | IndexError: of -1`},
		"exit status, answer":     {`echo '` + answered + `'; exit 1`, "exit status 1"},
		"signal":                  {`kill -SEGV $$`, "killed by a signal: signal: segmentation fault"},
		"killed by someone else":  {`kill -KILL $$`, "killed by a signal: signal: killed"},
		"terminated by someone":   {`kill -TERM $$`, "killed by a signal: signal: terminated"},
		"nothing":                 {`:`, "the program ended without an answer"},
		"blank line":              {`echo; echo`, "printed an empty line"},
		"rubbish":                 {`echo Loading model...`, "answer `Loading model...` is no JSON object"},
		"two lines":               {`echo Loading; echo '` + answered + `'`, "answer `Loading` is no JSON object"},
		"two answers":             {`echo '` + answered + `'; echo '` + answered + `'`, "where the line " + readyLine + " must be"},
		"another protocol":        {`echo '` + answered + `'; echo '{"ready":3}'`, "the program is for protocol 3: want 2"},
		"not quite ready":         {`echo '` + answered + `'; echo '{"ready":2,"more":1}'`, "where the line"},
		"an error":                {`read -r request; echo '{"error":"singular  matrix"}'; echo why >&2`, "the program reports: singular matrix; stderr: why"},
		"closes its output":       {`exec >&-; sleep 600`, "closed its standard output and did not end"},
		"cut short":               {`echo '{"values":[1],'`, "unexpected EOF"},
		"huge output":             {`yes | tr -d '\n'`, "more than 4 MiB on standard output"},
		"huge output, then ends":  {`head -c 5000000 /dev/zero`, "more than 4 MiB on standard output"},
		"hangs":                   {`sleep 600`, "no answer within timeout: 1s"},
		"hangs after its answer":  {`echo '` + answered + `'; sleep 600`, "no answer within timeout: 1s"},
		"ignores signals":         {`trap '' TERM INT HUP; while :; do sleep 1; done`, "no answer within timeout: 1s"},
		"never stops complaining": {`read -r request; yes 'it hurts' >&2`, "no answer within timeout: 1s; the program and all it started were killed; stderr: … "},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			late := strings.Contains(c.says, "timeout")
			command := shell(t, c.script)
			if command.Timeout = time.Minute; late {
				command.Timeout = time.Second
			}
			_, err := fit(context.Background(), command)
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("error %v, want one that says %q", err, c.says)
			}
			if errors.Is(err, context.DeadlineExceeded) != late {
				t.Errorf("error %v is a deadline exceeded: %v, want %v", err, !late, late)
			}
			if err != nil && len(err.Error()) > maxStderr+200 {
				t.Errorf("a reason of %d bytes", len(err.Error()))
			}
		})
	}
}

// gone waits until a process does not run any more. As its parent is gone, too,
// it is taken over by the system, which may keep it as a zombie for a while.
func gone(t *testing.T, pid int) {
	t.Helper()
	for range 100 {
		state, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
		if syscall.Kill(pid, 0) != nil || err == nil && strings.Contains(string(state), ") Z ") {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Errorf("process %d is still there", pid)
}

func pidIn(t *testing.T, path string) int {
	t.Helper()
	for range 250 {
		text, _ := os.ReadFile(path)
		if pid, err := strconv.Atoi(strings.TrimSpace(string(text))); err == nil && strings.HasSuffix(string(text), "\n") {
			return pid
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatalf("no process number in %s", path)
	return 0
}

// TestGrandchildren: what a program started is killed with it, when it hangs and
// when it ended well but left something behind, with its output open or not.
func TestGrandchildren(t *testing.T) {
	for name, c := range map[string]struct{ script, says string }{
		"hang together":         {`sleep 600 & echo $! > "$OUT"; wait`, "no answer within"},
		"hold the pipe open":    {`sleep 600 & echo $! > "$OUT"; echo '` + answered + `'`, ""},
		"left without any pipe": {`sleep 600 <&- >&- 2>&- & echo $! > "$OUT"; echo '` + answered + `'`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			command := shell(t, c.script)
			out := filepath.Join(t.TempDir(), "pid")
			command.Timeout, command.Env["OUT"] = time.Minute, out
			if c.says != "" {
				command.Timeout = time.Second
			}
			_, err := fit(context.Background(), command)
			if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
				t.Errorf("error %v, want one that says %q", err, c.says)
			}
			gone(t, pidIn(t, out))
		})
	}
}

// TestCancel: the end of the context kills the program at once.
func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	command, out := shell(t, `echo $$ > "$OUT"; sleep 600`), filepath.Join(t.TempDir(), "pid")
	command.Env["OUT"] = out
	failed := make(chan error)
	go func() {
		_, err := fit(ctx, command)
		failed <- err
	}()
	pid := pidIn(t, out)
	cancel()
	if err := <-failed; !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
	if err := syscall.Kill(pid, 0); err == nil {
		t.Errorf("process %d is still there, or a zombie", pid)
	}
}

// TestTerminated: a program that is terminated a moment before the run is stopped
// has not failed.
func TestTerminated(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	command := shell(t, `kill -TERM $$`)
	go func() {
		time.Sleep(ownTurn / 4)
		cancel()
	}()
	if _, err := fit(ctx, command); !errors.Is(err, context.Canceled) {
		t.Errorf("terminated right before the run was stopped: %v", err)
	}
}

// TestEditedProgram: a program that is edited while a run goes on is not run
// under the old key; one that is only touched is.
func TestEditedProgram(t *testing.T) {
	dir := t.TempDir()
	script := filepath.Join(dir, "program.sh")
	write := func(text string) {
		if err := os.WriteFile(script, []byte("#!/bin/sh\n"+text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write("echo '" + readyLine + "'; read -r request\n")
	command, err := Find(dir, []string{"./program.sh"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer command.Close()
	if err := os.Chtimes(script, time.Time{}, time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	p, err := command.Take(context.Background(), 1)
	if err != nil {
		t.Fatalf("touched: %v", err)
	}
	if err := p.Put(); err != nil {
		t.Error(err)
	}
	write("echo other\n")
	if _, err := command.Take(context.Background(), 1); err == nil || !strings.Contains(err.Error(), "./program.sh has changed since this run began") {
		t.Errorf("edited: %v", err)
	}
}
