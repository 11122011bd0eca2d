package sections

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"mercer/report/format"
	"mercer/report/page"
	"mercer/results"
)

// provenance says where it all comes from and how to make it again.
func (p *document) provenance(run results.Run) {
	m := run.Manifest
	p.Heading(2, "Provenance")
	var rows [][]string
	add := func(name, text string) {
		if text != "" {
			rows = append(rows, []string{name, text})
		}
	}
	add("Experiment", page.Code(m.Experiment))
	add("Profile", page.Code(m.Profile))
	add("Spec, SHA-256", page.Code(m.SpecHash))
	add("Seed", strconv.FormatUint(m.Seed, 10))
	add("Repeats", strconv.Itoa(m.Repeats))
	add("Records", fmt.Sprintf("%d of %d", len(run.Records), len(run.Records)+run.Missing()))
	add("Commit", cmp.Or(page.Code(m.Commit), "unknown"))
	add("Machine", page.Escape(machineText(m.Machine)))
	if m.Threads > 0 {
		add("Timed fits", "one after another, each on "+format.Count(m.Threads, "processor"))
	}
	backEnds := tally(run.Records, func(r results.Record) string { return r.BLAS })
	add("Back end", page.Escape(cmp.Or(backEnds, m.Versions["blas"])))
	add("Methods", page.Escape(methodVersions(run.Records)))
	for _, name := range slices.Sorted(maps.Keys(m.Versions)) {
		if name != "blas" && !strings.HasPrefix(name, "method ") { // the records know better
			add("Version of "+page.Escape(name), page.Escape(m.Versions[name]))
		}
	}
	add("Filter", page.Code(m.Filter))
	for i, s := range m.Starts {
		if len(m.Starts) > 1 {
			add(fmt.Sprintf("Start %d", i+1), page.Escape(fmt.Sprintf("%s to %s, %d records, %s, %s, commit %s", s.Started,
				cmp.Or(s.Finished, "its end"), s.Written, machineText(s.Machine), s.BLAS, cmp.Or(s.Commit, "unknown"))))
		}
	}
	add("Started", page.Escape(m.Started))
	add("Finished", cmp.Or(page.Escape(m.Finished), "not finished"))
	p.Table("ll", []string{"What", "Value"}, rows)
	p.datasets(m)
	p.kernels(m)
	if m.Command != "" {
		p.Para("To make it again:")
		p.Shell(strings.TrimSpace(m.Command))
	}
}

func (p *document) datasets(m results.Manifest) {
	if len(m.Datasets) == 0 {
		return
	}
	var rows [][]string
	for _, id := range slices.Sorted(maps.Keys(m.Datasets)) {
		info := m.Datasets[id]
		var constants []string
		for _, name := range slices.Sorted(maps.Keys(info.Constants)) {
			constants = append(constants, name+" = "+format.Number(info.Constants[name]))
		}
		what, print := info.Describe, page.Code(info.Fingerprint)
		if info.Absent != "" {
			what, print = what+": "+format.Printable(info.Absent), ""
		}
		rows = append(rows, []string{page.Code(id), page.Escape(what), page.Escape(strings.Join(constants, ", ")), print})
	}
	p.Table("llll", []string{"Dataset", "What it is", "Constants", "Fingerprint"}, rows)
}

func (p *document) kernels(m results.Manifest) {
	if len(m.Kernels) == 0 {
		return
	}
	var rows [][]string
	for _, id := range slices.Sorted(maps.Keys(m.Kernels)) {
		rows = append(rows, []string{page.Code(id), page.Escape(m.Kernels[id])})
	}
	p.Table("ll", []string{"Kernel", "Resolved to"}, rows)
}

func machineText(m results.Machine) string {
	var parts []string
	add := func(text string) {
		if text != "" {
			parts = append(parts, text)
		}
	}
	add(m.CPU)
	if m.Cores > 0 {
		add(format.Count(m.Cores, "core"))
	}
	if m.Memory > 0 {
		add(fmt.Sprintf("%.1f GiB memory", float64(m.Memory)/(1<<30)))
	}
	add(strings.Trim(m.OS+"/"+m.Arch, "/"))
	return strings.Join(parts, ", ")
}

// tally lists the different texts of the records, with counts where there are
// several.
func tally(records []results.Record, of func(results.Record) string) string {
	counts := map[string]int{}
	for _, r := range records {
		if text := of(r); text != "" {
			counts[text]++
		}
	}
	var parts []string
	for _, text := range slices.Sorted(maps.Keys(counts)) {
		if len(counts) > 1 {
			text = fmt.Sprintf("%s (%s)", text, format.Count(counts[text], "record"))
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
