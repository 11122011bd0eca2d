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

// structure finds what differs between the sides beside numbers: seeds, versions
// and data; cells, repeats and metrics that are gone or new; rows that were ok. here
// are the matches of data sets that both sides had.
func (e *Experiment) structure(p Pair, all, here []match) {
	e.different(p, all)
	e.cells(p, here)
	e.repeats(p, here)
	for _, g := range grouped(here) {
		e.metrics(g)
		e.statuses(g)
	}
}

// different says why ids of the sides differ, and what else does.
func (e *Experiment) different(p Pair, all []match) {
	changed, other, versions, data := false, 0, map[string]bool{}, map[string]bool{}
	for _, m := range all {
		if !m.onBoth() || m.sameRows() {
			continue
		}
		changed = true
		if id := m.cell.Text("dataset"); !p.absent(id) && !p.sameData(m) {
			data["data of "+id] = true
		}
		if m.comparable() {
			other++
		}
		for _, r := range m.repeats() {
			if b, n := m.base[r].Version, m.new[r].Version; b != n {
				versions[fmt.Sprintf("version of %s %s → %s", m.cell.Text("method"), b, n)] = true
			}
		}
	}
	note := func(severity Severity, text string) { e.add(Finding{Severity: severity, Kind: Different, Text: text}) }
	base, new := p.Base.Manifest, p.New.Manifest
	if changed {
		var why []string
		if p.Base.Spec.Seed != p.New.Spec.Seed {
			why = append(why, fmt.Sprintf("seed %d → %d", p.Base.Spec.Seed, p.New.Spec.Seed))
		}
		why = append(why, slices.Sorted(maps.Keys(versions))...)
		why = append(why, slices.Sorted(maps.Keys(data))...)
		if len(why) == 0 {
			why = []string{"what the spec or the program measures"}
		}
		text := "changed: " + strings.Join(why, ", ")
		if other > 0 {
			note(Warning, fmt.Sprintf("%s; %s compared as distributions, not number by number", text, plain.Count(other, "cell is", "cells are")))
		} else {
			note(Note, text)
		}
	}
	if base.Profile != new.Profile {
		note(Warning, fmt.Sprintf("profile %s is compared with %s", new.Profile, base.Profile))
	}
	if b, n := base.Versions["blas"], new.Versions["blas"]; b != n {
		note(Note, fmt.Sprintf("BLAS %s → %s", b, n))
	}
	for _, id := range configs.IDs(p.New.Spec.Datasets) {
		why, before := p.New.Catalog.Absent[id], p.Base.Catalog.Absent[id]
		if why == "" && before != "" {
			e.add(Finding{Severity: Note, Kind: Added, Where: id, Text: "compared with nothing, because the base did not have the data"})
		}
		if why != "" {
			e.add(Finding{Severity: Note, Kind: Skipped, Where: id, Text: "skipped: data: not compared, because the new run could not read or fetch the data: " + why})
		}
	}
}

// cells finds cells of one side alone.
func (e *Experiment) cells(p Pair, here []match) {
	var gone, added []string
	for _, m := range here {
		switch {
		case len(m.new) == 0:
			gone = append(gone, words(m.cell))
		case len(m.base) == 0:
			added = append(added, words(m.cell))
		}
	}
	if len(gone) > 0 {
		f := Finding{Severity: Regression, Kind: Dropped, Text: fmt.Sprintf("%s gone: %s", plain.Count(len(gone), "cell is", "cells are"), plain.Some(gone, shownOnes)), Do: reference}
		if filter := p.New.Manifest.Filter; filter != "" {
			f.Severity, f.Do = Note, ""
			f.Text = fmt.Sprintf("%s not in the filter %s", plain.Count(len(gone), "cell is", "cells are"), filter)
		}
		e.add(f)
	}
	if len(added) > 0 {
		e.add(Finding{Severity: Note, Kind: Added, Text: fmt.Sprintf("%s new, and compared with nothing: %s", plain.Count(len(added), "cell is", "cells are"), plain.Some(added, shownOnes)),
			Do: "to watch them: make reference"})
	}
}

