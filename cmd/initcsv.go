package cmd

import (
	"cmp"
	"context"
	"errors"
	"os"
	"slices"
	"strconv"
	"strings"

	"mercer/data/files"
	"mercer/experiments/templates"
)

// classColumns are names of columns that hold classes.
var classColumns = []string{"label", "labels", "class", "target", "species", "y"}

// readCSV reads a CSV file for what a spec says of it. Without a label, the column of the
// classes is one with a name of classColumns, or else the only one with text.
func readCSV(ctx context.Context, path, label string) (templates.CSV, error) {
	if _, err := os.Stat(path); err != nil {
		return templates.CSV{}, err
	}
	opener := files.Opener{Context: ctx}
	load := func(label string) (files.Table, error) {
		options := files.DefaultCSV
		options.Label = cmp.Or(label, "none")
		return opener.LoadCSV(path, options)
	}
	table, err := load(label)
	if label == "" {
		switch named := slices.IndexFunc(table.Columns, isClass); {
		case err == nil && named >= 0:
			label = table.Columns[named]
			table, err = load(label)
		case err != nil && errors.As(err, new(*files.Error)):
			label, table, err = findLabel(load, err)
		}
	}
	if label == "none" {
		label = ""
	}
	return templates.CSV{Label: label, Header: strconv.FormatBool(table.Columns != nil), Rows: table.Len(), Class: len(table.Classes)}, err
}

func isClass(name string) bool { return slices.Contains(classColumns, strings.ToLower(name)) }

// findLabel tries columns as that of the classes: those with a name of classColumns, the
// last and the first. The error is that of the file without classes.
func findLabel(load func(string) (files.Table, error), unlabelled error) (string, files.Table, error) {
	for _, label := range append(slices.Clone(classColumns), "-1", "0") {
		if table, err := load(label); err == nil {
			return label, table, nil
		}
	}
	return "", files.Table{}, errors.Join(unlabelled, errors.New("if one column has classes, name it: --label COLUMN"))
}
