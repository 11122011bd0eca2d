//go:build unix

package exec

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// serving is a shell's loop that serves fits: it does what a case of the seed in hand
// says and answers with the number of its process and how many fits it has served.
func serving(t *testing.T, cases string) *Command {
	t.Helper()
	c := bare(t, `fits=0
while echo '`+readyLine+`'; read -r request; do
	fits=$((fits + 1))
	case $request in `+cases+` esac
	echo '{"coef":[[1]],"values":['$$'],"iterations":'$fits'}'
done`)
	c.Timeout = time.Minute
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

// seeded has a program serve a fit with a seed.
func seeded(ctx context.Context, programs *Command, seed int32) (Answer, error) {
	p, err := programs.Take(ctx, 1)
	if err != nil {
		return Answer{}, err
	}
	r := request()
	r.Seed = seed
	answer, err := p.Ask(ctx, r, keys, nil)
	return answer, errors.Join(err, p.Put())
}

// TestServe: one process serves one fit after another. What it says on standard error
// belongs to the fit in hand, files of a fit are gone at the next, and those of $TMPDIR
// stay.
func TestServe(t *testing.T) {
	noneLeft(t)
	programs := serving(t, `
		*'"seed":1,'*) echo one >&2; echo > of-a-fit; echo > "$TMPDIR/of-all";;
		*'"seed":2,'*) test -e of-a-fit && exit 7; test -e "$TMPDIR/of-all" || exit 8;;
		*'"seed":3,'*) echo three >&2;;`)
	pid := 0.0
	for i, stderr := range []string{"stderr: one", "", "stderr: three"} {
		answer, err := seeded(context.Background(), programs, int32(i+1))
		if err != nil {
			t.Fatal(err)
		}
		served := answer.Arrays["values"].At(0, 0)
		if pid == 0 {
			pid = served
		}
		if answer.Iterations != i+1 || served != pid || strings.Join(answer.Warnings, "") != stderr {
			t.Errorf("fit %d: %d-th of process %v, warnings %q, want %q", i+1, answer.Iterations, served, answer.Warnings, stderr)
		}
	}
}

// TestDeadWhileIdle: a program that ended between two fits fails none of them.
func TestDeadWhileIdle(t *testing.T) {
	noneLeft(t)
	programs := serving(t, ``)
	for range 3 {
		answer, err := seeded(context.Background(), programs, 1)
		if err != nil || answer.Iterations != 1 {
			t.Fatalf("error %v, the %d-th fit of its process", err, answer.Iterations)
		}
		idle := programs.idle[0]
		if err := idle.child.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		<-idle.gone
	}
}

// TestPrintsWhileIdle: a program that prints an answer when it has answered, as a process
// that it forked would, serves no other fit.
func TestPrintsWhileIdle(t *testing.T) {
	noneLeft(t)
	programs := serving(t, `*'"seed":1,'*) (sleep 0.1; echo '{"coef":[[1]],"values":[0]}') &;;`)
	if _, err := seeded(context.Background(), programs, 1); err != nil {
		t.Fatal(err)
	}
	first := programs.idle[0]
	for range 1000 {
		p, err := programs.Take(context.Background(), 1)
		if err == nil {
			err = p.Put()
		}
		if err != nil {
			t.Fatal(err)
		}
		if p != first {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Error("the program is used after 10 s")
}

// TestSideBySide: goroutines that fit at once have programs of their own, with the
// threads that they ask for; idle ones stay where others are asked for.
func TestSideBySide(t *testing.T) {
	noneLeft(t)
	programs := serving(t, ``)
	taken := map[*Program]bool{}
	for _, threads := range []int{1, 1, 3} {
		p, err := programs.Take(context.Background(), threads)
		if err != nil {
			t.Fatal(err)
		}
		if taken[p] || p.threads != threads {
			t.Errorf("a program with %d threads, want %d; in use already: %v", p.threads, threads, taken[p])
		}
		taken[p] = true
	}
	for p := range taken {
		if err := p.Put(); err != nil {
			t.Error(err)
		}
	}
	for _, threads := range []int{3, 1, 3, 1} {
		p, err := programs.Take(context.Background(), threads)
		if err != nil || !taken[p] || p.threads != threads {
			t.Errorf("error %v, one of the idle programs with %d threads: %v", err, threads, taken[p])
		}
		if err := p.Put(); err != nil {
			t.Error(err)
		}
	}
}

// TestStartFails: a program that does not get ready fails its fit with the reason, and
// nothing is left.
func TestStartFails(t *testing.T) {
	noneLeft(t)
	for _, c := range []struct{ script, says string }{
		{`read -r request; echo x`, "the program did not print the line " + readyLine + " within 200ms of its start"},
		{`echo Loading >&2; echo Hello; sleep 600`, "the program printed `Hello` on standard output, where the line " + readyLine + " must be (print all else on standard error); stderr: Loading"},
		{`echo '{"ready":1}'`, "the program is for protocol 1: want 2"},
		{`exit 0`, "the program ended before it printed the line"},
		{`echo 'no numpy' >&2; exit 3`, "the program failed: exit status 3; stderr: no numpy"},
	} {
		command := bare(t, c.script)
		if strings.Contains(c.says, "within") {
			command.StartLimit = 200 * time.Millisecond
		}
		if _, err := fit(context.Background(), command); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: error %v, want one that says %q", c.script, err, c.says)
		}
	}
}

// TestEndOfInput: a program that is ready ends by the end of its input, and has time
// to put its things away.
func TestEndOfInput(t *testing.T) {
	out := filepath.Join(t.TempDir(), "pid")
	command := shell(t, `read -r request || { sleep 0.1; echo $$ > "$OUT"; }`)
	command.Env["OUT"] = out
	p, err := command.start(context.Background(), 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.close(); err != nil {
		t.Error(err)
	}
	if text, err := os.ReadFile(out); string(text) != fmt.Sprintln(p.child.Process.Pid) {
		t.Errorf("the program was killed: %q, %v", text, err)
	}
}
