package cmd

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
	"golang.org/x/term"

	"mercer/runner"
)

// progress shows a run's state: a bar on a terminal, a line now and then
// elsewhere.
type progress struct {
	w     io.Writer
	quiet bool

	mu    sync.Mutex
	last  runner.Progress
	shown time.Time
	bars  *mpb.Progress
	bar   *mpb.Bar
}

// lineEvery is how often a plain line is printed.
const lineEvery = 10 * time.Second

func newProgress(w io.Writer, quiet bool) *progress {
	p := &progress{w: w, quiet: quiet}
	file, ok := w.(*os.File)
	if quiet || !ok || !term.IsTerminal(int(file.Fd())) {
		return p
	}
	p.bars = mpb.New(mpb.WithOutput(w), mpb.WithWidth(30))
	return p
}

func (p *progress) note(text string) {
	if !p.quiet {
		fmt.Fprintln(p.w, "note:", text)
	}
}

// update is called after each fit, by one goroutine at a time.
func (p *progress) update(now runner.Progress) {
	p.mu.Lock()
	defer p.mu.Unlock()
	first := p.last.Total == 0
	p.last = now
	switch {
	case p.quiet:
	case p.bars != nil:
		if p.bar == nil {
			p.start(now)
		}
		p.bar.SetCurrent(int64(now.Done))
	case first && now.Resumed > 0:
		fmt.Fprintf(p.w, "going on with %d of %d records done\n", now.Resumed, now.Total)
	case now.Done == now.Total || time.Since(p.shown) >= lineEvery && !first:
		p.shown = time.Now()
		fmt.Fprintln(p.w, line(now))
	case first:
		p.shown = time.Now()
	}
}

func (p *progress) start(now runner.Progress) {
	p.bar = p.bars.AddBar(int64(now.Total),
		mpb.PrependDecorators(decor.CountersNoUnit("%d/%d records ")),
		mpb.AppendDecorators(decor.Any(func(decor.Statistics) string {
			p.mu.Lock()
			defer p.mu.Unlock()
			return " " + tail(p.last)
		})))
}

// line is a plain line of progress.
func line(p runner.Progress) string {
	return fmt.Sprintf("%d/%d records, %s", p.Done, p.Total, tail(p))
}

func tail(p runner.Progress) string {
	text := "took " + short(p.Elapsed)
	if p.Done < p.Total {
		text = short(p.Elapsed)
		if left := p.Left(); left > 0 {
			text += ", about " + short(left) + " left"
		}
	}
	if p.Failed > 0 {
		text += fmt.Sprintf(", %d failed", p.Failed)
	}
	return text
}

func short(d time.Duration) string {
	if d < 10*time.Second {
		return d.Round(100 * time.Millisecond).String()
	}
	return d.Round(time.Second).String()
}

// close ends the display.
func (p *progress) close() {
	if p.bar != nil {
		if !p.bar.Completed() {
			p.bar.Abort(false)
		}
		p.bars.Wait()
	}
}
