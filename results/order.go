package results

import (
	"cmp"
	"iter"
	"maps"
	"slices"
	"sort"
	"time"

	"mercer/internal/lists"
	"mercer/internal/sizes"
)

// SortRecords puts records in canonical order: by dataset, kernel and method,
// then by the grid point's variables in the order given, then by any further
// variables in the order of their names, then by repeat, and at last by key.
func SortRecords(records []Record, variables []string) {
	less := canonicalOrder(records, variables)
	if !sort.SliceIsSorted(records, less) {
		sort.Slice(records, less) // in their places: a record is large
	}
}

// Sorted are records in canonical order, see [SortRecords]: themselves where they
// are in it, else a sorted copy.
func Sorted(records []Record, variables []string) []Record {
	if !sort.SliceIsSorted(records, canonicalOrder(records, variables)) {
		records = slices.Clone(records)
		SortRecords(records, variables)
	}
	return records
}

// Cell is what the repeats of one cell have in common: a key of maps.
type Cell struct {
	Dataset, Kernel, Method string
	sizes.Sizes
	point string // see pointID
}

// CellOf is a record's cell: two records have the same one where
// [Record.SameCell] says so.
func CellOf(r *Record) Cell {
	return Cell{r.Dataset, r.Kernel, r.Method, r.Sizes, pointID(r.Point)}
}

// ByCell are the parts of records whose cell is the same: the cells, in canonical
// order, where the repeats of a cell follow each other.
func ByCell(records []Record) iter.Seq[[]Record] {
	return func(yield func([]Record) bool) {
		for from, to := 0, 0; from < len(records); from = to {
			for to = from + 1; to < len(records) && records[to].SameCell(&records[from]); {
				to++
			}
			if !yield(records[from:to]) {
				return
			}
		}
	}
}

// canonicalOrder says whether record i is to stand before record j, as
// [SortRecords] wants it.
func canonicalOrder(records []Record, variables []string) func(i, j int) bool {
	order := lists.Once(slices.Concat(variables, PointNames(records)))
	return func(i, j int) bool {
		a, b := &records[i], &records[j]
		if a.Dataset != b.Dataset || a.Kernel != b.Kernel || a.Method != b.Method {
			return cmp.Or(cmp.Compare(a.Dataset, b.Dataset), cmp.Compare(a.Kernel, b.Kernel), cmp.Compare(a.Method, b.Method)) < 0
		}
		if c := comparePoints(a.Point, b.Point, order); c != 0 {
			return c < 0
		}
		return cmp.Or(cmp.Compare(a.Repeat, b.Repeat), cmp.Compare(a.Key, b.Key)) < 0
	}
}

// comparePoints compares variable by variable; a point without a variable
// comes before one with it.
func comparePoints(a, b map[string]float64, order []string) int {
	for _, name := range order {
		x, inA := a[name]
		y, inB := b[name]
		switch {
		case inA && !inB:
			return 1
		case inB && !inA:
			return -1
		}
		if c := cmp.Compare(x, y); c != 0 {
			return c
		}
	}
	return 0
}

// PointNames are the names of the variables in the points of records, sorted.
func PointNames(records []Record) []string {
	names := map[string]bool{}
	for i := range records {
		for name := range records[i].Point {
			names[name] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// SamePoint says whether two records have the same grid point.
func (r *Record) SamePoint(other *Record) bool {
	return maps.Equal(r.Point, other.Point)
}

// SameCell says whether two records are repeats of one cell: all but the repeat,
// and what it measured, agrees.
func (r *Record) SameCell(other *Record) bool {
	return r.Sizes == other.Sizes && r.Dataset == other.Dataset && r.Kernel == other.Kernel && r.Method == other.Method && r.SamePoint(other)
}

// instant brings an RFC 3339 time into a form that sorts as text; what is no
// time sorts first.
func instant(started string) string {
	t, err := time.Parse(time.RFC3339, started)
	if err != nil {
		return ""
	}
	return t.UTC().Format("2006-01-02T15:04:05.000000000Z")
}
