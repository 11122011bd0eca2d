package runner

import (
	"cmp"
	"fmt"
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

// String is the state in words: "1234/4800 rows, 1m5s, about 13m0s left, 12 failed".
func (p Progress) String() string {
	text := fmt.Sprintf("%d/%d %s, ", p.Done, p.Total, cmp.Or(p.Unit, "rows"))
	if p.Done == p.Total {
		text += "took "
	}
	text += plain.Duration(p.Elapsed)
	if left := p.Left(); left > 0 && p.Done < p.Total {
		text += ", about " + plain.Duration(left) + " left"
	}
	if p.Failed > 0 {
		text += fmt.Sprintf(", %d failed", p.Failed)
	}
	return text
}
