package exec

import (
	"fmt"
	"strings"
	"sync"
	"unicode"
)

const (
	// maxAnswer is how many bytes a program may print on standard output.
	maxAnswer = 4 << 20
	// maxStderr is how many of the last bytes on standard error are kept.
	maxStderr = 4 << 10
)

// head keeps the first maxAnswer bytes written to it and calls over once there
// are more. It may be asked while it is written to.
type head struct {
	mu   sync.Mutex
	data []byte
	more bool
	over func()
}

func (h *head) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	room := maxAnswer - len(h.data)
	h.data = append(h.data, p[:min(room, len(p))]...)
	if len(p) > room && !h.more {
		h.more = true
		h.over()
	}
	return len(p), nil
}

func (h *head) overflowed() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.more
}

func (h *head) bytes() []byte {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.data
}

// tail keeps the last maxStderr bytes written to it.
type tail struct {
	mu   sync.Mutex
	data []byte
	cut  bool
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	written := len(p)
	p = p[max(0, len(p)-maxStderr):]
	t.data = append(t.data, p...)
	if extra := len(t.data) - maxStderr; extra > 0 || len(p) < written {
		t.data, t.cut = append(t.data[:0], t.data[max(0, extra):]...), true
	}
	return written, nil
}

// text is what was kept, fit for a record: the lines that say something, joined
// by " | ", without control characters, the scratch directory (which differs from
// run to run) by its name.
func (t *tail) text(scratch string) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := strings.ReplaceAll(strings.ToValidUTF8(string(t.data), "\uFFFD"), scratch, "{scratch}")
	var lines []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(strings.Map(func(r rune) rune {
			if unicode.IsControl(r) {
				return ' '
			}
			return r
		}, line))
		if line != "" {
			lines = append(lines, line)
		}
	}
	text = strings.Join(lines, " | ")
	if t.cut && len(text) <= maxStderr {
		return "… " + text
	}
	return Shorten(text, maxStderr)
}

// Shorten keeps the end of a text, which is where programs say what went wrong.
func Shorten(text string, limit int) string {
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
