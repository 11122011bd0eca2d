package compare

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"mercer/configs"
	"mercer/internal/lists"
	"mercer/internal/plain"
	"mercer/results"
)

// mostNamed is how many things of a kind a finding names.
const mostNamed = 5

// different says why ids of the sides differ, as those of others do, and what else does.
func (e *Experiment) different(p Pair, others []match) {
	tested := lists.Where(others, func(m match) bool { return anyOK(m.base) && anyOK(m.new) })
	severity, text := Note, "changed: "+strings.Join(p.reasons(others), ", ")
	if len(tested) > 0 {
		severity = Warning
		text += fmt.Sprintf("; %s compared as distributions, not number by number", plain.Count(len(tested), "cell is", "cells are"))
	}
	if len(others) > 0 {
		e.add(Finding{Severity: severity, Kind: Different, Text: text})
	}

	base, new := p.Base.Manifest, p.New.Manifest
	if base.Profile != new.Profile {
		e.add(Finding{Severity: Warning, Kind: Different, Text: fmt.Sprintf("profile %s is compared with %s", new.Profile, base.Profile)})
	}
	if b, n := base.Versions["blas"], new.Versions["blas"]; b != n {
		e.add(Finding{Severity: Note, Kind: Different, Text: fmt.Sprintf("BLAS %s → %s", b, n)})
	}
	if p.Base.Missing() > 0 && base.Filter == "" {
		e.add(Finding{Severity: Warning, Kind: Untested, Text: fmt.Sprintf("the base is incomplete: it has %d of %d rows", len(p.Base.Rows), len(base.IDs)), Do: "finish it by mercer run"})
	}
	for _, id := range configs.IDs(p.New.Spec.Datasets) {
		if why := p.New.Catalog.Absent[id]; why != "" {
			e.add(Finding{Severity: Note, Kind: Skipped, Where: id, Text: "skipped: data: not compared, because the new run could not read or fetch the data: " + why})
		} else if p.absent(id) {
			e.add(Finding{Severity: Note, Kind: Added, Where: id, Text: "compared with nothing, because the base did not have the data"})
		}
	}
}

// reasons are why the ids of cells of both sides differ.
func (p Pair) reasons(others []match) []string {
	var why []string
	if b, n := p.Base.Spec.Seed, p.New.Spec.Seed; b != n {
		why = append(why, fmt.Sprintf("seed %d → %d", b, n))
	}
	found := map[string]bool{}
	for _, m := range others {
		if id := m.cell.Text("dataset"); !p.absent(id) && !p.sameData(m) {
			found["data of "+id] = true
		}
		for _, r := range m.repeats() {
			if b, n := m.base[r].Version, m.new[r].Version; b != n {
				found[fmt.Sprintf("version of %s %s → %s", m.cell.Text("method"), b, n)] = true
			}
		}
	}
	if why = append(why, slices.Sorted(maps.Keys(found))...); len(why) == 0 {
		why = []string{"what the spec or the program measures"}
	}
	return why
}

// structure finds cells, repeats and metrics that one side lacks, and rows that ended
// otherwise than before, of data sets that both sides had.
func (e *Experiment) structure(p Pair, here []match) {
	e.cells(p, here)
	e.repeats(p, here)
	for _, g := range grouped(here) {
		e.metrics(g)
		e.statuses(g)
	}
}

// cells finds cells of one side alone.
func (e *Experiment) cells(p Pair, here []match) {
	side := func(has func(match) bool) (cells []string) {
		return lists.Map(lists.Where(here, has), func(m match) string { return words(m.cell) })
	}
	gone := side(func(m match) bool { return len(m.new) == 0 })
	added := side(func(m match) bool { return len(m.base) == 0 })

	filter := p.New.Manifest.Filter
	switch are := plain.Count(len(gone), "cell is", "cells are"); {
	case len(gone) > 0 && filter != "":
		e.add(Finding{Severity: Note, Kind: Dropped, Text: fmt.Sprintf("%s not in the filter %s", are, filter)})
	case len(gone) > 0:
		e.add(Finding{Severity: Regression, Kind: Dropped, Text: fmt.Sprintf("%s gone: %s", are, plain.Some(gone, mostNamed)), Do: renew})
	}
	if len(added) > 0 {
		e.add(Finding{Severity: Note, Kind: Added, Text: fmt.Sprintf("%s new, and compared with nothing: %s", plain.Count(len(added), "cell is", "cells are"), plain.Some(added, mostNamed)), Do: watch})
	}
}

// repeats finds repeats that are gone from cells of both sides.
func (e *Experiment) repeats(p Pair, here []match) {
	var missing []*results.Row
	for _, m := range lists.Where(here, match.onBoth) {
		for _, r := range repeatsOf(m.base) {
			if m.new[r] == nil {
				missing = append(missing, m.base[r])
			}
		}
	}
	base, new := p.Base.Manifest.Repeats, p.New.Manifest.Repeats
	switch {
	case len(missing) == 0:
	case new < base || p.New.Manifest.Filter != "":
		e.add(Finding{Severity: Warning, Kind: Dropped, Text: fmt.Sprintf("fewer repeats, %d in place of %d: %s not compared", new, base, plain.Count(len(missing), "row of the base is", "rows of the base are")), Do: renew})
	default:
		e.add(Finding{Severity: Regression, Kind: Dropped, Text: fmt.Sprintf("%s missing, the first %s repeat %d: is the run complete?", plain.Count(len(missing), "row is", "rows are"), words(missing[0].At), missing[0].Repeat),
			Do: "finish it by mercer run"})
	}
}

