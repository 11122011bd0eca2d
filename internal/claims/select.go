package claims

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"mercer/configs"
	"mercer/internal/sizes"
	"mercer/results"
)

// group is the records that one verdict is about, in canonical order.
type group struct {
	at      []Coordinate
	dataset string
	records []*results.Record
}

// number is a record's value in a numeric column, as selections and pairing see
// it: that of the grid point, before a method's own sizes; where the grid lacks
// it, the size that the method set.
func number(r *results.Record, name string) (float64, bool) {
	if v, ok := r.Point[name]; ok {
		return v, true
	}
	return ownSize(r, name)
}

// axis is a record's value of the variable that a claim goes along: the size
// that the method used, or a grid variable.
func axis(r *results.Record, name string) (float64, bool) {
	if v, ok := ownSize(r, name); ok {
		return v, true
	}
	v, ok := r.Point[name]
	return v, ok
}

func ownSize(r *results.Record, name string) (float64, bool) {
	size := r.Sizes.Get(name)
	return float64(size), size > 0
}

// column is a record's value in any column, as text.
func column(r *results.Record, name string) (string, bool) {
	switch name {
	case "dataset":
		return r.Dataset, true
	case "kernel":
		return r.Kernel, true
	case "method":
		return r.Method, true
	}
	v, ok := number(r, name)
	return results.FormatFloat(v), ok
}

// matches says whether r has one of the values that where asks of each column.
func matches(r *results.Record, where configs.Conditions) bool {
	names := map[string]string{"dataset": r.Dataset, "kernel": r.Kernel, "method": r.Method}
	return where.Match(names, func(name string) (float64, bool) { return number(r, name) })
}

