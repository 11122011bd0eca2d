package runner

import (
	"fmt"
	"time"

	"mercer/internal/plain"
)

// Progress is the state of a run after a record.
type Progress struct {
	Done, Total int // rows, those of an earlier start included
	Failed      int
	Resumed     int           // rows that an earlier start had finished
	Elapsed     time.Duration // of this start
}

// Left estimates the time to the end from the rows done so far, as if all took alike; 0
// while too little is known.
func (p Progress) Left() time.Duration {
	done := p.Done - p.Resumed
	if done <= 0 || p.Elapsed < 2*time.Second {
		return 0
	}
	return time.Duration(float64(p.Elapsed) * float64(p.Total-p.Done) / float64(done))
}

// String is the state in words: "1234/4800 rows, 1m5s, about 13m0s left, 12 failed".
func (p Progress) String() string {
	text := fmt.Sprintf("%d/%d rows, ", p.Done, p.Total)
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
