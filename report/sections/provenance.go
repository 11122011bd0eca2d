package sections

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"mercer/internal/lists"
	"mercer/internal/plain"
	"mercer/report/format"
	"mercer/report/page"
	"mercer/results"
)

// provenance says where it all comes from and how to make it again.
func (p *document) provenance(run results.Run) {
	m := run.Manifest
	p.Folded("Provenance")
	rows := [][]string{
		{"Experiment", page.Code(m.Experiment)}, {"Profile", page.Code(m.Profile)}, {"Spec, SHA-256", page.Code(m.SpecHash)},
		{"Seed", strconv.FormatUint(m.Seed, 10)}, {"Repeats", strconv.Itoa(m.Repeats)},
		{"Records", fmt.Sprintf("%d of %d", len(run.Records), len(run.Records)+run.Missing())},
		{"Commit", cmp.Or(page.Code(m.Commit), "unknown: build mercer in a git clone, by make or "+page.Code("go install -buildvcs=auto ."))}, {"Machine", page.Escape(m.Machine.String())},
	}
	if m.Threads > 0 {
		rows = append(rows, []string{"Timed fits", "one after another, each on " + plain.Count(m.Threads, "processor")})
	}
	backEnds := tally(run.Records, func(r *results.Record) string { return r.BLAS })
	rows = append(rows, []string{"Back end", page.Escape(cmp.Or(backEnds, m.Versions["blas"]))}, []string{"Methods", page.Escape(methodVersions(run.Records))})
	for _, name := range slices.Sorted(maps.Keys(m.Versions)) {
		if name != "blas" && !strings.HasPrefix(name, "method ") { // the records know better
			rows = append(rows, []string{"Version of " + page.Escape(name), page.Escape(m.Versions[name])})
		}
	}
	rows = append(rows, []string{"Filter", page.Code(m.Filter)})
	for i, s := range m.Starts {
		if len(m.Starts) > 1 {
			rows = append(rows, []string{fmt.Sprintf("Start %d", i+1), page.Escape(fmt.Sprintf("%s to %s, %d records, %s, %s, commit %s", s.Started,
				cmp.Or(s.Finished, "its end"), s.Written, s.Machine.String(), s.BLAS, cmp.Or(s.Commit, "unknown")))})
		}
	}
	rows = append(rows, []string{"Started", page.Escape(m.Started)}, []string{"Finished", cmp.Or(page.Escape(m.Finished), "not finished")})
	p.Table("ll", []string{"What", "Value"}, slices.DeleteFunc(rows, func(row []string) bool { return row[1] == "" }))
	p.populations(m)
	if m.Command != "" {
		p.Para("To make it again:")
		p.Shell(strings.TrimSpace(m.Command))
	}
}

// populations says what the data sets and kernels are.
func (p *document) populations(m results.Manifest) {
	var rows [][]string
	for _, id := range slices.Sorted(maps.Keys(m.Datasets)) {
		info := m.Datasets[id]
		constants := lists.Map(slices.Sorted(maps.Keys(info.Constants)), func(name string) string { return name + " = " + format.Number(info.Constants[name]) })
		what, print := info.Describe, page.Code(info.Fingerprint)
		if info.Absent != "" {
			what, print = what+": "+plain.Text(info.Absent), ""
		}
		rows = append(rows, []string{page.Code(id), page.Escape(what), page.Escape(strings.Join(constants, ", ")), print})
	}
	if len(rows) > 0 {
		p.Table("llll", []string{"Dataset", "What it is", "Constants", "Fingerprint"}, rows)
	}
	rows = nil
	for _, id := range slices.Sorted(maps.Keys(m.Kernels)) {
		rows = append(rows, []string{page.Code(id), page.Escape(m.Kernels[id])})
	}
	if len(rows) > 0 {
		p.Table("ll", []string{"Kernel", "Resolved to"}, rows)
	}
}

// tally lists the different texts of the records, with counts where there are
// several.
func tally(records []results.Record, of func(*results.Record) string) string {
	counts := map[string]int{}
	for i := range records {
		if text := of(&records[i]); text != "" {
			counts[text]++
		}
	}
	var parts []string
	for _, text := range slices.Sorted(maps.Keys(counts)) {
		if len(counts) > 1 {
			text = fmt.Sprintf("%s (%s)", text, plain.Count(counts[text], "record"))
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, ", ")
}

func methodVersions(records []results.Record) string {
	versions := map[string]bool{}
	for i := range records {
		r := &records[i]
		again := i > 0 && r.Version == records[i-1].Version && r.Method == records[i-1].Method
		if r.Version != "" && !again {
			versions[r.Method+" version "+r.Version] = true
		}
	}
	return strings.Join(slices.Sorted(maps.Keys(versions)), ", ")
}
