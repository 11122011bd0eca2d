package files

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"mercer/internal/lists"
	"mercer/internal/plain"
)

// number reads a finite float64 in decimal digits, as pandas and NumPy read one: +1,
// .5 and blanks around it will do, 0x10 and 1_000 will not. The problem is empty on
// success.
func number(text string) (v float64, problem string) {
	s := strings.TrimSpace(text)
	if s == "" {
		return 0, "empty cell: every coordinate needs a number; fill it in or drop the row"
	}
	v, err := parse(s)
	switch {
	case !decimal(s) && (err == nil || errors.Is(err, strconv.ErrRange)):
		return 0, "not a number: write it in decimal digits, without 0x and _"
	case math.IsInf(v, 0) && err != nil:
		return 0, "number beyond the range of float64"
	case err != nil && decimalComma.MatchString(s):
		return 0, "not a number: decimals need a point, not a comma"
	case err != nil:
		return 0, "not a number"
	case math.IsNaN(v) || math.IsInf(v, 0):
		return 0, "not a finite number; drop the row or fill in a value"
	}
	return v, ""
}

// decimalComma is a number with a comma where Go has a point.
var decimalComma = regexp.MustCompile(`^[-+]?[0-9]*,[0-9]+([eE][-+]?[0-9]+)?$`)

// parse reads a number of Go's syntax, and 0x10, which Go reads with an exponent alone.
func parse(s string) (float64, error) {
	v, err := strconv.ParseFloat(s, 64)
	if errors.Is(err, strconv.ErrSyntax) && !decimal(s) {
		return strconv.ParseFloat(s+"p0", 64)
	}
	return v, err
}

// decimal says that a number of Go's syntax has neither a base nor underscores.
func decimal(s string) bool { return !strings.ContainsAny(s, "_xX") }

// numeric takes what number refuses, 0x10, 1_000 and 4,5, too: a first line of those is
// no header.
func numeric(s string) bool {
	s = strings.TrimSpace(s)
	_, err := parse(s)
	return err == nil || errors.Is(err, strconv.ErrRange) || decimalComma.MatchString(s)
}

// missing says that a cell is empty or has a word for "no value".
func missing(cell string) bool {
	return slices.Contains([]string{"", "na", "n/a", "nan", "null", "none", "?"}, strings.ToLower(strings.TrimSpace(cell)))
}

// lacking says that a row has no label or a missing cell in a column of numbers.
func (r *csvRows) lacking(cells []string) bool {
	for i, cell := range cells {
		if r.number(i) && missing(cell) || i == r.label && strings.TrimSpace(cell) == "" {
			return true
		}
	}
	return false
}

// incomplete is the error of a missing cell of the last record.
func (r *csvRows) incomplete(cells []string, i int) error {
	problem := fmt.Sprintf("missing cell in column %s: fill it in, or leave out the column by drop:, or all such rows by missing: drop", shown(columnName(r.columns, i)))
	if last := r.width - 1; i == last && cells[i] == "" && (r.columns == nil || r.columns[last] == "") {
		problem += "; where every line ends in a separator, leave this column out by drop: [-1]"
	}
	return r.at(i, strings.TrimSpace(cells[i]), problem)
}

func listed(names []string) string { return plain.Some(lists.Map(names, shown), 20) }

// shown is a column's name as messages show it: cut where it is long, and quoted, with
// escapes, where a terminal would obey its characters or it is empty.
func shown(name string) string {
	name = shorten(name)
	if name == "" || strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return strconv.Quote(name)
	}
	return name
}
