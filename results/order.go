package results

import (
	"cmp"
	"sort"

	"mercer/configs"
	"mercer/internal/lists"
)

// sortRows puts rows in canonical order: data sets, kernels and methods as the spec lists
// them, then column by column in the order of the table (rows without a value first, numbers
// ascending, texts as the spec lists them), then by repeat.
func sortRows(rows []Row, spec *configs.Spec, catalog Catalog) {
	order := orderOf(spec, catalog)
	names := lists.Map(catalog.Columns, func(c Column) string { return c.Name })

	compare := func(a, b *Row) int {
		if a.At != b.At {
			for _, name := range names {
				if c := order(name, a.At.Get(name), b.At.Get(name)); c != 0 {
					return c
				}
			}
		}
		return cmp.Or(cmp.Compare(a.Repeat, b.Repeat), cmp.Compare(a.ID, b.ID))
	}
	less := func(i, j int) bool { return compare(&rows[i], &rows[j]) < 0 }
	if !sort.SliceIsSorted(rows, less) {
		sort.Slice(rows, less) // in their places: a row is large
	}
}

// Order compares two values of a column, in the order of the table.
type Order func(column string, a, b Value) int

// Order is that of the run.
func (r *Run) Order() Order { return orderOf(r.Spec, r.Catalog) }

func orderOf(spec *configs.Spec, catalog Catalog) Order {
	places := map[string]map[string]int{ // of texts, by column
		"dataset": placeOf(configs.IDs(spec.Datasets)), "kernel": placeOf(configs.IDs(spec.Kernels)), "method": placeOf(configs.IDs(spec.Methods)),
	}
	for _, column := range catalog.Columns {
		if column.Texts != nil {
			places[column.Name] = placeOf(column.Texts)
		}
	}
	return func(column string, a, b Value) int {
		if a.Kind != configs.Text || b.Kind != configs.Text {
			return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Number, b.Number)) // none is the least kind
		}
		at := places[column]
		place := func(text string) int {
			if i, known := at[text]; known {
				return i
			}
			return len(at)
		}
		return cmp.Or(cmp.Compare(place(a.Text), place(b.Text)), cmp.Compare(a.Text, b.Text))
	}
}

// placeOf says where each of some texts stands.
func placeOf(texts []string) map[string]int {
	places := make(map[string]int, len(texts))
	for i, text := range texts {
		places[text] = i
	}
	return places
}
