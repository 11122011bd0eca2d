package results

import "slices"

// Repeats is how many different repeats the rows have. That may be fewer than the
// manifest's, where a filter left some out.
func (r Run) Repeats() int {
	seen := map[int]bool{}
	for i := range r.Rows {
		seen[r.Rows[i].Repeat] = true
	}
	return len(seen)
}

// Look is the number of the look, from 0, that reading verdicts at the run's repeats is:
// verdicts that are read again at as many repeats are the same look.
func (r Run) Look() int {
	if at := slices.Index(r.Manifest.Looks, r.Repeats()); at >= 0 {
		return at
	}
	return len(r.Manifest.Looks)
}

// RecordLook notes in the manifest of a finished run that its verdicts are read. The
// manifest of a run that goes on belongs to what runs it and stays as it is. The looks of a
// run whose repeats are added until verdicts are decided are planned: see TakeLooks.
func RecordLook(run Run) error {
	m, err := ReadManifest(run.Dir)
	repeats := run.Repeats()
	if err != nil || m.Finished == "" || m.FirstLook > 0 || !slices.Equal(m.IDs, run.Manifest.IDs) || slices.Contains(m.Looks, repeats) || run.Missing() > 0 {
		return err
	}
	m.Looks = append(m.Looks, repeats)
	return WriteManifest(run.Dir, m)
}

// TakeLooks takes over the looks of the run that this one goes on with. Looks that are
// planned continue the plan of that run, where they begin with all of its looks.
func (m *Manifest) TakeLooks(before Manifest) {
	own := m.Plans
	m.Looks, m.Plans = before.Looks, slices.Clone(before.Plans)
	if len(own) == 0 {
		return
	}
	plan := PlannedLooks{After: len(m.Looks), At: own[len(own)-1].At}
	if last := len(m.Plans) - 1; before.FirstLook > 0 && last >= 0 && startsWith(plan.At, m.Plans[last].At) {
		plan.After, m.Plans = m.Plans[last].After, m.Plans[:last]
	}
	m.Plans = append(m.Plans, plan)
}

func startsWith(list, first []int) bool {
	return len(list) >= len(first) && slices.Equal(list[:len(first)], first)
}

// Planned are the repeats of the looks of a run whose repeats are added until verdicts are
// decided; none of any other run.
func (m Manifest) Planned() []int {
	if m.FirstLook == 0 || len(m.Plans) == 0 {
		return nil
	}
	return m.Plans[len(m.Plans)-1].At
}
