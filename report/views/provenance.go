package views

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"mercer/internal/lists"
	"mercer/internal/plain"
	"mercer/report/format"
)

// Populations are what the data sets and kernels of the rows are.
func (r *Report) Populations() Table {
	t := Table{Columns: columns("Dataset", "Kernel", "Data", "Resolved kernel", "Constants", "Fingerprint")}
	seen := map[[2]string]bool{}
	for _, row := range r.Run.Present() {
		id := [2]string{row.Kernel(), row.Population}
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

var manyDigits = regexp.MustCompile(`[0-9]+\.[0-9]{7,}`)

// short has the first six digits of a number.
func short(number string) string {
	v, _ := strconv.ParseFloat(number, 64)
	return plain.Six(v)
}

// Kernels are those of the data sets as they were resolved, in few digits: "sphere: gaussian exp(-0.11*d^2)".
func (r *Report) Kernels() []string {
	var texts []string
	for _, population := range r.Run.Catalog.Populations {
		if population.Kernel != "" {
			texts = append(texts, population.Dataset+": "+manyDigits.ReplaceAllStringFunc(population.Kernel, short))
		}
	}
	return slices.Compact(slices.Sorted(slices.Values(texts)))
}
