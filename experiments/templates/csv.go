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

// ReadCSV reads a CSV file for what a spec says of it. Without a label, the column of the
// classes is one with a name of classColumns, or else the only one with text; it fails where
// that looks like a coordinate or an id. Doubt is a line on a column that may be no
// coordinate, where there is one.
func ReadCSV(ctx context.Context, path, label string, drop []string) (read CSV, doubt string, err error) {
	if _, err := os.Stat(path); err != nil {
		return CSV{}, "", err
	}
	opener := files.Opener{Context: ctx}
	load := func(label string) (files.Table, error) {
		options := files.DefaultCSV
		options.Label, options.Drop, options.Missing = cmp.Or(label, "none"), drop, "drop"
		return opener.LoadCSV(path, options)
	}
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
	if err == nil {
		doubt = doubtful(table, label != "")
	}
	if label == "none" {
		label = ""
	}
	return CSV{Label: cmp.Or(table.Label, label), Drop: drop, Skipped: table.Skipped, Header: strconv.FormatBool(table.Columns != nil), Rows: table.Len(), Columns: table.Dim(), Class: len(table.Classes)}, doubt, err
}

func isClass(name string) bool { return slices.Contains(classColumns, strings.ToLower(name)) }

// notNumber says that a file cannot be read for a cell that is no finite number.
func notNumber(err error) bool {
	at := new(files.Error)
	return errors.As(err, &at) && strings.HasPrefix(at.Problem, "not a")
}

// noClasses says why a column that was found to be that of the classes hardly is: most of its
// cells are numbers, and unlabelled is the error of the first one that is not; or hardly two
// rows share a value.
func noClasses(table files.Table, label string, unlabelled error) error {
	name, all := cmp.Or(table.Label, label), table.Len()
	numbers := 0
	for _, cell := range table.Names() {
		if v, err := strconv.ParseFloat(strings.Replace(cell, ",", ".", 1), 64); err == nil && v-v == 0 {
			numbers++
		}
	}
	different, dropped, quoted := len(table.Classes), dropWord(name), plain.Quote(name)
	switch {
	case unlabelled != nil && 2*numbers > all && !isClass(name):
		return fmt.Errorf("%w\n%d of %d cells of column %q are numbers, so it is no column of classes: correct the other cells or delete their rows; or leave the column out: --drop %s; or take it as classes: --label %s", unlabelled, numbers, all, name, dropped, quoted)
	case different == all && different > mostClasses:
		return fmt.Errorf("column %q: every value distinct: an id? --drop %s, or take it as classes: --label %s", name, dropped, quoted)
	case 2*different > all && different > mostClasses:
		return fmt.Errorf("column %q: %d different values in %d rows: an id? --drop %s, or take it as classes: --label %s", name, different, all, dropped, quoted)
	}
	return nil
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

// Taken says what was taken from the file of a path.
func (read CSV) Taken(path string) string {
	classes := "no classes"
	if read.Label != "" {
		classes = fmt.Sprintf("%s in column %s", plain.Count(read.Class, "class", "classes"), read.Label)
	}
	dropped := ""
	if len(read.Drop) > 0 {
		dropped = ", without " + strings.Join(read.Drop, ", ")
	}
	if read.Skipped > 0 {
		classes += fmt.Sprintf("; left out: %s with missing cells", plain.Count(read.Skipped, "row"))
	}
	return fmt.Sprintf("%s: %s, %s%s, %s\n", filepath.ToSlash(path), plain.Count(read.Rows, "point"), plain.Count(read.Columns, "coordinate"), dropped, classes)
}
