package runner

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"mercer/internal/plain"
)

// Progress is the state of a run after a record.
type Progress struct {
	Done, Total         int    // records, those of an earlier start included
	Unit                string // what Done and Total count, if not records
	Failed              int
	Resumed             int           // records that an earlier start had finished
	WorkDone, WorkTotal float64       // estimated flops of this start
	Elapsed             time.Duration // of this start
}

// Left estimates the time to the end from the work done so far; 0 while too
// little is known.
func (p Progress) Left() time.Duration {
	if p.WorkDone <= 0 || p.Elapsed < 2*time.Second && p.WorkDone < 0.05*p.WorkTotal {
		return 0
	}
	return time.Duration(float64(p.Elapsed) * (p.WorkTotal - p.WorkDone) / p.WorkDone)
}

// String is the state in words.
func (p Progress) String() string { return p.Within(1 << 30) }

// narrow is a terminal that shows only how far a run is, and how long it takes yet.
const narrow = 60

// Within is the state in at most width characters: what is least needed goes first.
func (p Progress) Within(width int) string {
	done, elapsed, left, failed := fmt.Sprintf("%d/%d", p.Done, p.Total), plain.Duration(p.Elapsed), "", ""
	if p.Done == p.Total {
		elapsed = "took " + elapsed
	} else if d := p.Left(); d > 0 {
		left = plain.Duration(d) + " left"
	}
	if p.Failed > 0 {
		failed = fmt.Sprintf("%d failed", p.Failed)
	}
	about := left
	if left != "" {
		elapsed, about = elapsed+", about "+left, "about "+left
	}
	forms := [][]string{{done + " " + cmp.Or(p.Unit, "rows"), elapsed, failed}, {done, elapsed, failed}, {done, about, failed}, {done, left, failed}, {done, failed}, {done}}
	if width < narrow {
		forms = forms[1:]
	}
	text := ""
	for _, parts := range forms {
		text = strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), ", ")
		if len(text) <= width {
			break
		}
	}
	return text
}
