//go:build linux

package cmd

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

// hang is how long a program may stay silent before a test calls it hung: far more
// than it takes on a machine that is busy with other work.
const hang = 2 * time.Minute

// terminal is mercer in a pseudo-terminal, and what it shows.
type terminal struct {
	t       *testing.T
	program *exec.Cmd
	tty     *os.File
	shown   chan []byte // nothing waits for the test to read it
	all     bytes.Buffer
}

func inTerminal(t *testing.T, columns int, c *exec.Cmd) *terminal {
	t.Helper()
	c.Env = append(c.Env, "TERM=xterm", "NO_COLOR=1")
	tty, err := pty.StartWithSize(c, &pty.Winsize{Rows: 50, Cols: uint16(columns)})
	if err != nil {
		t.Fatal(err)
	}
	// Ctrl-C throws away what was printed and not read, after it sends its signal: an
	// answer that is fast enough would be lost.
	mode, err := unix.IoctlGetTermios(int(tty.Fd()), unix.TCGETS)
	if err != nil {
		t.Fatal(err)
	}
	mode.Lflag |= unix.NOFLSH
	if err := unix.IoctlSetTermios(int(tty.Fd()), unix.TCSETS, mode); err != nil {
		t.Fatal(err)
	}
	term := &terminal{t: t, program: c, tty: tty, shown: make(chan []byte, 1<<16)}
	t.Cleanup(func() { tty.Close() })
	go func() {
		defer close(term.shown)
		for {
			text := make([]byte, 4096)
			n, err := tty.Read(text)
			if n > 0 {
				term.shown <- text[:n]
			}
			if err != nil { // the program has ended
				return
			}
		}
	}()
	return term
}

// until reads until all that was shown matches, or to the program's end where the
// pattern is empty.
func (x *terminal) until(pattern string) {
	x.t.Helper()
	for pattern == "" || !regexp.MustCompile(pattern).Match(x.all.Bytes()) {
		select {
		case text, more := <-x.shown:
			if !more && pattern == "" {
				return
			}
			if !more {
				x.t.Fatalf("%v ended without %q:\n%s", x.program.Args[1:], pattern, x.all.String())
			}
			x.all.Write(text)
		case <-time.After(hang):
			_ = x.program.Process.Kill()
			x.t.Fatalf("%v hangs:\n%s", x.program.Args[1:], x.all.String())
		}
	}
}

// ends reads to the end and checks the exit code.
func (x *terminal) ends(code int) {
	x.t.Helper()
	x.until("")
	_ = x.program.Wait()
	if got := x.program.ProcessState.ExitCode(); got != code {
		x.t.Errorf("%v: exit code %d, want %d\n%s", x.program.Args[1:], got, code, x.all.String())
	}
}

func (x *terminal) press(key string) {
	x.t.Helper()
	if _, err := io.WriteString(x.tty, key); err != nil {
		x.t.Fatal(err)
	}
}

// lines are the lines that were printed.
func (x *terminal) lines() []string { return strings.Split(x.all.String(), "\r\n") }

// said checks that a line was printed, in full and alone.
func (x *terminal) said(pattern string) {
	x.t.Helper()
	if !slices.ContainsFunc(x.lines(), regexp.MustCompile("^(?:"+pattern+")$").MatchString) {
		x.t.Errorf("no line %s in\n%s", pattern, x.all.String())
	}
}

// fastSpec has 24,000 records of less than a millisecond.
const fastSpec = `
name: fast
seed: 1
repeats: 1000
datasets: [{id: poly2, use: series, decay: {power: 2}}]
grid: {n: [20, 40, 60], m: [5, 10, 15, 20], ell: [2]}
methods:
  - {id: nystrom, use: nystrom, landmarks: uniform}
  - {id: greedy, use: nystrom, landmarks: greedy}
measure: [recon_h]
`

// TestTerminal runs thousands of fast records in a terminal, stops them by Ctrl-C and
// goes on.
func TestTerminal(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "fast.yaml"), []byte(fastSpec), 0o666); err != nil {
		t.Fatal(err)
	}
	x := inTerminal(t, 80, mercerCommand(dir, "run", "fast.yaml", "--out", "out"))
	for {
		text, err := os.ReadFile(filepath.Join(dir, "out", "records.jsonl"))
		if err == nil && bytes.Count(text, []byte("\n")) > 1 {
			break
		}
		time.Sleep(time.Millisecond)
	}
	x.press("\x03")
	x.ends(exitInterrupted)
	x.said("stopping; a run first finishes and stores its current work\\. .* is done again next time")
	x.said("stopped with [0-9]+ of 24000 rows; to continue: mercer run fast.yaml --profile paper --out out")

	x = inTerminal(t, 80, mercerCommand(dir, "run", "fast.yaml", "--out", "out"))
	x.ends(exitOK)
	x.said("continuing: [1-9][0-9]* of 24000 rows are done")
	x.said("24000/24000 rows, took .*")
	x.said("report: out/report/index.html")
}

