package selection

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"mercer/internal/plain"
	"mercer/internal/sizes"
	"mercer/results"
)

// PointID is a record's grid point as text, over the variables given.
func PointID(r *results.Record, variables []string) string {
	var b strings.Builder
	for _, name := range variables {
		if v, ok := r.Point[name]; ok {
			b.WriteString(name + "=" + plain.Number(v) + " ")
		}
	}
	return b.String()
}

// Cells splits readings into cells, in their order: parts of readings, where those of
// a cell follow each other.
func Cells(readings []Reading) [][]Reading {
	return split(readings, func(m Reading) *results.Record { return m.Record }, ofCell)
}

// RecordCells splits records as [Cells] splits readings.
func RecordCells(records []*results.Record) [][]*results.Record { return SplitBy(records, ofCell) }

func ofCell(r *results.Record) (results.Cell, bool) { return results.CellOf(r), true }

// Coordinates tells the cells of records apart for a reader.
type Coordinates struct {
	all   []string                      // variables
	shown []string                      // the variables that vary, all where none does
	used  map[string]map[string]float64 // by point and variable, the value along its axis; NaN where methods used different ones
}

// CoordinatesWithin looks through records once.
func (r *Records) CoordinatesWithin(records []*results.Record) Coordinates {
	variables := r.VariablesOf(records)
	c := Coordinates{all: variables, used: map[string]map[string]float64{}}
	vary := map[string]bool{}
	for i, record := range records {
		if i > 0 && record.SamePoint(records[i-1]) && record.Sizes == records[i-1].Sizes {
			continue
		}
		id := PointID(record, variables)
		at := c.used[id]
		if at == nil {
			at = map[string]float64{}
			c.used[id] = at
		}
		for _, name := range variables {
			vary[name] = vary[name] || record.Point[name] != records[0].Point[name]
			v, _ := Axis(record, name)
			if known, seen := at[name]; seen && known != v {
				v = math.NaN()
			}
			at[name] = v
		}
	}
	c.shown = slices.DeleteFunc(slices.Clone(variables), func(name string) bool { return !vary[name] })
	if len(c.shown) == 0 {
		c.shown = variables
	}
	return c
}

// At are the grid variables of one of the records that vary within all; all of
// them when none does. A size is the one that the methods used there; where they
// used different ones it is left out.
func (c Coordinates) At(r *results.Record) []Coordinate {
	at := []Coordinate{}
	used := c.used[PointID(r, c.all)]
	for _, name := range c.shown {
		if v, ok := Axis(r, name); ok && !math.IsNaN(used[name]) {
			at = append(at, Coordinate{Name: name, Value: plain.Number(v)})
		}
	}
	return at
}

// Clash says why records, distinct and of one method, are of several cells where
// one is needed, and which variables would tell them apart; "" where they are
// repeats of one cell. The variable over is known to be the same in all.
func (r *Records) Clash(records []*results.Record, over string) (reason, advice string) {
	variables := r.VariablesOf(records)
	cells := map[results.Cell]*results.Record{}
	for i, record := range records {
		if i == 0 || !record.SameCell(records[i-1]) {
			cells[results.CellOf(record)] = record
		}
	}
	if len(cells) < 2 {
		return "", ""
	}
	var vary, enough []string
	for _, name := range slices.Concat(variables, sizes.Names) {
		values := map[float64]bool{}
		for _, record := range cells {
			v, _ := number(record, name)
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
		return fmt.Sprintf("%d different cells that no variable but %s tells apart", len(cells), cmp.Or(over, "their sizes")),
			"a spec that runs them as datasets or methods of their own"
	}
	advice = "add " + strings.Join(vary, " and ") + " to by, or fix them in where"
	if len(enough) > 0 {
		advice = "add " + strings.Join(enough, " or ") + " to by, or fix it in where"
	}
	return fmt.Sprintf("%d different cells, which differ in %s", len(cells), strings.Join(vary, ", ")), advice
}
