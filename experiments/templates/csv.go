package templates

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"mercer/data/files"
	"mercer/internal/plain"
)

// classColumns are names of columns that hold classes.
var classColumns = []string{"label", "labels", "class", "target", "species", "y"}

// mostClasses is how many values a column of whole numbers has at most that may be classes.
const mostClasses = 20

// leastRows is how many points a CSV file must have.
const leastRows = 60

// csvData is a data file as it was read.
type csvData struct {
	Path          string   // relative to the spec
	Label         string   // column of the classes; "" for none
	Drop          []string // columns that are no coordinates
	Skipped       int      // rows that were left out, since they have missing cells
	Header        bool
	Held          int // points that are held out
	rows, classes int
	notes         string // what was taken, and doubts, in lines
}

// readCSV reads a CSV file for what a spec says of it. Without a label, the column of the
// classes is one with a name of classColumns, or else the only one with text; it fails where
// that looks like a coordinate or an id.
func readCSV(ctx context.Context, r Request) (*csvData, error) {
	if _, err := os.Stat(r.CSV); err != nil {
		return nil, err
	}
	opener := files.Opener{Context: ctx}
	load := func(label string) (files.Table, error) {
		options := files.DefaultCSV
		options.Label, options.Drop, options.Missing = cmp.Or(label, "none"), r.Drop, "drop"
		return opener.LoadCSV(r.CSV, options)
	}
	label := r.Label
	table, err := load(label)
	if label == "" {
		unlabelled := err
		switch named := slices.IndexFunc(table.Columns, isClass); {
		case err == nil && named >= 0:
			label = table.Columns[named]
			table, err = load(label)
		case notNumber(err):
			label, table, err = findLabel(load, err)
		}
		if err == nil && label != "" {
			err = noClasses(table, label, unlabelled)
		}
	} else if notNumber(err) {
		err = fmt.Errorf("%w\nleave out those that are no numbers: --drop COLUMN,COLUMN", err)
	}
	if err == nil && table.Len() < leastRows {
		err = fmt.Errorf("%s has %s; a comparison needs at least %d", r.CSV, plain.Count(table.Len(), "point"), leastRows)
	}
	if err != nil {
		return nil, err
	}
	if label == "none" {
		label = ""
	}
	d := &csvData{Label: cmp.Or(table.Label, label), Drop: r.Drop, Skipped: table.Skipped, Header: table.Columns != nil,
		Held: min(table.Len()/4, 1000), rows: table.Len(), classes: len(table.Classes)}
	d.notes = d.taken(r.CSV, table.Dim()) + doubtful(table, label != "")
	d.Path, err = below(r.File, r.CSV)
	return d, err
}

func isClass(name string) bool { return slices.Contains(classColumns, strings.ToLower(name)) }

// notNumber says that a file cannot be read for a cell that is no finite number.
func notNumber(err error) bool {
	at := new(files.Error)
	return errors.As(err, &at) && strings.HasPrefix(at.Problem, "not a")
}

// noClasses refuses a column that was found to be that of the classes and hardly is: most of its
// cells are numbers, and unlabelled is the error of the first one that is not; or hardly two
// rows share a value.
func noClasses(table files.Table, label string, unlabelled error) error {
	name, numbers, different := cmp.Or(table.Label, label), 0, len(table.Classes)
	for _, cell := range table.Names() {
		if v, err := strconv.ParseFloat(strings.Replace(cell, ",", ".", 1), 64); err == nil && plain.Finite(v) {
			numbers++
		}
	}
	mixed := unlabelled != nil && 2*numbers > table.Len() && !isClass(name)
	if !mixed && (different <= mostClasses || 2*different <= table.Len()) {
		return nil
	}
	return errors.Join(unlabelled, fmt.Errorf("column %q has %d numbers and %d different values in %d rows, which are hardly classes: correct cells that are no numbers, or leave the column out: --drop %s; or take it as classes: --label %s",
		name, numbers, different, table.Len(), dropWord(name), plain.Quote(name)))
}

// dropWord is a column's name as the word after --drop, which parts a list at its commas.
func dropWord(name string) string {
	if name == "" || strings.ContainsAny(name, `,"`) {
		name = `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
	}
	return plain.Quote(name)
}

// findLabel tries columns as that of the classes: those with a name of classColumns, the
// last and the first. The error is that of the try that came furthest in the file.
func findLabel(load func(string) (files.Table, error), unlabelled error) (string, files.Table, error) {
	furthest, line := unlabelled, 0
	if at := new(files.Error); errors.As(unlabelled, &at) {
		line = at.Line
	}
	for _, label := range append(slices.Clone(classColumns), "-1", "0") {
		table, err := load(label)
		if err == nil {
			return label, table, nil
		}
		if at := new(files.Error); errors.As(err, &at) && at.Line > line {
			furthest, line = err, at.Line
		}
	}
	if !strings.Contains(furthest.Error(), "not a number") {
		return "", files.Table{}, furthest
	}
	return "", files.Table{}, errors.Join(furthest, errors.New("if one column has classes, name it: --label COLUMN; leave out those that are no numbers: --drop COLUMN,COLUMN"))
}

// doubtful says which coordinates look like the numbers of rows, and that the last or the
// first looks like classes where none are labelled; empty where none does.
func doubtful(table files.Table, labelled bool) string {
	said := ""
	if table.Guess != "" {
		said = fmt.Sprintf("note: %s\n", table.Guess)
	}
	for _, name := range table.RowNumbers() {
		said += fmt.Sprintf("note: column %q grows by whole numbers from row to row and is taken as a coordinate; if it numbers the rows: --drop %s, or drop: [%q] in the spec\n", name, dropWord(name), name)
	}
	if labelled {
		return said
	}
	x := table.Dense()
	last := table.Dim() - 1
	for _, j := range []int{last, 0} {
		column := mat.Col(nil, j, x)
		name := strconv.Itoa(j)
		if table.Columns != nil {
			name = table.Columns[j]
		}
		different := len(slices.Compact(slices.Sorted(slices.Values(column))))
		whole := !slices.ContainsFunc(column, func(v float64) bool { return v != math.Trunc(v) })
		if last > 0 && whole && different <= min(mostClasses, len(column)/5) {
			return said + fmt.Sprintf("note: column %q has %s only and is taken as a coordinate; if it is the class, add label: %q to the data set in the spec; if it is neither, drop: [%q]\n",
				name, plain.Count(different, "whole number"), name, name)
		}
	}
	return said
}

// taken says what was taken from the file of a path.
func (d *csvData) taken(path string, columns int) string {
	text := fmt.Sprintf("%s: %s, %s", filepath.ToSlash(path), plain.Count(d.rows, "point"), plain.Count(columns, "coordinate"))
	if len(d.Drop) > 0 {
		text += ", without " + strings.Join(d.Drop, ", ")
	}
	if d.Label != "" {
		text += fmt.Sprintf(", %s in column %s", plain.Count(d.classes, "class", "classes"), d.Label)
	} else {
		text += ", no classes"
	}
	if d.Skipped > 0 {
		text += fmt.Sprintf("; left out: %s with missing cells", plain.Count(d.Skipped, "row"))
	}
	return text + "\n"
}
