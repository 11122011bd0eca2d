package results

import (
	"cmp"
	"time"
)

func now() string { return time.Now().UTC().Format(time.RFC3339) }

// Describe notes what the rows of the run are of: the text of its SpecFile.
func (m *Manifest) Describe(spec []byte) { m.SpecSum = hashOf(spec) }

// Begin dates a start of a run. One that goes on with the rows of earlier starts, before, keeps
// their dates and looks. Where it is complete nothing is left to compute: this is no start, and
// the machine and the versions stay as well. The zero before is none.
func (m *Manifest) Begin(before Manifest, complete bool, blas string) {
	start := Start{Started: now(), Machine: m.Machine, Commit: m.Commit, BLAS: blas}
	goesOn := before.Started != ""
	m.Started, m.Starts = cmp.Or(before.Started, start.Started), before.Starts
	m.TakeLooks(before)

	if m.started = !goesOn || !complete; m.started {
		m.Starts = append(m.Starts, start)
	} else {
		m.Finished, m.Machine, m.Commit, m.Versions = before.Finished, before.Machine, before.Commit, before.Versions
	}
}

// End dates the end of a start that has written so many rows, and, where nothing is left,
// that of the run.
func (m *Manifest) End(written int, complete bool) {
	if m.started && written > 0 {
		start := &m.Starts[len(m.Starts)-1]
		start.Finished, start.Written = now(), written
	}
	if complete && m.Finished == "" {
		m.Finished = now()
	}
}
