package results

import "time"

func now() string { return time.Now().UTC().Format(time.RFC3339) }

// Describe notes what the rows of the run are of: the text of its SpecFile.
func (m *Manifest) Describe(spec []byte) { m.SpecSum = hashOf(spec) }

// Begin dates a run that has no rows yet.
func (m *Manifest) Begin(blas string) {
	start := Start{Started: now(), Machine: m.Machine, Commit: m.Commit, BLAS: blas}
	m.Started, m.Starts, m.started = start.Started, []Start{start}, true
}

// Continue dates a run that goes on with the rows of earlier starts: it keeps their dates
// and looks. Where nothing is left to compute this is no start, and the machine and the
// versions stay as well.
func (m *Manifest) Continue(before Manifest, complete bool, blas string) {
	m.Started, m.Starts = before.Started, before.Starts
	m.TakeLooks(before)
	if complete {
		m.Finished, m.Machine, m.Commit, m.Versions = before.Finished, before.Machine, before.Commit, before.Versions
		return
	}
	m.Starts = append(m.Starts, Start{Started: now(), Machine: m.Machine, Commit: m.Commit, BLAS: blas})
	m.started = true
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
