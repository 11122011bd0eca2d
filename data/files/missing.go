package files

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// missing says that a cell is empty or has a word for "no value".
func missing(cell string) bool {
	return slices.Contains([]string{"", "na", "n/a", "nan", "null", "none", "?"}, strings.ToLower(strings.TrimSpace(cell)))
}

// lacking says that a row has no label or a missing cell in a column of numbers.
func (c *csvReader) lacking(r row) bool {
	for i, cell := range r.cells {
		if !c.drop[i] && (i == c.label && strings.TrimSpace(cell) == "" || i != c.label && missing(cell)) {
			return true
		}
	}
	return false
}

// incomplete is the error of a missing cell, the one at place of row r. It reads on, to the
// end or to a mistake, and counts the rows that have one.
func (c *csvReader) incomplete(r row, place int) error {
	e := &Error{File: c.name, Line: r.pos[place][0], Col: r.pos[place][1], Text: strings.TrimSpace(r.cells[place])}
	rows, all := 0, c.n
	in := make([]int, c.width) // rows that have one, by column
	for err := error(nil); err == nil && len(r.cells) == c.width; r, err = c.next(r) {
		all++
		found := false
		for i, cell := range r.cells {
			if i != c.label && !c.drop[i] && missing(cell) {
				in[i]++
				found = true
			}
		}
		if found {
			rows++
		}
	}
	if last := c.width - 1; in[last] == all && (c.columns == nil || c.columns[last] == "") {
		e.Problem = "no row has anything in the last column: where every line ends in a separator, leave this column out by drop: [-1]"
		return e
	}
	var names []string
	for i, k := range in {
		if k > 0 {
			names = append(names, columnName(c.columns, i))
		}
	}
	e.Problem = fmt.Sprintf("missing cell: %d of %s have one, in the columns %s; fill them in, drop: these columns", rows, count(all, "row"), listed(names))
	if rows < all {
		e.Problem += ", or leave these rows out by missing: drop"
	}
	return e
}

// decimalComma is a number with a comma where Go has a point.
var decimalComma = regexp.MustCompile(`^[-+]?[0-9]*,[0-9]+([eE][-+]?[0-9]+)?$`)
