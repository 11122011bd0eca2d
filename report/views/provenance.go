package views

import (
	"maps"
	"slices"
	"strings"

	"mercer/internal/lists"
	"mercer/internal/plain"
	"mercer/report/format"
)

// Populations are what the data sets and kernels of the rows are, and the data sets that are absent.
func (r *Report) Populations() Table {
	t := Table{Columns: columns("Dataset", "Kernel", "Data", "Resolved kernel", "Constants", "Fingerprint")}
	for _, id := range slices.Sorted(maps.Keys(r.Run.Catalog.Absent)) {
		row := Row("", "", "not available: "+plain.Text(r.Run.Catalog.Absent[id]), "", "", "")
		row[0] = Cell{Text: id, Mark: Code}
		t.Rows = append(t.Rows, row)
	}

	seen := map[[3]string]bool{}
	for _, row := range r.Run.Present() {
		id := [3]string{row.Dataset(), row.Kernel(), row.Population}
		if seen[id] || row.Population == "" {
			continue
		}
		seen[id] = true
		of := r.Run.Catalog.Populations[row.Population]
		constants := lists.Map(slices.Sorted(maps.Keys(of.Constants)), func(name string) string { return name + " = " + format.Number(of.Constants[name]) })
		t.Rows = append(t.Rows, []Cell{{Text: of.Dataset, Mark: Code}, {Text: row.Kernel(), Mark: Code}, {Text: of.Describe}, {Text: of.Kernel},
			{Text: strings.Join(constants, ", ")}, {Text: of.Fingerprint, Mark: Code}})
	}
	return t.filled()
}
