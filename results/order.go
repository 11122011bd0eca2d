package results

import (
	"cmp"
	"maps"
	"slices"

	"mercer/internal/sizes"
)

// SortRecords puts records in canonical order: by dataset, kernel and method,
// then by the grid point's variables in the order given, then by any further
// variables in the order of their names, then by repeat, and at last by key.
//
// Cost: n log n comparisons of numbers for n records, beside those of their
// different points.
func SortRecords(records []Record, variables []string) {
	order := canonicalOrder(records, variables)
	if inOrder(records, order) {
		return
	}
	type place struct {
		cell, repeat int
		key          string
		at           int
	}
	cells := rankCells(records, order)
	places := make([]place, len(records))
	for i := range records {
		places[i] = place{cells[i], records[i].Repeat, records[i].Key, i}
	}
	slices.SortFunc(places, func(a, b place) int {
		return cmp.Or(cmp.Compare(a.cell, b.cell), cmp.Compare(a.repeat, b.repeat), cmp.Compare(a.key, b.key))
	})
	for i := range places { // go round each cycle of the permutation
		if places[i].at < 0 {
			continue
		}
		first := records[i]
		for k := i; ; {
			from := places[k].at
			places[k].at = -1
			if from == i {
				records[k] = first
				break
			}
			records[k] = records[from]
			k = from
		}
	}
}

// Sorted are records in canonical order, see [SortRecords]: themselves where they
// are in it, else a sorted copy.
func Sorted(records []Record, variables []string) []Record {
	if inOrder(records, canonicalOrder(records, variables)) {
		return records
	}
	records = slices.Clone(records)
	SortRecords(records, variables)
	return records
}

// inOrder is slices.IsSortedFunc without copies of the records.
func inOrder(records []Record, order func(a, b *Record) int) bool {
	for i := 1; i < len(records); i++ {
		if order(&records[i-1], &records[i]) > 0 {
			return false
		}
	}
	return true
}

// cell is what the repeats of one cell have in common.
type cell struct {
	dataset, kernel, method string
	sizes                   sizes.Sizes
	point                   string // see pointID
}

func cellOf(r *Record) cell {
	return cell{r.Dataset, r.Kernel, r.Method, r.Sizes, pointID(r.Point)}
}

// rankCells is the place in the order of each record's cell; cells that the order
// does not tell apart have one place.
func rankCells(records []Record, order func(a, b *Record) int) []int {
	var firsts []*Record            // of each cell, without repeat and key
	numbers := map[cell]int{}       // in firsts
	of := make([]int, len(records)) // numbers, then ranks
	for i := range records {
		r := &records[i]
		id := cellOf(r)
		number, known := numbers[id]
		if !known {
			number = len(firsts)
			numbers[id] = number
			firsts = append(firsts, &Record{Dataset: r.Dataset, Kernel: r.Kernel, Method: r.Method, Point: r.Point})
		}
		of[i] = number
	}
	sorted := make([]int, len(firsts))
	for i := range sorted {
		sorted[i] = i
	}
	slices.SortFunc(sorted, func(a, b int) int { return order(firsts[a], firsts[b]) })
	ranks, rank := make([]int, len(firsts)), 0
	for i, number := range sorted {
		if i > 0 && order(firsts[sorted[i-1]], firsts[number]) != 0 {
			rank++
		}
		ranks[number] = rank
	}
	for i := range of {
		of[i] = ranks[of[i]]
	}
	return of
}

// canonicalOrder compares records as [SortRecords] does.
func canonicalOrder(records []Record, variables []string) func(a, b *Record) int {
	order := slices.Clone(variables)
	for _, name := range PointNames(records) {
		if !slices.Contains(order, name) {
			order = append(order, name)
		}
	}
	return func(a, b *Record) int {
		if a.Dataset != b.Dataset || a.Kernel != b.Kernel || a.Method != b.Method {
			return cmp.Or(cmp.Compare(a.Dataset, b.Dataset), cmp.Compare(a.Kernel, b.Kernel), cmp.Compare(a.Method, b.Method))
		}
		if c := comparePoints(a.Point, b.Point, order); c != 0 {
			return c
		}
		return cmp.Or(cmp.Compare(a.Repeat, b.Repeat), cmp.Compare(a.Key, b.Key))
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
			if !names[name] {
				names[name] = true
			}
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
