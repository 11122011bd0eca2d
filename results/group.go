package results

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"mercer/configs"
	"mercer/internal/lists"
)

// Group is rows that agree in some columns.
type Group struct {
	At   Key
	Rows []*Row
}

// GroupBy splits rows by the key that of gives, in the order in which the keys first occur.
// It asks of once for rows of one cell that follow each other.
func GroupBy(rows []*Row, of func(*Row) Key) []Group {
	var groups []Group
	index := map[Key]int{}
	for from, to := 0, 0; from < len(rows); from = to {
		for to = from + 1; to < len(rows) && rows[to].At == rows[from].At; {
			to++
		}
		at := of(rows[from])
		i, known := index[at]
		if !known {
			index[at] = len(groups)
			groups = append(groups, Group{At: at, Rows: rows[from:to:to]})
			continue
		}
		groups[i].Rows = append(groups[i].Rows, rows[from:to]...)
	}
	return groups
}

// Cells splits rows into cells, each with its repeats.
func Cells(rows []*Row) []Group { return GroupBy(rows, func(r *Row) Key { return r.At }) }

// Meeting splits rows by columns. A row without a value in one of the columns stands in every
// group that it meets: with by m, the row of a method that has no m is in the group of every
// m. Where it meets none it has a group of its own.
func Meeting(rows []*Row, columns []string) []Group {
	groups := GroupBy(rows, func(r *Row) Key { return r.At.Only(columns...) })
	within := func(a, b Key) bool { // a has fewer columns, and agrees in these
		return len(a.Names()) < len(b.Names()) && b.Only(a.Names()...) == a.Only(a.Names()...)
	}
	var whole []Group
	for _, g := range groups {
		if !slices.ContainsFunc(groups, func(other Group) bool { return within(g.At, other.At) }) {
			whole = append(whole, g)
		}
	}
	for i, g := range whole {
		for _, part := range groups {
			if within(part.At, g.At) {
				whole[i].Rows = slices.Concat(whole[i].Rows, part.Rows)
			}
		}
	}
	return whole
}

// Varying are the columns, but for dataset, kernel and method, of which rows have several
// values, in the order of the table.
func (r *Run) Varying(rows []*Row) []string {
	var names []string
	for _, c := range r.Catalog.Columns {
		if c.Name == "dataset" || c.Name == "kernel" || c.Name == "method" {
			continue
		}
		var first Value
		several := func(row *Row) bool {
			v := row.At.Get(c.Name)
			if first.Kind == configs.None {
				first = v
			}
			return v.Kind != configs.None && v != first
		}
		if slices.ContainsFunc(rows, several) {
			names = append(names, c.Name)
		}
	}
	return names
}

// Match says whether a row has one of the values that conditions ask of each column; a
// column that it does not use matches every value.
func (r *Row) Match(where configs.Conditions) bool {
	return where.Match(func(name string) (Value, bool) { return r.At.Get(name), true })
}

// Present are the rows of the run, in canonical order, without those of data sets that are
// absent.
func (r *Run) Present() []*Row {
	rows := make([]*Row, 0, len(r.Rows))
	for i := range r.Rows {
		if r.Catalog.Absent[r.Rows[i].Dataset()] == "" {
			rows = append(rows, &r.Rows[i])
		}
	}
	return rows
}

// Select are the present rows that conditions pick. The error is about columns that the run
// lacks.
func (r *Run) Select(where configs.Conditions) ([]*Row, error) {
	if err := r.checkColumns(slices.Sorted(maps.Keys(where))); err != nil {
		return nil, err
	}
	return lists.Where(r.Present(), func(row *Row) bool { return row.Match(where) }), nil
}

// Groups picks and splits: by data set and kernel always; by method unless methods are
// compared, which then share a group and are the only ones picked; then by the columns of
// the selection.
func (r *Run) Groups(s configs.Selection, compared []string) ([]Group, error) {
	if err := r.checkColumns(s.By.Texts()); err != nil {
		return nil, err
	}
	rows, err := r.Select(s.Where)
	if err != nil {
		return nil, err
	}
	split := []string{"dataset", "kernel", "method"}
	if compared != nil {
		split = split[:2]
		rows = lists.Where(rows, func(row *Row) bool { return slices.Contains(compared, row.Method()) })
	}
	for _, name := range s.By.Texts() {
		if !slices.Contains(split, name) && !(name == "method" && compared != nil) {
			split = append(split, name)
		}
	}
	return Meeting(rows, split), nil
}

// Filtered is the run with the rows that conditions pick; itself where there are no
// conditions. It is an error where they pick nothing.
func (r Run) Filtered(where configs.Conditions) (Run, error) {
	if len(where) == 0 {
		return r, nil
	}
	if err := r.checkColumns(slices.Sorted(maps.Keys(where))); err != nil {
		return r, err
	}
	r.Rows = slices.DeleteFunc(slices.Clone(r.Rows), func(row Row) bool { return !row.Match(where) })
	if len(r.Rows) == 0 {
		return r, errors.New("it picks no row")
	}
	return r, nil
}

// checkColumns refuses columns that the run has not, which would pick nothing.
func (r *Run) checkColumns(names []string) error {
	known := lists.Map(r.Catalog.Columns, func(c Column) string { return c.Name })
	for _, name := range names {
		if !slices.Contains(known, name) {
			return fmt.Errorf("%s", configs.Unknown("column", name, "its selection", known))
		}
	}
	return nil
}