// metrics finds metrics that fewer rows of a group have than before, or none had, among
// rows that are ok on both sides.
func (e *Experiment) metrics(g []match) {
	before, after := map[string]int{}, map[string]int{}
	for _, m := range g {
		for _, r := range m.repeats() {
			if m.base[r].Status != results.OK || m.new[r].Status != results.OK {
				continue
			}
			for name := range m.base[r].Metrics.All() {
				before[name]++
			}
			for name := range m.new[r].Metrics.All() {
				after[name]++
			}
		}
	}
	where := words(groupOf(g[0].cell))
	for _, name := range slices.Sorted(maps.Keys(before)) {
		if had, has := before[name], after[name]; has < had {
			e.add(Finding{Severity: Regression, Kind: Dropped, Where: where, Metric: name, Text: fmt.Sprintf("measured in %s, before in %d", plain.Count(has, "row"), had), Do: renew})
		}
	}
	added := lists.Where(slices.Sorted(maps.Keys(after)), func(name string) bool { return before[name] == 0 })
	if len(added) > 0 {
		e.add(Finding{Severity: Note, Kind: Added, Where: where, Metric: plain.Some(added, mostNamed), Text: "new, and compared with nothing", Do: watch})
	}
}

// statuses finds rows of a group that ended otherwise than before.
func (e *Experiment) statuses(g []match) {
	var changed []ended
	for _, m := range g {
		for _, r := range m.repeats() {
			if m.base[r].Status != m.new[r].Status {
				changed = append(changed, ended{m.base[r], m.new[r]})
			}
		}
	}
	for _, same := range lists.By(changed, func(x ended) [2]results.Status { return [2]results.Status{x.base.Status, x.new.Status} }) {
		first := same[0]
		is := string(first.new.Status)
		f := Finding{Severity: Regression, Kind: Status, Where: words(groupOf(g[0].cell)), Do: renew,
			Text: fmt.Sprintf("%s, %s before; the first: %s", plain.Count(len(same), "row is "+is, "rows are "+is), first.base.Status, first)}
		if first.base.Status != results.OK {
			f.Severity, f.Do = Note, ""
		}
		e.add(f)
	}
}

// nothing says of which groups no row is ok on both sides, which is a warning; and if nothing
// of the experiment could be compared at all, which is undecided. Rows that were skipped before
// and are now are as they should be.
func (e *Experiment) nothing(all, here []match) {
	var lost []ended // the first row of each such group
	skipped, others := 0, 0
	for _, g := range grouped(lists.Where(here, match.onBoth)) {
		if slices.ContainsFunc(g, func(m match) bool { return anyOK(m.base) && anyOK(m.new) }) {
			continue
		}
		var neither []ended // of the others, those that are ok on one side have changed their status
		for _, m := range g {
			for _, r := range m.repeats() {
				b, n := m.base[r], m.new[r]
				if b.Status == results.Skipped && n.Status == results.Skipped {
					skipped++
					continue
				}
				if others++; b.Status != results.OK && n.Status != results.OK {
					neither = append(neither, ended{b, n})
				}
			}
		}
		if len(neither) > 0 {
			lost = append(lost, neither[0])
		}
	}
	if len(lost) > 0 {
		groups := lists.Map(lost, func(x ended) string { return words(groupOf(x.new.At)) })
		e.add(Finding{Severity: Warning, Kind: Untested, Text: fmt.Sprintf("no row of %s is ok on both sides; the first: %s", plain.Some(groups, mostNamed), lost[0]),
			Do: "find out why, and compare runs in which they are ok"})
	}

	switch {
	case len(all) == 0:
		e.add(Finding{Severity: Regression, Kind: Untested, Text: "nothing could be compared: neither side has a row"})
	case len(here) > 0 && e.Cells == 0:
		e.add(Finding{Severity: Regression, Kind: Untested, Text: "nothing could be compared: the sides have no cell in common", Do: renew})
	case len(here) > 0 && e.Numbers.Compared+len(e.Tests) == 0 && (skipped == 0 || others > 0):
		e.add(Finding{Severity: Undecided, Kind: Untested, Text: "nothing could be compared: no metric of the same cell and repeat is ok on both sides"})
	}
}

// ended is how a row of both sides ended.
type ended struct{ base, new *results.Row }

// String is the row, and why it ended so.
func (x ended) String() string {
	text := fmt.Sprintf("%s repeat %d", words(x.new.At), x.new.Repeat)
	if x.new.Reason != "" {
		text += ": " + x.new.Reason
	}
	if x.base.Reason != "" && x.base.Reason != x.new.Reason {
		text += fmt.Sprintf(" (base: %s)", x.base.Reason)
	}
	return text
}
