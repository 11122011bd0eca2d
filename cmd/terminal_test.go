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
	"strconv"
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
	screen  *screen
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
	term := &terminal{t: t, program: c, tty: tty, shown: make(chan []byte, 1<<16), screen: &screen{columns: columns}}
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
				x.t.Fatalf("%v ended without %q:\n%s", x.program.Args[1:], pattern, x.screen)
			}
			x.all.Write(text)
			if err := x.screen.show(text); err != nil {
				x.t.Fatalf("%v: %v", x.program.Args[1:], err)
			}
		case <-time.After(hang):
			_ = x.program.Process.Kill()
			x.t.Fatalf("%v hangs:\n%s", x.program.Args[1:], x.screen)
		}
	}
}

// ends reads to the end and checks the exit code.
func (x *terminal) ends(code int) {
	x.t.Helper()
	x.until("")
	_ = x.program.Wait()
	if got := x.program.ProcessState.ExitCode(); got != code {
		x.t.Errorf("%v: exit code %d, want %d\n%s", x.program.Args[1:], got, code, x.screen)
	}
}

func (x *terminal) press(key string) {
	x.t.Helper()
	if _, err := io.WriteString(x.tty, key); err != nil {
		x.t.Fatal(err)
	}
}

// screen is what a terminal shows of the text that it gets.
type screen struct {
	columns    int
	rows       []row
	at, column int
	unfinished []byte // escape sequence or character
}

type row struct {
	text    []rune
	wrapped bool // goes on in the next one
}

var escape = regexp.MustCompile(`^\x1b\[([0-9]*)([A-Za-z])`)

func (s *screen) show(text []byte) error {
	text = append(s.unfinished, text...)
	s.unfinished = nil
	for len(text) > 0 {
		for len(s.rows) <= s.at {
			s.rows = append(s.rows, row{})
		}
		if text[0] != '\x1b' {
			if !utf8.FullRune(text) {
				s.unfinished = slices.Clone(text)
				return nil
			}
			c, size := utf8.DecodeRune(text)
			s.put(c)
			text = text[size:]
			continue
		}
		match := escape.FindSubmatch(text)
		if match == nil && len(text) < 8 {
			s.unfinished = slices.Clone(text)
			return nil
		}
		if match == nil {
			return fmt.Errorf("a sequence that no bar needs: %q", text[:8])
		}
		if err := s.control(match[2][0], string(match[1])); err != nil {
			return err
		}
		text = text[len(match[0]):]
	}
	return nil
}

func (s *screen) put(c rune) {
	switch {
	case c == '\r':
		s.column = 0
	case c == '\n':
		s.at++
	default:
		if s.column == s.columns {
			s.rows[s.at].wrapped = true
			s.at, s.column = s.at+1, 0
			if len(s.rows) <= s.at {
				s.rows = append(s.rows, row{})
			}
		}
		r := &s.rows[s.at]
		for len(r.text) <= s.column {
			r.text = append(r.text, ' ')
		}
		r.text[s.column] = c
		s.column++
	}
}

func (s *screen) control(command byte, number string) error {
	cut := func(r *row) {
		r.text, r.wrapped = r.text[:min(s.column, len(r.text))], false
	}
	switch command {
	case 'A':
		n, err := strconv.Atoi(number)
		if err != nil {
			n = 1
		}
		s.at = max(0, s.at-n)
	case 'J':
		cut(&s.rows[s.at])
		s.rows = s.rows[:s.at+1]
	case 'K':
		cut(&s.rows[s.at])
	default:
		return fmt.Errorf("the sequence ESC [ %s %c is none that a bar needs", number, command)
	}
	return nil
}

// lines are the lines that were printed, whether the screen has room for them or not.
func (s *screen) lines() []string {
	var lines []string
	goesOn := false
	for _, r := range s.rows {
		if !goesOn {
			lines = append(lines, "")
		}
		lines[len(lines)-1] += string(r.text)
		goesOn = r.wrapped
	}
	return lines
}

