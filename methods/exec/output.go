package exec

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"mercer/internal/plain"
)

const (
	// maxAnswer is how many bytes an answer may have.
	maxAnswer = 4 << 20
	// maxStderr is how many of the last bytes on standard error are kept.
	maxStderr = 4 << 10
)

// line is one that a program printed, or why there is none.
type line struct {
	text []byte // without its end
	err  error
}

// readLines sends the lines that it reads until there are no more, and closes the
// channel. One of more than maxAnswer bytes is the last.
func readLines(from io.Reader, to chan<- line) {
	defer close(to)
	lines := bufio.NewScanner(from)
	lines.Buffer(nil, maxAnswer)
	for lines.Scan() {
		to <- line{text: bytes.Clone(lines.Bytes())}
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		to <- line{err: fmt.Errorf("the program printed more than %d MiB on standard output; it was killed: give arrays as files", maxAnswer>>20)}
	}
}

// endMark is written to the pipe of a program's standard error to learn that all that
// came before it has been read.
var endMark = []byte("\x00mercer: read up to here\x00")

// tail keeps the last maxStderr bytes written to it since forget, but for endMark,
// whose arrival it tells.
type tail struct {
	mu     sync.Mutex
	data   []byte
	cut    bool
	marked chan struct{}
}

func newTail() *tail { return &tail{marked: make(chan struct{}, 1)} }

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.data = append(t.data, p...)
	if i := bytes.Index(t.data, endMark); i >= 0 {
		t.data = slices.Delete(t.data, i, i+len(endMark))
		t.marked <- struct{}{}
	}
	if extra := len(t.data) - maxStderr; extra > 0 {
		t.data, t.cut = append(t.data[:0], t.data[extra:]...), true
	}
	return len(p), nil
}

func (t *tail) forget() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.data, t.cut = t.data[:0], false
}

// between stands between the lines of a text.
const between = " | "

// text is what was kept, fit for a record: the lines that say something, joined
// by between, as plain.Text has them, the scratch directory (which differs from
// run to run) by its name.
func (t *tail) text(scratch string) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := strings.ReplaceAll(string(t.data), scratch, "{scratch}")
	var lines []string
	for line := range strings.Lines(text) {
		if line = plain.Text(line); line != "" {
			lines = append(lines, line)
		}
	}
	text = strings.Join(lines, between)
	if t.cut && len(text) <= maxStderr {
		return "… " + text
	}
	return shorten(text, maxStderr)
}

// shorten keeps the end of a text, which is where programs say what went wrong.
func shorten(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	return "… " + strings.ToValidUTF8(text[len(text)-limit:], "")
}

// excerpt quotes the beginning of what a program printed.
func excerpt(data []byte) string {
	const limit = 80
	if len(data) > limit {
		return fmt.Sprintf("%#q…", data[:limit])
	}
	return fmt.Sprintf("%#q", data)
}
