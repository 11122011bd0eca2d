package views

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"mercer/internal/lists"
	"mercer/internal/plain"
	"mercer/report/format"
	"mercer/results"
)

// BackEnds are those that the rows were computed by, with counts where there are several.
func (r *Report) BackEnds() string {
	counts := map[string]int{}
	for i := range r.Run.Rows {
		counts[r.Run.Rows[i].BLAS]++
	}
	delete(counts, "")
	var parts []string
	for _, text := range slices.Sorted(maps.Keys(counts)) {
		if len(counts) > 1 {
			text = fmt.Sprintf("%s (%s)", text, plain.Count(counts[text], "row"))
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, ", ")
}

// MethodVersions are those of the rows: "ekpca 2", each once.
func (r *Report) MethodVersions() string {
	versions := map[string]bool{}
	for i := range r.Run.Rows {
		row := &r.Run.Rows[i]
		again := i > 0 && row.Version == r.Run.Rows[i-1].Version && row.At == r.Run.Rows[i-1].At
		if row.Version != "" && !again {
			versions[row.Method()+" version "+row.Version] = true
		}
	}
	return strings.Join(slices.Sorted(maps.Keys(versions)), ", ")
}

// Versions are those of what is no method, by name; the rows know the back end.
func (r *Report) Versions() map[string]string {
	versions := maps.Clone(r.Run.Manifest.Versions)
	maps.DeleteFunc(versions, func(name, _ string) bool { return name == "blas" || strings.HasPrefix(name, "method ") })
	return versions
}

// Datasets are what the data sets are, and ResolvedKernels what the kernels are.
func (r *Report) Datasets() Table {
	rows := map[string][]Cell{}
	for id, why := range r.Run.Catalog.Absent {
		rows[id] = Row("", "not available: "+plain.Text(why), "", "")
		rows[id][0] = Cell{Text: id, Mark: Code}
	}
	for _, of := range r.populations() {
		constants := lists.Map(slices.Sorted(maps.Keys(of.Constants)), func(name string) string { return name + " = " + format.Number(of.Constants[name]) })
		rows[of.Dataset+"\x00"+of.Describe] = []Cell{{Text: of.Dataset, Mark: Code}, {Text: of.Describe}, {Text: strings.Join(constants, ", ")}, {Text: of.Fingerprint, Mark: Code}}
	}
	return Table{Columns: columns("Dataset", "What it is", "Constants", "Fingerprint"), Rows: sorted(rows)}
}

func (r *Report) ResolvedKernels() Table {
	rows := map[string][]Cell{}
	for _, one := range results.GroupBy(r.Run.Present(), func(row *results.Row) results.Key { return row.At.Only("dataset", "kernel") }) {
		for _, row := range one.Rows {
			of := r.Run.Catalog.Populations[row.Population]
			name := row.Kernel()
			if r.Names.several["dataset"] {
				name += " on " + of.Dataset
			}
			if row.Population != "" {
				rows[name+"\x00"+of.Kernel] = []Cell{{Text: name, Mark: Code}, {Text: of.Kernel}}
			}
		}
	}
	return Table{Columns: columns("Kernel", "Resolved to"), Rows: sorted(rows)}
}

// sorted are rows in the order of their keys.
func sorted(rows map[string][]Cell) [][]Cell {
	return lists.Map(slices.Sorted(maps.Keys(rows)), func(key string) []Cell { return rows[key] })
}
