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
// each computation, see Distinct. The error is about columns that the run lacks.
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
func SplitBy(records []*results.Record, id func(*results.Record) (string, bool)) [][]*results.Record {
	var groups [][]*results.Record
	index := map[string]int{}
	for from := 0; from < len(records); {
		to := from + 1
		for to < len(records) && records[to].SameCell(records[to-1]) {
			to++
		}
		if text, ok := id(records[from]); ok {
			if i, known := index[text]; known {
				groups[i] = append(groups[i], records[from:to]...)
			} else {
				index[text] = len(groups)
				groups = append(groups, records[from:to:to])
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

// Pick are the records of the cells that accept takes, in their order: a part of
// records itself where they follow each other, which must not be written to, else a
// copy. Accept is asked of one record of a cell.
func Pick(records []*results.Record, accept func(*results.Record) bool) []*results.Record {
	var places span
	in := false
	for k, r := range records {
		if k == 0 || !r.SameCell(records[k-1]) {
			in = accept(r)
		}
		if in {
			places.add(k)
		}
	}
	return places.in(records)
}

// Distinct leaves one record of each computation: cells that differ only in a
// variable that their method does not use are no separate evidence. It does not
// change records.
func Distinct(records []*results.Record) []*results.Record {
	type computation struct{ dataset, kernel, method, work string }
	type cells struct {
		first   []*results.Record // of the first cell
		repeats map[int]bool      // of all of them, once there are several
	}
	known := map[computation]*cells{}
	var kept span
	for from := 0; from < len(records); {
		r := records[from]
		to := from + 1
		for to < len(records) && records[to].Work == r.Work && records[to].SameCell(r) {
			to++
		}
		id := computation{r.Dataset, r.Kernel, r.Method, r.Work}
		c := known[id]
		if c == nil {
			known[id] = &cells{first: records[from:to]}
		} else if c.repeats == nil {
			c.repeats = map[int]bool{}
			for i := range c.first {
				c.repeats[c.first[i].Repeat] = true
			}
		}
		for k := from; k < to; k++ {
			repeat := records[k].Repeat
			twice := k > from && records[k-1].Repeat == repeat
			if c != nil {
				twice = c.repeats[repeat]
				c.repeats[repeat] = true
			}
			if r.Work == "" || !twice {
				kept.add(k)
			}
		}
		from = to
	}
	return kept.in(records)
}

// span is places in a slice, in rising order.
type span struct {
	from, to int
	places   []int // nil where they are all from from to to
}

func (s *span) add(k int) {
	switch {
	case s.to == 0:
		s.from = k
	case s.places == nil && k > s.to:
		for i := s.from; i < s.to; i++ {
			s.places = append(s.places, i)
		}
		s.places = append(s.places, k)
	case s.places != nil:
		s.places = append(s.places, k)
	}
	s.to = k + 1
}

// in is what is in these places: a part of records itself where they follow each
// other, else a copy.
func (s span) in(records []*results.Record) []*results.Record {
	if s.places == nil {
		return records[s.from:s.to:s.to]
	}
	picked := make([]*results.Record, len(s.places))
	for i, k := range s.places {
		picked[i] = records[k]
	}
	return picked
}
