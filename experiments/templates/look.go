package templates

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"mercer/data/files"
)

// mostClasses is how many different cells a column of classes has at most.
const mostClasses = 50

// column is what is in a column of a CSV file.
type column struct {
	name      string          // its index where it has none
	role      string          // drop, label, response, or "" for a coordinate
	numbers   int             // cells that are finite numbers
	other     string          // the first cell that is none, of a label the first empty one, with its line
	different map[string]bool // cells, up to one more than mostClasses
	numbered  bool            // the cells are 0, 1, 2, … or 1, 2, 3, …
}

func (c *column) add(line, row int, cell string) {
	v, err := strconv.ParseFloat(cell, 64)
	wrong := err != nil || v-v != 0
	if !wrong {
		c.numbers++
	}
	if c.role == "label" {
		wrong = cell == ""
	}
	if wrong && c.other == "" {
		c.other = fmt.Sprintf("line %d: column %q has %q", line, c.name, cell)
	}
	c.numbered = c.numbered && (v == float64(row) || v == float64(row+1))
	if len(c.different) <= mostClasses {
		c.different[cell] = true
	}
}

// Look reads the CSV file at path and sees what its columns are. Beside those of Drop it leaves
// out words, constants, and a first column that numbers the rows, with the reasons in Left. It
// refuses what is no number among numbers, such as a missing value, and a label or response
// that can be none.
func (r *Request) Look(ctx context.Context, path string) error {
	var columns []*column
	options := files.CSVOptions{Header: "auto", Label: cmp.Or(r.Label, "none"), Response: r.Response, Drop: r.Drop}
	options.Look = func(line int, names, cells []string) error {
		for i, cell := range cells {
			if r.Rows == 0 {
				columns = append(columns, r.column(i, len(cells), names))
			}
			columns[i].add(line, r.Rows, strings.TrimSpace(cell))
		}
		r.Rows++
		return nil
	}
	if _, err := (files.Opener{Context: ctx}).LoadCSV(path, options); err != nil {
		return err
	}
	if r.Rows < 20 {
		return fmt.Errorf("%s: %d rows: a spec is written for 20 or more", path, r.Rows)
	}
	for i, c := range columns {
		numbered := c.numbered && i == 0 && len(columns) > 2
		switch reason, err := c.check(r.Rows); {
		case err != nil:
			return fmt.Errorf("%s: %w", path, err)
		case c.role == "label":
			r.Classes = len(c.different)
		case c.role != "":
		case c.wordy() && r.Words && reason != "":
			if r.OneHot == nil {
				r.OneHot = map[string][]string{}
			}
			r.OneHot[c.name] = slices.Sorted(maps.Keys(c.different))
			r.Coordinates = append(r.Coordinates, c.name)
		case reason != "" || numbered:
			r.Drop, r.Left = append(r.Drop, c.name), append(r.Left, fmt.Sprintf("left out: %q %s", c.name, cmp.Or(reason, "numbers the rows")))
		default:
			r.Coordinates = append(r.Coordinates, c.name)
		}
	}
	if len(r.Coordinates) == 0 {
		return fmt.Errorf("%s: no coordinate is left: %s", path, strings.Join(r.Left, "; "))
	}
	return nil
}

// column is column i of so many, with its role.
func (r *Request) column(i, width int, names []string) *column {
	c := &column{name: strconv.Itoa(i), different: map[string]bool{}, numbered: true}
	if names != nil {
		c.name = names[i]
	}
	is := func(want string) bool {
		at, err := strconv.Atoi(want)
		return want != "" && want == c.name || err == nil && !slices.Contains(names, want) && (at == i || at == i-width)
	}
	switch {
	case slices.ContainsFunc(r.Drop, is):
		c.role = "drop"
	case is(r.Label):
		c.role = "label"
	case is(r.Response):
		c.role = "response"
	}
	return c
}

// wordy says that a column has several words, few enough for a coordinate each.
func (c *column) wordy() bool {
	return c.numbers == 0 && len(c.different) > 1 && len(c.different) <= mostClasses
}

// check says why a column of so many rows is no coordinate, or that it is wrong.
func (c *column) check(rows int) (reason string, err error) {
	classes := len(c.different)
	switch {
	case c.role == "drop":
	case c.role == "label" && c.other != "":
		err = fmt.Errorf("%s: every row needs a class; fill it in or leave out the row", c.other)
	case c.role == "label":
		if most := min(mostClasses, rows/2); classes < 2 || classes > most {
			err = fmt.Errorf("the label %q has %d classes or more: 2 to %d are predicted; numbers are predicted as --response", c.name, classes, most)
		}
	case c.numbers == 0 && c.role == "response":
		err = fmt.Errorf("%s, no number: --label %q predicts classes", c.other, c.name)
	case c.numbers == 0:
		reason = "is no number"
		if c.wordy() {
			reason += fmt.Sprintf(" (%d different; --label %q predicts them)", classes, c.name)
		}
	case c.other != "":
		err = fmt.Errorf("%s, no number (so %d of %d rows): fill them in, leave these rows out, or leave out the column: --drop %q", c.other, rows-c.numbers, rows, c.name)
	case classes == 1 && c.role == "response":
		err = errors.New("all responses are equal: nothing is to be predicted")
	case classes == 1:
		reason = "is constant"
	}
	return reason, err
}
