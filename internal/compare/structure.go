package compare

import (
	"cmp"
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

// different says in what the sides differ, and with how many cells; what they cannot compare; and
// which data one side does not have.
func (e *Experiment) different(p Pair, others []match) {
	tested := lists.Where(others, func(m match) bool { return anyOK(m.base) && anyOK(m.new) })
	f := Finding{Severity: Note, Kind: Different, Text: "changed: " + strings.Join(p.reasons(others), ", ")}
	if len(tested) > 0 {
		f.Severity = Warning
		f.Text += fmt.Sprintf("; %s compared as distributions, not number by number", plain.Count(len(tested), "cell is", "cells are"))
	}
	if f.Text != "changed: " {
		e.add(f)
	}

	if base := p.Base.Manifest; p.Base.Missing() > 0 && base.Filter == "" {
		e.add(Finding{Severity: Warning, Kind: Untested, Text: fmt.Sprintf("the base is incomplete: it has %d of %d rows", len(p.Base.Rows), len(base.IDs)), Do: "finish it by mercer run"})
	}
	for _, id := range configs.IDs(p.New.Spec.Datasets) {
		if p.absent(id) {
			e.add(Finding{Severity: Note, Kind: Skipped, Where: id, Text: "skipped: data: not compared, because a run could not read or fetch the data: " + cmp.Or(p.New.Catalog.Absent[id], p.Base.Catalog.Absent[id])})
		}
	}
}

// reasons are what differs between the sides: their seeds, profiles and BLAS, and of cells with
// other ids the data and the versions of methods.
func (p Pair) reasons(others []match) (why []string) {
	change := func(of string, base, new any) {
		if base != new {
			why = append(why, fmt.Sprintf("%s %v → %v", of, base, new))
		}
	}
	base, new := p.Base.Manifest, p.New.Manifest
	change("seed", p.Base.Spec.Seed, p.New.Spec.Seed)
	change("profile", base.Profile, new.Profile)
	change("BLAS", base.Versions["blas"], new.Versions["blas"])
	for _, m := range others {
		if id := m.cell.Text("dataset"); !p.absent(id) && !p.sameData(m) {
			why = append(why, "data of "+id)
		}
		for _, r := range m.repeats() {
			change("version of "+m.cell.Text("method"), m.base[r].Version, m.new[r].Version)
		}
	}
	if why = lists.Once(why); len(why) == 0 && len(others) > 0 {
		why = []string{"what the spec or the program measures"}
	}
	return why
}

// structure finds rows and metrics that one side lacks, and rows that ended otherwise than before.
func (e *Experiment) structure(p Pair, here []match) {
	var gone, added []*results.Row
	for _, m := range here {
		gone = append(gone, lacking(m.base, m.new)...)
		added = append(added, lacking(m.new, m.base)...)
	}
	places := func(rows []*results.Row) string {
		return plain.Some(lists.Once(lists.Map(rows, func(r *results.Row) string { return words(r.At) })), mostNamed)
	}
	base, new := p.Base.Manifest, p.New.Manifest
	switch rows := plain.Count(len(gone), "row"); {
	case len(gone) == 0:
	case new.Filter != "":
		e.add(Finding{Severity: Note, Kind: Dropped, Text: fmt.Sprintf("%s of the base not in the filter %s", rows, new.Filter)})
	case new.Repeats < base.Repeats && !slices.ContainsFunc(gone, func(r *results.Row) bool { return r.Repeat < new.Repeats }):
		e.add(Finding{Severity: Warning, Kind: Dropped, Text: fmt.Sprintf("fewer repeats, %d in place of %d: %s of the base not compared", new.Repeats, base.Repeats, rows), Do: renew})
	default:
		e.add(Finding{Severity: Regression, Kind: Dropped, Text: fmt.Sprintf("%s missing, of %s: is the run complete?", rows, places(gone)), Do: renew})
	}
	if len(added) > 0 {
		e.add(Finding{Severity: Note, Kind: Added, Text: fmt.Sprintf("%s new, and compared with nothing, of %s", plain.Count(len(added), "row"), places(added)), Do: watch})
	}
	for _, g := range grouped(here) {
		e.metrics(g)
		e.statuses(g)
	}
}

// lacking are the rows of a cell that another side does not have.
func lacking(side, other map[int]*results.Row) (rows []*results.Row) {
	for _, repeat := range repeatsOf(side) {
		if other[repeat] == nil {
			rows = append(rows, side[repeat])
		}
	}
	return rows
}

// metrics finds metrics that fewer rows of a group have than before, among rows that are ok on
// both sides.
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
	for _, name := range slices.Sorted(maps.Keys(before)) {
		if had, has := before[name], after[name]; has < had {
			e.add(Finding{Severity: Regression, Kind: Dropped, Where: words(groupOf(g[0].cell)), Metric: name, Text: fmt.Sprintf("measured in %s, before in %d", plain.Count(has, "row"), had), Do: renew})
		}
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
// of the experiment could be compared at all, which is undecided.
func (e *Experiment) nothing(here []match) {
	both := lists.Where(here, match.onBoth)
	for _, g := range grouped(both) {
		if !slices.ContainsFunc(g, func(m match) bool { return anyOK(m.base) || anyOK(m.new) }) {
			first := g[0].repeats()
			if len(first) == 0 {
				continue
			}
			e.add(Finding{Severity: Warning, Kind: Untested, Where: words(groupOf(g[0].cell)), Text: fmt.Sprintf("no row is ok; the first: %s", ended{g[0].base[first[0]], g[0].new[first[0]]}),
				Do: "find out why, and compare runs in which they are ok"})
		}
	}
	switch {
	case len(here) > 0 && len(both) == 0:
		e.add(Finding{Severity: Regression, Kind: Untested, Text: "nothing could be compared: the sides have no cell in common", Do: renew})
	case len(here) > 0 && e.Numbers.Compared+len(e.Tests) == 0:
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