func (s *screen) String() string {
	var b strings.Builder
	for _, r := range s.rows {
		fmt.Fprintf(&b, "|%-*s|\n", s.columns, string(r.text))
	}
	return b.String()
}

// bar checks that the screen has one state of the run, on a row of its own.
func (x *terminal) bar(pattern string) {
	x.t.Helper()
	var states []string
	for _, r := range x.screen.rows {
		if strings.Contains(string(r.text), "/24000") || strings.Contains(string(r.text), "[=") {
			states = append(states, string(r.text))
		}
		if strings.Contains(string(r.text), "/24000") && r.wrapped {
			x.t.Errorf("the state is longer than a row:\n%s", x.screen)
		}
	}
	if len(states) != 1 || !regexp.MustCompile(pattern).MatchString(states[0]) {
		x.t.Errorf("states %q, want one, %s\n%s", states, pattern, x.screen)
	}
}

// said checks that a line is on the screen, in full and alone.
func (x *terminal) said(pattern string) {
	x.t.Helper()
	if !slices.ContainsFunc(x.screen.lines(), regexp.MustCompile("^(?:"+pattern+")$").MatchString) {
		x.t.Errorf("no line %s on the screen\n%s", pattern, x.screen)
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
  - {id: sketch, use: gaussian-sketch}
measure: [recon_h]
`

// TestTerminal runs thousands of fast records in a terminal, stops them by Ctrl-C and
// goes on. The screen shows one state, that of the end, and each message in full.
func TestTerminal(t *testing.T) {
	for _, columns := range []int{80, 40} {
		t.Run(fmt.Sprint(columns), func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "fast.yaml"), []byte(fastSpec), 0o666); err != nil {
				t.Fatal(err)
			}
			x := inTerminal(t, columns, mercerCommand(dir, "run", "fast.yaml", "--out", "out"))
			x.until(`[1-9][0-9]*/24000`)
			x.press("\x03")
			x.ends(exitInterrupted)
			x.said("stopping; a run first finishes and stores its current work\\. .* is done again next time")
			x.said("stopped with [0-9]+ of 24000 rows; to continue: mercer run fast.yaml --profile paper --out out")
			x.bar(`[1-9][0-9]*/24000( rows)?, `)

			x = inTerminal(t, columns, mercerCommand(dir, "run", "fast.yaml", "--out", "out"))
			x.ends(exitOK)
			x.bar(`24000/24000( rows)?, took `)
			x.said("report: out/report/index.html")

			x = inTerminal(t, columns, mercerCommand(dir, "run", "fast.yaml", "--out", "out")) // nothing is left to do
			x.ends(exitOK)
			x.bar(`24000/24000( rows)?, took `)
		})
	}
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
		{80, "", []string{`\| 20 +\| Nyström +\| 0\.[0-9]+ \+/- 0\.[0-9]+ +\|`, `next: mercer export out --format latex --metrics [a-z_0-9,]+ > tables.tex`}, `verdict|target`},
		{80, claims, []string{`\| 20 +\| Nyström +\| 0\..*`, `\| close +\|.* holds +\|`}, `target`},
		{80, targets, []string{`\| close +\|.*\| not decided between 5 and 20 \| 2 +\|.*`, `  close \(poly2, series\), n=60: m in \[5, 20\], needs 8 repeats at m=[0-9]+`}, `verdict|recon_h|claims`},
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
		for _, r := range x.screen.rows {
			line := string(r.text)
			if r.wrapped && !regexp.MustCompile("^(figure|next): ").MatchString(line) || regexp.MustCompile(test.not).MatchString(line) {
				t.Errorf("%q: line %q\n%s", test.rest, line, x.screen)
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
		x.said("avila: trying https://archive.ics.uci.edu/static/public/459/avila.zip.*")
		x.said("avila: no: .*Forbidden")

		x = get(columns)
		c := <-asked
		x.press("\x03")
		x.ends(exitInterrupted)
		x.said(".*stopped; to continue, give the same command again")
		c.Close()
	}
}
