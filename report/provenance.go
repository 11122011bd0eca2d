package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"mercer/results"
)

// provenance says where it all comes from and how to make it again.
func (p *document) provenance(run results.Run) {
	m := run.Manifest
	p.heading(2, "Provenance")
	var rows [][]string
	add := func(name, text string) {
		if text != "" {
			rows = append(rows, []string{name, text})
		}
	}
	add("Experiment", code(m.Experiment))
	add("Profile", code(m.Profile))
	add("Spec, SHA-256", code(m.SpecHash))
	add("Seed", strconv.FormatUint(m.Seed, 10))
	add("Repeats", strconv.Itoa(m.Repeats))
	add("Records", fmt.Sprintf("%d of %d", len(run.Records), len(run.Records)+run.Missing()))
	add("Commit", cmp.Or(code(m.Commit), "unknown"))
	add("Machine", escape(machineText(m.Machine)))
	if m.Threads > 0 {
		add("Timed fits", "one after another, each on "+count(m.Threads, "processor"))
	}
	backEnds := tally(run.Records, func(r results.Record) string { return r.BLAS })
	add("Back end", escape(cmp.Or(backEnds, m.Versions["blas"])))
	add("Methods", escape(methodVersions(run.Records)))
	for _, name := range slices.Sorted(maps.Keys(m.Versions)) {
		if name != "blas" && !strings.HasPrefix(name, "method ") { // the records know better
			add("Version of "+escape(name), escape(m.Versions[name]))
		}
	}
	add("Filter", code(m.Filter))
	for i, s := range m.Starts {
		if len(m.Starts) > 1 {
			add(fmt.Sprintf("Start %d", i+1), escape(fmt.Sprintf("%s to %s, %d records, %s, %s, commit %s", s.Started,
				cmp.Or(s.Finished, "its end"), s.Written, machineText(s.Machine), s.BLAS, cmp.Or(s.Commit, "unknown"))))
		}
	}
	add("Started", escape(m.Started))
	add("Finished", cmp.Or(escape(m.Finished), "not finished"))
	p.table("ll", []string{"What", "Value"}, rows)
	p.datasets(m)
	p.kernels(m)
	if m.Command != "" {
		p.para("To make it again:")
		p.shell(strings.TrimSpace(m.Command))
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
			constants = append(constants, name+" = "+number(info.Constants[name]))
		}
		what, print := info.Describe, code(info.Fingerprint)
		if info.Absent != "" {
			what, print = what+": "+printable(info.Absent), ""
		}
		rows = append(rows, []string{code(id), escape(what), escape(strings.Join(constants, ", ")), print})
	}
	p.table("llll", []string{"Dataset", "What it is", "Constants", "Fingerprint"}, rows)
}

func (p *document) kernels(m results.Manifest) {
	if len(m.Kernels) == 0 {
		return
	}
	var rows [][]string
	for _, id := range slices.Sorted(maps.Keys(m.Kernels)) {
		rows = append(rows, []string{code(id), escape(m.Kernels[id])})
	}
	p.table("ll", []string{"Kernel", "Resolved to"}, rows)
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
		add(count(m.Cores, "core"))
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
			text = fmt.Sprintf("%s (%s)", text, count(counts[text], "record"))
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
