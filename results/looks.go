package results

import "slices"

// Look is the number of the look, from 0, that reading verdicts at the run's repeats is:
// verdicts that are read again at as many repeats are the same look.
func (m Manifest) Look() int {
	if at := slices.Index(m.Looks, m.Repeats); at >= 0 {
		return at
	}
	return len(m.Looks)
}

// RecordLook notes in the manifest of a finished run that its verdicts are read. The
// manifest of a run that goes on belongs to what runs it and stays as it is. The looks of a
// run whose repeats are added until verdicts are decided follow from its first.
func RecordLook(run Run) error {
	m, err := ReadManifest(run.Dir)
	if err != nil || m.Finished == "" || m.FirstLook > 0 || m.Repeats != run.Manifest.Repeats || slices.Contains(m.Looks, m.Repeats) || run.Missing() > 0 {
		return err
	}
	m.Looks = append(m.Looks, m.Repeats)
	return WriteManifest(run.Dir, m)
}
