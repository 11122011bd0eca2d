package selection

import (
	"slices"

	"mercer/configs"
	"mercer/results"
)

// Group is the records of one part of a selection, in canonical order. At are the
// columns that split it off.
type Group struct {
	At      []Coordinate
	Dataset string
	Records []*results.Record // not to be changed: it may be a part of Records.All
}

// Groups picks and splits. Methods, when given, are compared with each other:
// only they are picked and they share a group; else each group has one record of
// each computation, see Distinct. Data sets, kernels and methods come in the order of the
// spec. The error is about columns that the run lacks.
func (r *Records) Groups(s configs.Selection, methods []string) ([]Group, error) {
	if err := r.checkColumns(s); err != nil {
		return nil, err
	}
	split := []string{"dataset", "kernel"}
	if methods == nil {
		split = append(split, "method")
	}
	for _, name := range s.By.Texts() {
		if !slices.Contains(split, name) && !(name == "method" && methods != nil) {
			split = append(split, name)
		}
	}
	picked := Pick(r.All, func(record *results.Record) bool {
		return Matches(record, s.Where) && (methods == nil || slices.Contains(methods, record.Method))
	})
	groups := Split(picked, split)
	slices.SortStableFunc(groups, r.Order.compareGroups)
	if methods == nil {
		for i := range groups {
			groups[i].Records = Distinct(groups[i].Records)
		}
	}
	return groups, nil
}

// Pick are the records of the cells that where picks.
func (r *Records) Pick(where configs.Conditions) []*results.Record {
	return Pick(r.All, func(record *results.Record) bool { return Matches(record, where) })
}

// Split splits records by columns, in the order in which their values first occur.
func Split(records []*results.Record, columns []string) []Group {
	var groups []Group
	for _, in := range SplitBy(records, func(r *results.Record) (string, bool) { return Describe(columnsOf(r, columns)), true }) {
		groups = append(groups, Group{At: columnsOf(in[0], columns), Dataset: in[0].Dataset, Records: in})
	}
	return groups
}

// SplitBy splits records by an id that all repeats of a cell have, in the order in
// which the ids first occur; those without one are in no group. The groups are not
// to be changed: where their records follow each other they are parts of these.
func SplitBy[ID comparable](records []*results.Record, id func(*results.Record) (ID, bool)) [][]*results.Record {
	return split(records, func(r *results.Record) *results.Record { return r }, id)
}

// split is SplitBy for what has a record each.
func split[T any, ID comparable](list []T, record func(T) *results.Record, id func(*results.Record) (ID, bool)) [][]T {
	var groups [][]T
	index := map[ID]int{}
	for from := 0; from < len(list); {
		to := from + 1
		for to < len(list) && record(list[to]).SameCell(record(list[to-1])) {
			to++
		}
		if one, ok := id(record(list[from])); ok {
			if i, known := index[one]; known {
				groups[i] = append(groups[i], list[from:to]...)
			} else {
				index[one] = len(groups)
				groups = append(groups, list[from:to:to])
			}
		}
		from = to
	}
	return groups
}

// columnsOf are a record's coordinates in those columns that it has.
func columnsOf(r *results.Record, columns []string) []Coordinate {
	var at []Coordinate
	for _, name := range columns {
		if text, ok := Column(r, name); ok && text != "" {
			at = append(at, Coordinate{Name: name, Value: text})
		}
	}
	return at
}

// Pick are the records of the cells that accept takes, in their order. Accept is
// asked of one record of a cell.
func Pick(records []*results.Record, accept func(*results.Record) bool) []*results.Record {
	var picked []*results.Record
	in := false
	for k, r := range records {
		if k == 0 || !r.SameCell(records[k-1]) {
			in = accept(r)
		}
		if in {
			picked = append(picked, r)
		}
	}
	return picked
}

// Distinct leaves one record of each computation: cells that differ only in a
// variable that their method does not use are no separate evidence. It does not
// change records.
func Distinct(records []*results.Record) []*results.Record {
	type computation struct{ dataset, kernel, method, work string }
	known := map[computation]map[int]bool{} // the repeats
	var repeats map[int]bool                // of the computation of the last record
	var kept []*results.Record
	for k, r := range records {
		if r.Work == "" {
			kept = append(kept, r)
			continue
		}
		if k == 0 || records[k-1].Work != r.Work || !r.SameCell(records[k-1]) {
			id := computation{r.Dataset, r.Kernel, r.Method, r.Work}
			if repeats = known[id]; repeats == nil {
				repeats = map[int]bool{}
				known[id] = repeats
			}
		}
		if !repeats[r.Repeat] {
			repeats[r.Repeat] = true
			kept = append(kept, r)
		}
	}
	return kept
}

// compareGroups compares groups by the first of their coordinates that differs.
func (o Order) compareGroups(a, b Group) int {
	for i := range min(len(a.At), len(b.At)) {
		if x, y := a.At[i], b.At[i]; x.Name == y.Name && x.Value != y.Value {
			return o.Compare(x.Name, x.Value, y.Value)
		}
	}
	return 0
}
