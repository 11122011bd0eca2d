package cmd

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
	"golang.org/x/term"

	"mercer/configs"
	"mercer/internal/claims"
	"mercer/internal/lists"
	"mercer/internal/plain"
	"mercer/report/format"
	"mercer/runner"
	"mercer/runner/adaptive"
)

// console is standard error, which no text of a program or a file steers. While a bar is
// shown, text goes above it, in place of what the terminal has echoed below it.
type console struct {
	io.Writer
	bars atomic.Pointer[mpb.Progress] // nil: no bar
}

func (c *console) Write(text []byte) (int, error) {
	shown := plain.Shown(string(text))
	if bars := c.bars.Load(); bars != nil {
		if _, err := io.WriteString(bars, "\r\x1b[K"+strings.TrimPrefix(shown, "\n")); err == nil {
			return len(text), nil
		}
	}
	_, err := io.WriteString(c.Writer, shown)
	return len(text), err
}

// columns is the width of the terminal; 0 where there is none that could show a bar.
func (c *console) columns() int {
	file, ok := c.Writer.(*os.File)
	if !ok || os.Getenv("TERM") == "dumb" {
		return 0
	}
	width, _, err := term.GetSize(int(file.Fd()))
	if err != nil {
		return 0
	}
	return width
}

// progress shows a run's state: a bar on a terminal, a line now and then
// elsewhere.
type progress struct {
	w     io.Writer
	quiet bool

	shown time.Time                // of the last plain line; zero before the first update
	last  atomic.Pointer[runState] // what the bar draws
	on    *console                 // nil: plain lines
	bars  *mpb.Progress            // nil before the first update
	bar   *mpb.Bar
}

// runState is a run's progress and when it was so.
type runState struct {
	runner.Progress
	at time.Time
}

// lineEvery is how often a plain line is printed.
const lineEvery = 10 * time.Second

func newProgress(w io.Writer, quiet bool) *progress {
	p := &progress{w: w, quiet: quiet}
	if on, ok := w.(*console); ok && !quiet && on.columns() > 0 {
		p.on = on
	}
	return p
}

// note says what a person should know, also to those who want no progress.
func (p *progress) note(text string) { fmt.Fprintln(p.w, "note:", text) }

// update is called after each fit, by one goroutine at a time.
func (p *progress) update(now runner.Progress) {
	first := p.last.Swap(&runState{now, time.Now()}) == nil
	switch {
	case p.quiet:
	case p.on != nil:
		if first {
			p.start()
		}
		p.bar.SetTotal(int64(now.Total), false) // which grows while repeats are added
		p.bar.SetCurrent(int64(now.Done))
	case first && now.Resumed > 0:
		fmt.Fprintf(p.w, "continuing: %d of %d rows are done\n", now.Resumed, now.Total)
	case now.Done == now.Total || time.Since(p.shown) >= lineEvery && !first:
		p.shown = time.Now()
		fmt.Fprintln(p.w, now)
	case first:
		p.shown = time.Now()
	}
}

// look tells what a look at the verdicts found and how far the search for targets is,
// unless nobody wants progress.
func (p *progress) look(l adaptive.Look) {
	if p.quiet {
		return
	}
	if len(l.Verdicts) > 0 {
		open := lists.Map(l.Open(), func(v claims.Verdict) string {
			return fmt.Sprintf("%s (%s): %s", v.Claim, format.ShortWhere(v.Group), v.Settle)
		})
		printOpen(p.w, fmt.Sprintf("%d repeats: %d of %d verdicts open", l.Repeats, len(open), len(l.Verdicts)), open)
	}
	if len(l.Answers) > 0 {
		var open []string
		for _, a := range l.Answers {
			if a.Open {
				open = append(open, fmt.Sprintf("%s (%s): %s", a.Target, format.ShortWhere(a.Group.With(a.Over, configs.NumberOf(a.At))), a.Interval()))
			}
		}
		printOpen(p.w, fmt.Sprintf("targets: %d of %d open", len(open), len(l.Answers)), open)
	}
}

// mostOpen is how many open verdicts, and targets, are named.
const mostOpen = 3

// printOpen prints how many are open, and the first of them in lines that a terminal has room for.
func printOpen(w io.Writer, text string, open []string) {
	lines := slices.Clone(open[:min(len(open), mostOpen)])
	if more := len(open) - len(lines); more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", more))
	}
	if len(lines) > 0 {
		text += ":"
	}
	for _, line := range lines {
		parts := []string{line}
		if on, ok := w.(*console); ok && on.columns() > 0 {
			parts = plain.Wrap(line, max(on.columns()-len("    "), leastBar))
		}
		text += "\n  " + strings.Join(parts, "\n    ")
	}
	fmt.Fprintln(w, text)
}

// Widths of the bar: with less room than leastBar there is none.
const (
	leastBar = 10
	mostBar  = 30
)

// start shows the bar. The goroutine that draws it takes no lock and waits for
// nobody: update waits for it.
func (p *progress) start() {
	p.bars = mpb.New(mpb.WithOutput(p.on.Writer), mpb.WithWidth(mostBar))
	p.bar = p.bars.New(0, mpb.BarStyle(), mpb.BarFillerTrim(), mpb.BarFillerMiddleware(fromTheLeft),
		mpb.AppendDecorators(decor.Any(func(s decor.Statistics) string {
			last := *p.last.Load()
			if !s.Completed && !s.Aborted {
				last.Elapsed += time.Since(last.at)
			}
			return last.Progress.Within(s.AvailableWidth - 1)
		})))
	p.on.bars.Store(p.bars)
}

// fromTheLeft draws a bar from the first column, where the cursor is not after a
// Ctrl-C, and a space behind it.
func fromTheLeft(bar mpb.BarFiller) mpb.BarFiller {
	return mpb.BarFillerFunc(func(w io.Writer, s decor.Statistics) error {
		if _, err := io.WriteString(w, "\r"); err != nil {
			return err
		}
		if s.AvailableWidth -= 2; s.AvailableWidth < leastBar { // the space, and the last column
			return nil
		}
		if err := bar.Fill(w, s); err != nil {
			return err
		}
		_, err := io.WriteString(w, " ")
		return err
	})
}

// close ends the display.
func (p *progress) close() {
	if p.bar == nil {
		return
	}
	if last := p.last.Load(); last.Done == last.Total {
		p.bar.SetTotal(-1, true)
	} else {
		p.bar.Abort(false)
	}
	p.bars.Wait()
	p.on.bars.Store(nil)
}
