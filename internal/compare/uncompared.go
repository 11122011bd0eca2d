package compare

import (
	"fmt"
	"slices"

	"mercer/internal/plain"
	"mercer/results"
)

// lost is a row of both sides that could not be compared, or ended otherwise than before.
type lost struct {
	cell      results.Key
	base, new *results.Row
}

// fate is what became of a row that could not be compared: it is ok on the base
// alone (broken), on the new side alone (mended), or on neither.
func (l lost) fate() string {
	switch {
	case l.base.Status == results.OK:
		return "broken"
	case l.new.Status == results.OK:
		return "mended"
	case l.new.Status == results.Skipped:
		return "skipped"
	}
	return "failed"
}

// uncompared says of which groups nothing could be compared, and why. An experiment of
// which nothing could be compared at all is undecided, unless rows of its base
// failed or were skipped and none of the new run failed.
func (e *Experiment) uncompared(here []match, o Options) {
	fates := map[string][]lost{}
	var failing []string // groups with failed rows
	cells, of := 0, 0    // of both sides; rows of these groups
	for _, g := range grouped(here) {
		g = slices.DeleteFunc(g, func(m match) bool { return !m.onBoth() })
		cells += len(g)
		if len(g) == 0 || slices.ContainsFunc(g, match.comparable) {
			continue
		}
		rows, failed := 0, len(fates["failed"])
		for _, m := range g {
			for _, r := range m.repeats() {
				l := lost{m.cell, m.base[r], m.new[r]}
				fates[l.fate()] = append(fates[l.fate()], l)
				rows++
			}
		}
		if len(fates["failed"]) > failed {
			of += rows
			failing = append(failing, words(groupOf(g[0].cell)))
		}
	}
	nothing := e.Numbers.Compared+len(e.Tests) == 0
	f := Finding{Severity: Note, Kind: Untested}
	switch skipped := fates["skipped"]; {
	case len(fates["failed"]) > 0:
		f.Severity, f.Text = Warning, failedText(fates["failed"], of, failing)
		f.Do = "find out why they fail, and compare runs in which they are ok"
		if nothing {
			f.Severity, f.Text = Undecided, "nothing could be compared: "+f.Text
		}
	case !nothing || cells == 0 || len(fates["broken"]) > 0:
		return
	case len(fates["mended"]) > 0:
		f.Text, f.Do = "nothing was compared: no row of the base is ok", "to watch the new ones: make reference"
	case len(skipped) > 0:
		f.Text = fmt.Sprintf("nothing was compared: %s skipped: %s", plain.Count(len(skipped), "row is", "rows are"), skipped[0].new.Reason)
	default:
		f.Severity, f.Text = Undecided, "nothing could be compared: no metric of the same cell and repeat is on both sides"
		f.Do = "compare runs of the same metrics and repeats"
	}
	if f.Severity == Undecided && o.AllowUndecided {
		f.Severity = Warning
	}
	e.add(f)
}

// failedText says which rows of so many failed, and why.
func failedText(failed []lost, of int, groups []string) string {
	rows := fmt.Sprintf("%d of %s", len(failed), plain.Count(of, "row"))
	if len(failed) == of {
		rows = "all " + plain.Count(of, "row")
	}
	sides := "on both sides"
	if slices.ContainsFunc(failed, func(l lost) bool { return l.base.Status == results.Skipped }) {
		sides = "and are not ok in the base"
	}
	l := failed[0]
	first := fmt.Sprintf("%s repeat %d: %s", words(l.cell), l.new.Repeat, l.new.Reason)
	if l.base.Reason != l.new.Reason {
		first += fmt.Sprintf(" (base: %s)", l.base.Reason)
	}
	return fmt.Sprintf("%s of %s failed %s; the first: %s", rows, plain.Some(groups, shownOnes), sides, first)
}
