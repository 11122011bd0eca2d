package files

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// missing says that a cell is empty or has a word for "no value".
func missing(cell string) bool {
	return slices.Contains([]string{"", "na", "n/a", "nan", "null", "none", "?"}, strings.ToLower(strings.TrimSpace(cell)))
}

// completeRows is awk's program that prints the rows without missing cells.
const completeRows = `{for(i=1;i<=NF;i++) if(tolower($i)~/^[ "]*(na|n\/a|nan|null|none|\?)?[ "\r]*$/) next} 1`

// incomplete is the error of a missing cell, the one at place of row r. It reads on, to the
// end or to a mistake, and counts the rows that have one.
func (c *csvReader) incomplete(r row, place int) error {
	e := &Error{File: c.name, Line: r.pos[place][0], Col: r.pos[place][1], Text: strings.TrimSpace(r.cells[place])}
	rows, all := 0, c.n
	in := make([]bool, c.width) // the columns
	for err := error(nil); err == nil && len(r.cells) == c.width; r, err = c.next(r) {
		all++
		found := false
		for i, cell := range r.cells {
			if i != c.label && !c.drop[i] && missing(cell) {
				in[i], found = true, true
			}
		}
		if found {
			rows++
		}
	}
	var names []string
	for i, has := range in {
		if has {
			names = append(names, columnName(c.columns, i))
		}
	}
	e.Problem = fmt.Sprintf("missing cell: %d of %s have one, in the columns %s; fill them in, drop: these columns, or keep the other rows", rows, count(all, "row"), listed(names))
	if !strings.HasSuffix(c.name, ".gz") {
		e.Problem += fmt.Sprintf(": awk -F'%s' '%s' '%s' > complete.csv", strings.Trim(strconv.QuoteRune(c.src.Comma), "'"), completeRows, strings.ReplaceAll(c.name, "'", `'\''`))
	}
	return e
}

// decimalComma is a number with a comma where Go has a point.
var decimalComma = regexp.MustCompile(`^[-+]?[0-9]*,[0-9]+([eE][-+]?[0-9]+)?$`)
