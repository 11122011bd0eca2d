package compare

import (
	"fmt"

	"mercer/results"
)

// uncompared are the records of both sides in groups without a cell that can be
// compared, by what became of them. Data sets that a side does not have are left out.
type uncompared struct {
	cells   int      // of both sides, in all groups
	broken  int      // records that are ok on the base alone
	mended  int      // ok on the new side alone
	skipped int      // ok on neither, and skipped on the new side
	failed  int      // ok on neither, and failed on the new side
	both    int      // of these, failed on the base too
	of      int      // records that groups with failed ones have
	groups  []string // that have failed ones
	first   string   // of the failed, and why
	why     string   // the first of the skipped is
}

// newUncompared looks through all groups of a comparison.
func newUncompared(p Pair, all []match) (u uncompared) {
	for _, g := range grouped(all) {
		if p.Base.absent(g[0].cell.Dataset) != "" || p.New.absent(g[0].cell.Dataset) != "" {
			continue
		}
		comparable, records, failed := false, 0, u.failed
		for _, m := range g {
			comparable = comparable || m.comparable()
			if len(m.base) > 0 && len(m.new) > 0 {
				u.cells++
			}
		}
		if comparable {
			continue
		}
		for _, m := range g {
			for _, r := range m.repeats() {
				u.count(m.cell, m.base[r], m.new[r])
				records++
			}
		}
		if u.failed > failed {
			u.of += records
			u.groups = append(u.groups, g[0].cell.group().String())
		}
	}
	return u
}

func (u *uncompared) count(cell Cell, base, new results.Record) {
	switch {
	case base.Status == results.OK:
		u.broken++
	case new.Status == results.OK:
		u.mended++
	case new.Status == results.Skipped:
		if u.skipped++; u.skipped == 1 {
			u.why = new.Reason
		}
	default:
		if u.failed++; u.failed == 1 {
			u.first = fmt.Sprintf("%s repeat %d: %s", cell, new.Repeat, new.Reason)
			if base.Reason != new.Reason {
				u.first += fmt.Sprintf(" (base: %s)", base.Reason)
			}
		}
		if base.Status != results.Skipped {
			u.both++
		}
	}
}

// text says what failed, and why.
func (u uncompared) text() string {
	records := fmt.Sprintf("%d of %s", u.failed, count(u.of, "record", "records"))
	if u.failed == u.of {
		records = "all " + count(u.of, "record", "records")
	}
	sides := "on both sides"
	if u.both < u.failed {
		sides = "and are not ok in the base"
	}
	return fmt.Sprintf("%s of %s failed %s; the first: %s", records, some(u.groups), sides, u.first)
}

// uncompared says of which groups nothing could be compared, and why. An experiment of
// which nothing could be compared at all is undecided, unless records of its base
// failed or were skipped and none of the new run failed.
func (e *Experiment) uncompared(p Pair, all []match, o Options) {
	u := newUncompared(p, all)
	nothing := e.Numbers.Compared+len(e.Tests) == 0
	f := Finding{Severity: Note, Kind: Untested}
	switch {
	case u.failed > 0:
		f.Severity, f.Text = Warning, u.text()
		f.Do = "find out why they fail, and compare runs in which they are ok"
		if nothing {
			f.Severity, f.Text = Undecided, "nothing could be compared: "+f.Text
		}
	case !nothing || u.cells == 0 || u.broken > 0:
		return
	case u.mended > 0:
		f.Text, f.Do = "nothing was compared: no record of the base is ok", "to watch the new ones: make reference"
	case u.skipped > 0:
		f.Text = fmt.Sprintf("nothing was compared: %s skipped: %s", count(u.skipped, "record is", "records are"), u.why)
	default:
		f.Severity, f.Text = Undecided, "nothing could be compared: no metric of the same cell and repeat is on both sides"
		f.Do = "compare runs of the same metrics and repeats"
	}
	if f.Severity == Undecided && o.AllowUndecided {
		f.Severity = Warning
	}
	e.add(f)
}