// repeats finds repeats that are gone from cells of both sides.
func (e *Experiment) repeats(p Pair, here []match) {
	missing, first := 0, ""
	for _, m := range here {
		if !m.onBoth() {
			continue
		}
		for _, r := range repeatsOf(m.base) {
			if _, ok := m.new[r]; !ok {
				if missing++; first == "" {
					first = fmt.Sprintf("%s repeat %d", words(m.cell), r)
				}
			}
		}
	}
	base, new := p.Base.Manifest.Repeats, p.New.Manifest.Repeats
	switch {
	case missing == 0:
	case new < base || p.New.Manifest.Filter != "":
		e.add(Finding{Severity: Warning, Kind: Dropped, Text: fmt.Sprintf("fewer repeats, %d in place of %d: %s not compared", new, base, plain.Count(missing, "row of the base is", "rows of the base are")), Do: reference})
	default:
		e.add(Finding{Severity: Regression, Kind: Dropped, Text: fmt.Sprintf("%s missing, the first %s: is the run complete?", plain.Count(missing, "row is", "rows are"), first),
			Do: "finish the run by mercer run; " + reference})
	}
}

// metrics finds metrics of one side alone in rows that are ok on both.
func (e *Experiment) metrics(g []match) {
	carried := map[string][2]int{} // by how many rows of each side
	for _, m := range g {
		for _, r := range m.repeats() {
			if m.base[r].Status != results.OK || m.new[r].Status != results.OK {
				continue
			}
			for i, row := range []*results.Row{m.base[r], m.new[r]} {
				for name := range row.Metrics.All() {
					c := carried[name]
					c[i]++
					carried[name] = c
				}
			}
		}
	}
	var gone, added []string
	for _, name := range slices.Sorted(maps.Keys(carried)) {
		switch c := carried[name]; {
		case c[1] == 0:
			gone = append(gone, name)
		case c[0] == 0:
			added = append(added, name)
		case c[1] < c[0]:
			e.add(Finding{Severity: Regression, Kind: Dropped, Where: words(groupOf(g[0].cell)), Metric: name,
				Text: fmt.Sprintf("measured in %s, before in %d", plain.Count(c[1], "row"), c[0]), Do: reference})
		}
	}
	where := words(groupOf(g[0].cell))
	for _, name := range gone {
		f := Finding{Severity: Regression, Kind: Dropped, Where: where, Metric: name, Text: "is no longer measured", Do: reference}
		if len(added) > 0 {
			f.Kind, f.Text = Renamed, "is gone, while "+plain.Some(added, shownOnes)+" came: renamed?"
			for _, other := range added {
				if sameValues(g, name, other) {
					f.Text = fmt.Sprintf("is gone, and %s has its values: renamed?", other)
				}
			}
		}
		e.add(f)
	}
	if len(added) > 0 && len(gone) == 0 {
		e.add(Finding{Severity: Note, Kind: Added, Where: where, Metric: plain.Some(added, shownOnes), Text: "new, and compared with nothing", Do: "to watch it: make reference"})
	}
}

// sameValues says whether a metric of the base has the values of another of the
// new side.
func sameValues(g []match, base, new string) bool {
	for _, m := range g {
		for _, r := range m.repeats() {
			if m.base[r].Metrics.Value(base) != m.new[r].Metrics.Value(new) {
				return false
			}
		}
	}
	return true
}

// statuses finds rows of a group that ended otherwise than before.
func (e *Experiment) statuses(g []match) {
	var changed []lost
	for _, m := range g {
		for _, r := range m.repeats() {
			if m.base[r].Status != m.new[r].Status {
				changed = append(changed, lost{m.cell, m.base[r], m.new[r]})
			}
		}
	}
	for _, same := range lists.By(changed, func(l lost) [2]results.Status { return [2]results.Status{l.base.Status, l.new.Status} }) {
		base, new := same[0].base, same[0].new
		first := fmt.Sprintf("%s repeat %d", words(same[0].cell), new.Repeat)
		if new.Reason != "" {
			first += ": " + new.Reason
		}
		f := Finding{Severity: Regression, Kind: Status, Where: words(groupOf(g[0].cell)),
			Text: fmt.Sprintf("%s, %s before; the first: %s", plain.Count(len(same), "row is "+string(new.Status), "rows are "+string(new.Status)), base.Status, first), Do: reference}
		if base.Status != results.OK {
			f.Severity, f.Do = Note, ""
		}
		e.add(f)
	}
}
