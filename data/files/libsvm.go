package files

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// LIBSVMOptions says how a LIBSVM file becomes dense points.
type LIBSVMOptions struct {
	Dim      int   `yaml:"dim" json:"dim" doc:"Dimension D; 0: the largest index in the file. Give it where train and test files must agree."`
	MaxBytes int64 `yaml:"max_bytes" json:"max_bytes" doc:"Largest dense matrix, 8·N·D bytes, to make of the file."`
}

// DefaultLIBSVM takes D from the file, up to 4 GiB.
var DefaultLIBSVM = LIBSVMOptions{Dim: 0, MaxBytes: 4 << 30}

// undeclaredDim is the largest index that is believed without a dim: the matrix is
// dense, and one index of some bytes in a file could ask for gigabytes.
const undeclaredDim = 1 << 20

// Validate checks the options without a file.
func (o LIBSVMOptions) Validate() error {
	if o.Dim < 0 {
		return fmt.Errorf("dim: %d is negative", o.Dim)
	}
	if o.MaxBytes <= 0 {
		return fmt.Errorf("max_bytes: %d; want a positive number of bytes", o.MaxBytes)
	}
	return nil
}

// LoadLIBSVM reads a LIBSVM file; see ReadLIBSVM.
func LoadLIBSVM(path string, o LIBSVMOptions) (Table, error) {
	return whileRead(path, func(f *os.File) (Table, error) { return ReadLIBSVM(f, path, o) })
}

// ReadLIBSVM reads lines `label index:value index:value …` with indices from 1,
// rising within the line, into a dense N×D matrix; what a line leaves out is 0.
// Labels that are numbers are named by their shortest form, so +1 and 1.0 are
// the class "1". A # starts a comment; blank lines are passed over. name is the
// file's name in errors.
//
// It fails, with an *Error that has line and column, on a missing label,
// several labels, qid, an index that is not above the one before or is above
// dim (2^20 where dim is 0), values that are no finite number, a file without rows, and as soon as
// the dense matrix would pass MaxBytes. Cost: 12 bytes a stored value while
// reading, then 8·N·D.
func ReadLIBSVM(r io.Reader, name string, o LIBSVMOptions) (Table, error) {
	if err := o.Validate(); err != nil {
		return Table{}, err
	}
	s := &sparse{name: name, o: o, d: o.Dim, rows: []int{0}}
	in := bufio.NewScanner(r)
	in.Buffer(make([]byte, 1<<16), 1<<28)
	for in.Scan() {
		s.line++
		if err := s.add(in.Text()); err != nil {
			return Table{}, err
		}
	}
	if err := in.Err(); errors.Is(err, bufio.ErrTooLong) {
		return Table{}, s.at(0, "", "a line longer than 256 MiB")
	} else if err != nil {
		return Table{}, fmt.Errorf("%s: %w", name, err)
	}
	return s.table()
}

// sparse is the file so far in compressed rows.
type sparse struct {
	name  string
	o     LIBSVMOptions
	line  int
	d     int
	codes coder
	rows  []int // row i has entries rows[i] … rows[i+1]
	index []int32
	value []float64
}

func (s *sparse) at(col int, text, problem string) error {
	return &Error{File: s.name, Line: s.line, Col: col, Text: text, Problem: problem}
}

func (s *sparse) add(line string) error {
	line, _, _ = strings.Cut(line, "#")
	last, fields := 0, 0
	for pos := 0; pos < len(line); {
		if strings.ContainsRune(" \t\r", rune(line[pos])) {
			pos++
			continue
		}
		end := pos + strings.IndexAny(line[pos:]+" ", " \t\r")
		field, col := line[pos:end], pos+1
		pos = end
		fields++
		if fields == 1 {
			if err := s.label(field, col); err != nil {
				return err
			}
			continue
		}
		i, err := s.entry(field, col, last)
		if err != nil {
			return err
		}
		last = i
	}
	if fields == 0 {
		return nil
	}
	s.d = max(s.d, last)
	s.rows = append(s.rows, len(s.index))
	if n := len(s.rows) - 1; times(8*uint64(n), uint64(s.d)) > uint64(s.o.MaxBytes) {
		return s.at(0, "", fmt.Sprintf("%d rows of dimension %d make a dense matrix of more than %d bytes: raise max_bytes, or choose rows or features first", n, s.d, s.o.MaxBytes))
	}
	return nil
}

func (s *sparse) label(field string, col int) error {
	switch {
	case strings.Contains(field, ":"):
		return s.at(col, field, "a label must come first on the line")
	case strings.Contains(field, ","):
		return s.at(col, field, "several labels on a line are not supported")
	}
	if v, err := strconv.ParseFloat(field, 64); err == nil {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return s.at(col, field, "label is no finite number")
		}
		field = strconv.FormatFloat(v+0, 'g', -1, 64)
	}
	s.codes.add(field)
	return nil
}

func (s *sparse) entry(field string, col, last int) (int, error) {
	left, right, ok := strings.Cut(field, ":")
	if !ok {
		return 0, s.at(col, field, "want index:value")
	}
	if left == "qid" {
		return 0, s.at(col, field, "qid (ranking data) is not supported")
	}
	i, err := strconv.Atoi(left)
	switch {
	case err != nil || i < 1 || i > math.MaxInt32:
		return 0, s.at(col, field, fmt.Sprintf("index: want an integer 1 … %d", math.MaxInt32))
	case s.o.Dim == 0 && i > undeclaredDim:
		return 0, s.at(col, field, fmt.Sprintf("index above %d: give dim, the number of coordinates, if there are so many", undeclaredDim))
	case s.o.Dim > 0 && i > s.o.Dim:
		return 0, s.at(col, field, fmt.Sprintf("index above dim: %d", s.o.Dim))
	case i <= last:
		return 0, s.at(col, field, fmt.Sprintf("index not above the one before, %d: indices must rise along the line", last))
	}
	if right == "" {
		return 0, s.at(col, field, "no value after the colon")
	}
	v, problem := number(right)
	if problem != "" {
		return 0, s.at(col, field, "value: "+problem)
	}
	s.index = append(s.index, int32(i))
	s.value = append(s.value, v)
	return i, nil
}

func (s *sparse) table() (Table, error) {
	n := len(s.rows) - 1
	if n == 0 {
		return Table{}, &Error{File: s.name, Problem: "the file has no rows"}
	}
	if s.d == 0 {
		return Table{}, &Error{File: s.name, Problem: "no row has an entry: give dim if all points are 0"}
	}
	x := mat.NewDense(n, s.d, nil)
	for i := range n {
		row := x.RawRowView(i)
		for e := s.rows[i]; e < s.rows[i+1]; e++ {
			row[s.index[e]-1] = s.value[e]
		}
	}
	t := Table{X: DensePool{x}}
	t.Labels, t.Classes = s.codes.done()
	return t, nil
}
