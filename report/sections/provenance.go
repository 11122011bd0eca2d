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
		{"Experiment", page.Code(run.Spec.Name)}, {"Profile", page.Code(m.Profile)}, {"Spec, SHA-256", page.Code(m.SpecSum)},
		{"Seed", strconv.FormatUint(run.Spec.Seed, 10)}, {"Repeats", strconv.Itoa(m.Repeats)},
		{"Records", fmt.Sprintf("%d of %d", len(run.Rows), len(run.Rows)+run.Missing())},
		{"Commit", cmp.Or(page.Code(m.Commit), "unknown: build mercer in a git clone, by make or "+page.Code("go install -buildvcs=auto ."))}, {"Machine", page.Escape(m.Machine.String())},
	}
	if m.Threads > 0 {
		rows = append(rows, []string{"Timed fits", "one after another, each on " + plain.Count(m.Threads, "processor")})
	}
	backEnds := tally(run.Rows, func(r *results.Row) string { return r.BLAS })
	rows = append(rows, []string{"Back end", page.Escape(cmp.Or(backEnds, m.Versions["blas"]))}, []string{"Methods", page.Escape(methodVersions(run.Rows))})
	for _, name := range slices.Sorted(maps.Keys(m.Versions)) {
		if name != "blas" && !strings.HasPrefix(name, "method ") { // the rows know better
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
	p.populations(run)
	if m.Command != "" {
		p.Para("To make it again:")
		p.Shell(strings.TrimSpace(m.Command))
	}
}

// populations says what the data sets and kernels are.
func (p *document) populations(run results.Run) {
	datasets, kernels := map[string][]string{}, map[string][]string{} // by id and what it is
	for id, why := range run.Catalog.Absent {
		datasets[id] = []string{page.Code(id), page.Escape("not available: " + plain.Text(why)), "", ""}
	}
	seen := map[string]bool{"": true}
	for _, row := range run.Present() {
		if seen[row.Population] {
			continue
		}
		seen[row.Population] = true
		of := run.Catalog.Populations[row.Population]
		constants := lists.Map(slices.Sorted(maps.Keys(of.Constants)), func(name string) string { return name + " = " + format.Number(of.Constants[name]) })
		datasets[of.Dataset+"\x00"+of.Describe] = []string{page.Code(of.Dataset), page.Escape(of.Describe), page.Escape(strings.Join(constants, ", ")), page.Code(of.Fingerprint)}
		name := row.Kernel()
		if p.several["dataset"] {
			name += " on " + of.Dataset
		}
		kernels[name+"\x00"+of.Kernel] = []string{page.Code(name), page.Escape(of.Kernel)}
	}
	sorted := func(rows map[string][]string) [][]string {
		return lists.Map(slices.Sorted(maps.Keys(rows)), func(id string) []string { return rows[id] })
	}
	if len(datasets) > 0 {
		p.Table("llll", []string{"Dataset", "What it is", "Constants", "Fingerprint"}, sorted(datasets))
	}
	if len(kernels) > 0 {
		p.Table("ll", []string{"Kernel", "Resolved to"}, sorted(kernels))
	}
}

// tally lists the different texts of the rows, with counts where there are
// several.
func tally(rows []results.Row, of func(*results.Row) string) string {
	counts := map[string]int{}
	for i := range rows {
		if text := of(&rows[i]); text != "" {
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

func methodVersions(rows []results.Row) string {
	versions := map[string]bool{}
	for i := range rows {
		r := &rows[i]
		again := i > 0 && r.Version == rows[i-1].Version && r.At == rows[i-1].At
		if r.Version != "" && !again {
			versions[r.Method()+" version "+r.Version] = true
		}
	}
	return strings.Join(slices.Sorted(maps.Keys(versions)), ", ")
}
