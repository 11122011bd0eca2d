package results

import (
	"cmp"
	"time"
)

func now() string { return time.Now().UTC().Format(time.RFC3339) }

// Describe notes what the rows of the run are of: the text of its SpecFile.
func (m *Manifest) Describe(spec []byte) { m.SpecSum = hashOf(spec) }

// Begin dates a start of a run. One that goes on with the rows of earlier starts, before, keeps
// their date and looks. Where it is complete nothing is left to compute, and the machine and
// the versions stay as well. The zero before is none.
func (m *Manifest) Begin(before Manifest, complete bool) {
	m.Started = cmp.Or(before.Started, now())
	m.TakeLooks(before)
	if before.Started != "" && complete {
		m.Finished, m.Machine, m.Commit, m.Versions = before.Finished, before.Machine, before.Commit, before.Versions
	}
}

// End dates the end of a run of which nothing is left to compute.
func (m *Manifest) End() {
	if m.Finished == "" {
		m.Finished = now()
	}
}