// TestAnswerInTerminal: a run with claims and one with targets alone end with their numbers,
// in tables and lines that a terminal of 80 columns has room for.
func TestAnswerInTerminal(t *testing.T) {
	spec := func(rest string) string {
		repeats := "8"
		if rest != "" {
			repeats = "{from: 4, to: 8, until: decided}"
		}
		return "name: small\nseed: 1\nrepeats: " + repeats + "\ndatasets: [{id: poly2, use: series, decay: {power: 2}}]\n" +
			"grid: {n: 60, m: [5, 20], ell: 2}\nmethods: [{id: ekpca, use: ekpca, center: none}, {id: nystrom, use: nystrom, landmarks: uniform}]\nmeasure: [recon_h]\n" + rest
	}
	claims := "claims: [{id: close, ratio: {of: recon_h, method: nystrom, to: ekpca, at_most: 3}}]"
	targets := "targets: [{id: close, find: m, over: n, such_that: {ratio: {of: recon_h, method: nystrom, to: ekpca, at_most: 1.1}}}]"
	for _, test := range []struct {
		columns int
		rest    string
		said    []string
		not     string
	}{
		{80, "", []string{`\| 20 +\| Nyström +\| 0\.[0-9]+ \+/- 0\.[0-9]+ +\|`, `next: mercer export out > numbers.csv`}, `verdict|target`},
		{40, "", []string{`\| 20 +\| Nyström +\| 0\.[0-9]+ \+/- 0\.[0-9]+ +\|`}, `verdict|target`},
		{80, claims, []string{`\| 20 +\| Nyström +\| 0\..*`, `\| close +\|.* holds +\|`}, `target`},
		{40, claims, []string{`\| 20 +\| Nyström +\|.*`, `close, .*, holds`, `  Estimate \[interval\] [0-9.]+ \[.*`}, `target|close +\|`},
		{80, targets, []string{`\| close +\|.*\| not decided between 5 and 20 \| 2 +\|.*`, `targets: 1 of 1 open`}, `verdict|recon_h|claims`},
		{40, targets, []string{`close, n = 60`, `  Interval not decided between 5 and.*`, `targets: 1 of 1 open`}, `\+--`},
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "small.yaml"), []byte(spec(test.rest)), 0o666); err != nil {
			t.Fatal(err)
		}
		x := inTerminal(t, test.columns, mercerCommand(dir, "run", "small.yaml", "--out", "out"))
		x.ends(exitOK)
		for _, line := range append(test.said, "report: out/report/index.html") {
			x.said(line)
		}
		for _, line := range x.lines() {
			if utf8.RuneCountInString(line) > test.columns && !regexp.MustCompile("^figure: ").MatchString(line) || regexp.MustCompile(test.not).MatchString(line) {
				t.Errorf("%q: line %q\n%s", test.rest, line, x.all.String())
			}
		}
	}
}

// TestDataInTerminal gets data through a proxy that refuses, and through one that is
// silent until Ctrl-C: all is said in whole lines, and nothing hangs.
func TestDataInTerminal(t *testing.T) {
	proxy, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer proxy.Close()
	asked := make(chan net.Conn, 100)
	go func() {
		for {
			c, err := proxy.Accept()
			if err != nil {
				return
			}
			asked <- c
		}
	}()
	get := func(columns int) *terminal {
		c := mercerCommand(t.TempDir(), "data", "get", "avila")
		c.Env = append(c.Env, "HTTPS_PROXY=http://"+proxy.Addr().String(), "NO_PROXY=", "MERCER_CACHE="+t.TempDir(), "MERCER_DATA=")
		return inTerminal(t, columns, c)
	}
	for _, columns := range []int{80, 40} {
		x := get(columns)
		for range 2 { // sources
			c := <-asked
			fmt.Fprint(c, "HTTP/1.1 403 Forbidden\r\n\r\n")
			c.Close()
		}
		x.ends(exitFailed)
		x.said("avila: fetching https://archive.ics.uci.edu/static/public/459/avila.zip.*")
		x.said("avila: no: .*Forbidden")

		x = get(columns)
		c := <-asked
		x.press("\x03")
		x.ends(exitInterrupted)
		x.said(".*stopped; to continue, give the same command again")
		c.Close()
	}
}
