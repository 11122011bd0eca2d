package results

import (
	"cmp"
	"maps"
	"reflect"
	"slices"
)

// SortRecords puts records in canonical order: by dataset, kernel and method,
// then by the grid point's variables in the order given, then by any further
// variables in the order of their names, then by repeat, and at last by key.
//
// Cost: n log n comparisons of numbers for n records, beside those of the
// different points; records that are read from a file share theirs.
func SortRecords(records []Record, variables []string) {
	order := canonicalOrder(records, variables)
	if inOrder(records, order) {
		return
	}
	ranks := rankPoints(records, order)
	type place struct{ name, point, repeat, at int }
	names := map[[3]string]int{}
	for i := range records {
		if i == 0 || namesOf(&records[i]) != namesOf(&records[i-1]) {
			names[namesOf(&records[i])] = 0
		}
	}
	for rank, name := range slices.SortedFunc(maps.Keys(names), func(a, b [3]string) int { return slices.Compare(a[:], b[:]) }) {
		names[name] = rank
	}
	places := make([]place, len(records))
	name := 0
	for i := range records {
		r := &records[i]
		if i == 0 || namesOf(r) != namesOf(&records[i-1]) {
			name = names[namesOf(r)]
		}
		places[i] = place{name, ranks[addressOf(r.Point)], r.Repeat, i}
	}
	slices.SortFunc(places, func(a, b place) int {
		switch {
		case a.name != b.name:
			return a.name - b.name
		case a.point != b.point:
			return a.point - b.point
		case a.repeat != b.repeat:
			return a.repeat - b.repeat
		}
		return cmp.Compare(records[a.at].Key, records[b.at].Key)
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

func namesOf(r *Record) [3]string { return [3]string{r.Dataset, r.Kernel, r.Method} }

// addressOf tells maps apart, not what is in them.
func addressOf(point map[string]float64) uintptr { return reflect.ValueOf(point).Pointer() }

// rankPoints numbers the points of records by their place in the order, each by
// its address; equal points have equal numbers.
func rankPoints(records []Record, order func(a, b *Record) int) map[uintptr]int {
	var points []*Record
	ranks := map[uintptr]int{}
	for i := range records {
		if _, known := ranks[addressOf(records[i].Point)]; !known {
			ranks[addressOf(records[i].Point)] = 0
			points = append(points, &Record{Point: records[i].Point})
		}
	}
	slices.SortFunc(points, order)
	rank := 0
	for i := range points {
		if i > 0 && order(points[i-1], points[i]) != 0 {
			rank++
		}
		ranks[addressOf(points[i].Point)] = rank
	}
	return ranks
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
		if addressOf(a.Point) != addressOf(b.Point) {
			if c := comparePoints(a.Point, b.Point, order); c != 0 {
				return c
			}
		}
		if a.Repeat != b.Repeat {
			return cmp.Compare(a.Repeat, b.Repeat)
		}
		return cmp.Compare(a.Key, b.Key)
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
	seen := map[uintptr]bool{}
	var last uintptr
	for i := range records {
		at := addressOf(records[i].Point)
		again := i > 0 && at == last || seen[at]
		last = at
		if again {
			continue
		}
		if len(seen) < kept {
			seen[at] = true
		}
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
	return addressOf(r.Point) == addressOf(other.Point) || maps.Equal(r.Point, other.Point)
}

// SameCell says whether two records are repeats of one cell: all but the repeat,
// and what it measured, agrees.
func (r *Record) SameCell(other *Record) bool {
	return r.N == other.N && r.M == other.M && r.D == other.D && r.Ell == other.Ell && r.K == other.K &&
		r.Dataset == other.Dataset && r.Kernel == other.Kernel && r.Method == other.Method && r.SamePoint(other)
}