// groups picks and splits. methods, when given, are compared with each other:
// only they are picked and they share a group.
func (j *judge) groups(s configs.Selection, methods []string) ([]group, error) {
	if err := j.checkColumns(s); err != nil {
		return nil, err
	}
	split := []string{"dataset", "kernel"}
	if methods == nil {
		split = append(split, "method")
	}
	for _, name := range s.By {
		if !slices.Contains(split, name) && !(name == "method" && methods != nil) {
			split = append(split, name)
		}
	}
	var out []group
	var members []span
	index := map[string]int{}
	var last, before *results.Record // that was picked; that was looked at
	picked, i := false, 0
	for k := range j.records {
		r := j.records[k]
		if before == nil || !r.SameCell(before) {
			picked = matches(r, s.Where) && (methods == nil || slices.Contains(methods, r.Method))
		}
		before = r
		if !picked {
			continue
		}
		if last == nil || !r.SameCell(last) && !sameColumns(r, last, split) {
			var at []Coordinate
			for _, name := range split {
				if text, ok := column(r, name); ok && !(name == "kernel" && text == "") {
					at = append(at, Coordinate{Name: name, Value: text})
				}
			}
			id := describe(at)
			known := false
			if i, known = index[id]; !known {
				i = len(out)
				index[id] = i
				out, members = append(out, group{at: at, dataset: r.Dataset}), append(members, span{})
			}
		}
		last = r
		members[i].add(k)
	}
	for i := range out {
		out[i].records = members[i].of(j.records)
	}
	if methods == nil {
		for i := range out {
			out[i].records = distinct(out[i].records)
		}
	}
	return out, nil
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

// of is what is in these places: a part of records itself where they follow each
// other, which must not be written to, else a copy.
func (s span) of(records []*results.Record) []*results.Record {
	if s.places == nil {
		return records[s.from:s.to:s.to]
	}
	picked := make([]*results.Record, len(s.places))
	for i, k := range s.places {
		picked[i] = records[k]
	}
	return picked
}

// sameColumns says whether two records agree in all of the columns.
func sameColumns(a, b *results.Record, columns []string) bool {
	for _, name := range columns {
		same := false
		switch name {
		case "dataset":
			same = a.Dataset == b.Dataset
		case "kernel":
			same = a.Kernel == b.Kernel
		case "method":
			same = a.Method == b.Method
		default:
			x, inA := number(a, name)
			y, inB := number(b, name)
			same = inA == inB && x == y
		}
		if !same {
			return false
		}
	}
	return true
}

// distinct leaves one record of each computation: cells that differ only in a
// variable that their method does not use are no separate evidence. It does not
// change records.
func distinct(records []*results.Record) []*results.Record {
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
	return kept.of(records)
}

// checkColumns refuses columns that the run has not, which would pick nothing.
func (j *judge) checkColumns(s configs.Selection) error {
	known := append([]string{"dataset", "kernel", "method"}, sizes.Names...)
	known = append(known, j.run.Manifest.Variables...)
	known = append(known, j.all...)
	for _, name := range slices.Concat(slices.Sorted(maps.Keys(s.Where)), s.By) {
		if !slices.Contains(known, name) {
			return fmt.Errorf("%s", configs.Unknown("column", name, "its selection", known))
		}
	}
	return nil
}

// describe writes coordinates as "dataset=poly2 method=nystrom theta=0.5".
func describe(at []Coordinate) string {
	parts := make([]string, len(at))
	for i, c := range at {
		parts[i] = c.Name + "=" + c.Value
	}
	return strings.Join(parts, " ")
}

// variables lists the names in the points of records, in the manifest's order
// and then by name.
func (j *judge) variables(records []*results.Record) []string {
	names := map[string]bool{}
	for i, r := range records {
		if i > 0 && r.SamePoint(records[i-1]) {
			continue
		}
		for name := range r.Point {
			names[name] = true
		}
	}
	return j.inOrder(slices.Sorted(maps.Keys(names)))
}

// variablesOf are the variables of readings' records.
func (j *judge) variablesOf(readings []reading) []string { return j.variables(recordsOf(readings)) }

// inOrder are sorted names in the manifest's order and then by name.
func (j *judge) inOrder(rest []string) []string {
	var names []string
	for _, name := range j.run.Manifest.Variables {
		if slices.Contains(rest, name) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, name := range rest {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// pointID is a record's grid point as text, over the variables given.
func pointID(r *results.Record, variables []string) string {
	var b strings.Builder
	for _, name := range variables {
		if v, ok := r.Point[name]; ok {
			b.WriteString(name + "=" + results.FormatFloat(v) + " ")
		}
	}
	return b.String()
}

// cellID is all of a record's cell that can differ in one method's group.
func cellID(r *results.Record, variables []string) string {
	return fmt.Sprint(pointID(r, variables), r.Sizes)
}

// coordinates tells the cells of records apart for a reader.
type coordinates struct {
	variables []string
	values    map[string]map[float64]bool       // that a variable takes, 0 where a record lacks it
	used      map[string]map[string]axisAtPoint // by point and variable
}

// axisAtPoint is the value along an axis at one grid point.
type axisAtPoint struct {
	value float64
	mixed bool // methods used different ones
}

// coordinatesWithin looks through records once.
func (j *judge) coordinatesWithin(records []*results.Record) coordinates {
	c := coordinates{variables: j.variables(records), values: map[string]map[float64]bool{}, used: map[string]map[string]axisAtPoint{}}
	for _, name := range c.variables {
		c.values[name] = map[float64]bool{}
	}
	for i := range records {
		r := records[i]
		again := i > 0 && r.SamePoint(records[i-1])
		if again && r.Sizes == records[i-1].Sizes {
			continue
		}
		id := pointID(r, c.variables)
		at := c.used[id]
		if at == nil {
			at = map[string]axisAtPoint{}
			c.used[id] = at
		}
		for _, name := range c.variables {
			c.values[name][r.Point[name]] = true
			v, _ := axis(r, name)
			known, seen := at[name]
			at[name] = axisAtPoint{v, seen && (known.mixed || known.value != v)}
		}
	}
	return c
}

// of are the grid variables of one of the records that vary within all; all of
// them when none does. A size is the one that the methods used there; where they
// used different ones it is left out.
func (c coordinates) of(r *results.Record) []Coordinate {
	varying := slices.DeleteFunc(slices.Clone(c.variables), func(name string) bool { return len(c.values[name]) < 2 })
	if len(varying) == 0 {
		varying = c.variables
	}
	at := []Coordinate{}
	used := c.used[pointID(r, c.variables)]
	for _, name := range varying {
		if v, ok := axis(r, name); ok && !used[name].mixed {
			at = append(at, Coordinate{Name: name, Value: results.FormatFloat(v)})
		}
	}
	return at
}

// clash says why records hold several cells where one is needed, and which
// variables would tell them apart.
func (j *judge) clash(records []*results.Record, over string) Doubt {
	variables := j.variables(records)
	cells := map[string]*results.Record{}
	for i := range records {
		if r := records[i]; i == 0 || !r.SameCell(records[i-1]) {
			cells[cellID(r, variables)] = r
		}
	}
	if len(cells) < 2 {
		return Doubt{}
	}
	var vary, enough []string
	for _, name := range slices.Concat(variables, sizes.Names) {
		values := map[float64]bool{}
		for _, r := range cells {
			v, _ := number(r, name)
			values[v] = true
		}
		if len(values) < 2 || name == over || slices.Contains(vary, name) {
			continue
		}
		vary = append(vary, name)
		if len(values) == len(cells) {
			enough = append(enough, name)
		}
	}
	if len(vary) == 0 {
		return Doubt{fmt.Sprintf("%d different cells that no variable but %s tells apart", len(cells), cmp.Or(over, "their sizes")),
			"a spec that runs them as datasets or methods of their own"}
	}
	advice := "add " + strings.Join(vary, " and ") + " to by, or fix them in where"
	if len(enough) > 0 {
		advice = "add " + strings.Join(enough, " or ") + " to by, or fix it in where"
	}
	return Doubt{fmt.Sprintf("%d different cells, which differ in %s", len(cells), strings.Join(vary, ", ")), advice}
}
