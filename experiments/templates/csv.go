package templates

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"mercer/data/files"
	"mercer/internal/plain"
)

// leastRows is how many points a CSV file must have.
const leastRows = 60

// csvData is a data file as it was read.
type csvData struct {
	Path          string   // relative to the spec
	Label         string   // column of the classes; "" for none
	Drop          []string // columns that are no coordinates
	Header        bool
	Held          int // points that are held out
	rows, classes int
	notes         string // what was taken, and guessed, in lines
}

// readCSV reads a CSV file for what a spec says of it. Every column is a coordinate, but for the one of
// the classes and those that are dropped, which the request names.
func readCSV(ctx context.Context, r Request) (*csvData, error) {
	if _, err := os.Stat(r.CSV); err != nil {
		return nil, err
	}
	options := files.DefaultCSV
	options.Label, options.Drop = cmp.Or(r.Label, "none"), r.Drop
	table, err := files.Opener{Context: ctx}.LoadCSV(r.CSV, options)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w\nname the column of the classes: --label COLUMN; leave out others that are no numbers: --drop COLUMN,COLUMN", err)
	case table.Len() < leastRows:
		return nil, fmt.Errorf("%s has %s; a comparison needs at least %d", r.CSV, plain.Count(table.Len(), "point"), leastRows)
	}
	label := options.Label
	if label == "none" {
		label = ""
	}
	d := &csvData{Label: label, Drop: r.Drop, Header: table.Columns != nil,
		Held: min(table.Len()/4, 1000), rows: table.Len(), classes: len(table.Classes)}
	d.notes = d.taken(r.CSV, table.Dim())
	d.Path, err = below(r.File, r.CSV)
	return d, err
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
	return text + "\n"
}
