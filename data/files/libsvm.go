package files

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// undeclaredDim is the largest index that is believed without a dim: the matrix is
// dense, and one index of some bytes in a file could ask for gigabytes.
const undeclaredDim = 1 << 20

// LoadLIBSVM reads lines `label index:value index:value …` with indices from 1,
// rising within the line, into a dense N×D matrix; what a line leaves out is 0. D is dim, or
// where this is 0 the largest index.
// Labels that are numbers below 2^53 are named by their shortest form, so +1 and 1.0 are
// the class "1". A # starts a comment; blank lines are passed over.
//
// It fails, with an *Error that has line and column, on a missing label,
// several labels, qid, an index that is not above the one before or is above
// dim (2^20 where dim is 0), values that are no finite number, a line that does not end (see
// LoadCSV), and a file without rows; and as soon as it takes more memory than there is.
// Cost: two passes over the file, and 8·N·D bytes, twice that while reading.
func (o Opener) LoadLIBSVM(path string, dim int) (Table, error) {
	return load(o, path, func(in *input) (Table, error) { return in.table(&libsvmRows{in: in, dim: dim}) })
}

// libsvmRows are the points of a LIBSVM file.
type libsvmRows struct {
	in    *input
	dim   int // the largest index; 0: not declared
	lines *bufio.Scanner
	line  int // that was read last
	read  int // lines with a point
	last  int // index of the line so far
	x     []float64
}

func (r *libsvmRows) begin() error {
	if err := r.in.room(times(8, uint64(r.dim))); err != nil {
		return fmt.Errorf("a row of dimension %d: %w", r.dim, err)
	}
	if err := r.in.text(); err != nil {
		return err
	}
	r.lines = bufio.NewScanner(r.in)
	r.lines.Buffer(nil, r.in.longest())
	r.line, r.read, r.x = 0, 0, make([]float64, r.dim)
	return nil
}

func (r *libsvmRows) next() (x []float64, class string, err error) {
	for class == "" && r.lines.Scan() {
		r.line++
		if class, err = r.parse(); err != nil {
			return nil, "", err
		}
	}
	switch err := r.lines.Err(); {
	case class != "":
		r.read++
		return r.x, class, nil
	case errors.Is(err, bufio.ErrTooLong):
		return nil, "", r.in.tooLong(r.line + 1)
	case err != nil:
		return nil, "", err
	case r.read == 0:
		return nil, "", &Error{File: r.in.name, Problem: "the file has no rows"}
	case len(r.x) == 0:
		return nil, "", &Error{File: r.in.name, Problem: "no row has an entry: give dim if all points are 0"}
	}
	return nil, "", io.EOF
}

// parse takes the last line for its point, and gives its class; empty for a blank line.
func (r *libsvmRows) parse() (class string, err error) {
	text, _, _ := strings.Cut(r.lines.Text(), "#")
	clear(r.x)
	r.last = 0
	at, problem := 0, ""
	for field := range strings.FieldsSeq(text) {
		at += strings.Index(text[at:], field)
		if class == "" {
			class, problem = libsvmLabel(field)
		} else {
			problem = r.entry(field)
		}
		if problem != "" {
			return "", &Error{File: r.in.name, Line: r.line, Col: at + 1, Text: field, Problem: problem}
		}
		at += len(field)
	}
	return class, nil
}

// libsvmLabel is the name of a class, or a problem.
func libsvmLabel(name string) (class, problem string) {
	switch {
	case strings.Contains(name, ":"):
		return "", "a label must come first on the line"
	case strings.Contains(name, ","):
		return "", "several labels on a line are not supported"
	}
	v, err := strconv.ParseFloat(name, 64)
	switch {
	case err != nil || !decimal(name):
		return name, ""
	case math.IsNaN(v) || math.IsInf(v, 0):
		return "", "label is no finite number"
	case math.Abs(v) >= 1<<53: // where float64 has no longer every integer
		return name, ""
	}
	return strconv.FormatFloat(v+0, 'g', -1, 64), ""
}

// entry takes index:value.
func (r *libsvmRows) entry(field string) (problem string) {
	left, right, ok := strings.Cut(field, ":")
	if !ok {
		return "want index:value"
	}
	if left == "qid" {
		return "qid (ranking data) is not supported"
	}
	i, err := strconv.Atoi(left)
	switch {
	case err != nil || i < 1 || i > math.MaxInt32:
		return fmt.Sprintf("index: want an integer 1 … %d", math.MaxInt32)
	case r.dim == 0 && i > undeclaredDim:
		return fmt.Sprintf("index above %d: give dim, the number of coordinates, if there are so many", undeclaredDim)
	case r.dim > 0 && i > r.dim:
		return fmt.Sprintf("index above dim: %d", r.dim)
	case i <= r.last:
		return fmt.Sprintf("index not above the one before, %d: indices must rise along the line", r.last)
	case right == "":
		return "no value after the colon"
	}
	v, problem := number(right)
	if problem != "" {
		return "value: " + problem
	}
	if i > len(r.x) {
		r.x = append(r.x, make([]float64, i-len(r.x))...)
	}
	r.last, r.x[i-1] = i, v
	return ""
}
