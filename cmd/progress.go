package cmd

import (
	"fmt"
	"io"
	"time"

	"mercer/internal/claims"
	"mercer/internal/lists"
	"mercer/internal/plain"
	"mercer/runner"
	"mercer/runner/adaptive"
)

// console is standard error, which no text of a program or a file steers.
type console struct{ io.Writer }

func (c console) Write(text []byte) (int, error) {
	_, err := io.WriteString(c.Writer, plain.Shown(string(text)))
	return len(text), err
}

// progress prints how far a run is, in a line now and then.
type progress struct {
	w     io.Writer
	quiet bool
	shown time.Time // when the last line was printed; zero before the first update
}

// lineEvery is how often a line is printed.
const lineEvery = 10 * time.Second

// note says what a person should know, also to those who want no progress.
func (p *progress) note(text string) { fmt.Fprintln(p.w, "note:", text) }

// update is called after each fit, by one goroutine at a time.
func (p *progress) update(now runner.Progress) {
	first := p.shown.IsZero()
	if first {
		p.shown = time.Now()
	}
	switch {
	case p.quiet:
	case first && now.Resumed > 0:
		fmt.Fprintf(p.w, "continuing: %d of %d rows are done\n", now.Resumed, now.Total)
	case now.Done == now.Total || time.Since(p.shown) >= lineEvery:
		p.shown = time.Now()
		fmt.Fprintln(p.w, now)
	}
}

// look says how many verdicts and targets a look at them has left open.
func (p *progress) look(l adaptive.Look) {
	if p.quiet {
		return
	}
	if len(l.Verdicts) > 0 {
		fmt.Fprintf(p.w, "%d repeats: %d of %d verdicts open\n", l.Repeats, len(l.Open()), len(l.Verdicts))
	}
	if len(l.Answers) > 0 {
		open := lists.Where(l.Answers, func(a claims.Answer) bool { return a.Open })
		fmt.Fprintf(p.w, "targets: %d of %d open\n", len(open), len(l.Answers))
	}
}
