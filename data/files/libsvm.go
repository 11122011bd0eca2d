package files

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// undeclaredDim is the largest index that is believed without a dim: the matrix is
// dense, and one index of some bytes in a file could ask for gigabytes.
const undeclaredDim = 1 << 20

// mostField is the longest label, or index:value, in bytes.
const mostField = 1 << 16

// LoadLIBSVM reads lines `label index:value index:value …` with indices from 1,
// rising within the line, into a dense N×D matrix; what a line leaves out is 0. D is dim, or
// where this is 0 the largest index.
// Labels that are numbers below 2^53 are named by their shortest form, so +1 and 1.0 are
// the class "1". A # starts a comment; blank lines are passed over. Lines may have any
// length: they are read by fields.
//
// It fails, with an *Error that has line and column, on a missing label,
// several labels, qid, an index that is not above the one before or is above
// dim (2^20 where dim is 0), values that are no finite number, a field of more than
// 64 KiB, a file without rows, and as soon as it takes more memory than there is.
// Cost: time linear in the bytes; 12 bytes a stored value, twice that while reading,
// and 8·N·D.
func (o Opener) LoadLIBSVM(path string, dim int) (Table, error) {
	return load(o, path, func(in *input) (Table, error) { return readLIBSVM(in, dim) })
}

func readLIBSVM(in *input, dim int) (Table, error) {
	if err := in.isText(); err != nil {
		return Table{}, err
	}
	s := &sparse{d: dim}
	s.libsvmReader = newLIBSVMReader(in, dim, s.add, s.endRow)
	if err := s.read(); err != nil {
		return Table{}, err
	}
	return s.table()
}

// libsvmReader reads the lines of a LIBSVM file by their fields, and hands on each entry and
// the end of each line.
type libsvmReader struct {
	in     *input
	dim    int // the largest index; 0: not declared
	fields fieldSplitter
	inLine int // fields of the line so far
	last   int // index of the line so far
	codes  coder

	entry func(index int, v float64) (problem string)
	row   func() error
}

func newLIBSVMReader(in *input, dim int, entry func(int, float64) string, row func() error) libsvmReader {
	return libsvmReader{in: in, dim: dim, fields: fieldSplitter{line: 1}, entry: entry, row: row}
}

// read reads the whole file, which has a row.
func (s *libsvmReader) read() error {
	scanner := bufio.NewScanner(s.in)
	scanner.Buffer(make([]byte, mostField), mostField)
	scanner.Split(s.fields.split)
	for scanner.Scan() {
		if err := s.take(scanner.Bytes()); err != nil {
			return err
		}
	}
	if err := scanner.Err(); errors.Is(err, bufio.ErrTooLong) {
		return &Error{File: s.in.name, Line: s.fields.line, Col: s.fields.at + 1, Problem: "a field longer than 64 KiB: want index:value, parted by blanks"}
	} else if err != nil {
		return s.in.failed(err)
	}
	if err := s.endLine(); err != nil {
		return err
	}
	if s.codes.codes.len() == 0 {
		return &Error{File: s.in.name, Problem: "the file has no rows"}
	}
	return nil
}

// fieldSplitter parts a text into its fields and the ends of its lines, without
// comments. It looks at each byte once, but for those of a field that two reads part.
type fieldSplitter struct {
	line    int  // from 1, of the field found last
	col     int  // from 1, in bytes
	at      int  // bytes of the line that are done with
	newline bool // found last
	comment bool
}

// split is a bufio.SplitFunc.
func (f *fieldSplitter) split(data []byte, atEOF bool) (advance int, field []byte, err error) {
	if f.newline {
		f.line, f.at, f.newline, f.comment = f.line+1, 0, false, false
	}
	from := 0
	for ; from < len(data); from++ {
		switch c := data[from]; {
		case c == '\n':
			f.newline = true
			return from + 1, data[from : from+1], nil
		case f.comment || c == ' ' || c == '\t' || c == '\r':
		case c == '#':
			f.comment = true
		default:
			end := from + 1
			for end < len(data) && !endsField[data[end]] {
				end++
			}
			if end == len(data) && !atEOF {
				f.at += from
				return from, nil, nil
			}
			f.col, f.at = f.at+from+1, f.at+end
			return end, data[from:end], nil
		}
	}
	f.at += from
	return from, nil, nil
}

// endsField are the bytes that no field has in it.
var endsField = [256]bool{' ': true, '\t': true, '\r': true, '\n': true, '#': true}

// wrong is an error at the last field.
func (s *libsvmReader) wrong(field []byte, problem string) error {
	return &Error{File: s.in.name, Line: s.fields.line, Col: s.fields.col, Text: string(field), Problem: problem}
}

// take takes a field or the end of a line.
func (s *libsvmReader) take(field []byte) error {
	if s.fields.newline {
		return s.endLine()
	}
	s.inLine++
	if s.inLine == 1 {
		return s.label(field)
	}
	return s.pair(field)
}

func (s *libsvmReader) endLine() error {
	if s.inLine == 0 {
		return nil
	}
	s.inLine, s.last = 0, 0
	return s.row()
}

// atLine is an error of the last line.
func (s *libsvmReader) atLine(problem string) error {
	return &Error{File: s.in.name, Line: s.fields.line, Problem: problem}
}

func (s *libsvmReader) label(field []byte) error {
	name := string(field)
	switch {
	case strings.Contains(name, ":"):
		return s.wrong(field, "a label must come first on the line")
	case strings.Contains(name, ","):
		return s.wrong(field, "several labels on a line are not supported")
	}
	if v, err := strconv.ParseFloat(name, 64); err == nil && decimal(name) {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return s.wrong(field, "label is no finite number")
		}
		name = numberName(name, v)
	}
	s.codes.add(name)
	return nil
}

// numberName is the name of a class that a text, the number v, stands for: the number's
// shortest form, or the text from 2^53 on, where float64 has no longer every integer.
func numberName(text string, v float64) string {
	if math.Abs(v) >= 1<<53 {
		return text
	}
	return strconv.FormatFloat(v+0, 'g', -1, 64)
}

func (s *libsvmReader) pair(field []byte) error {
	left, right, ok := bytes.Cut(field, []byte{':'})
	if !ok {
		return s.wrong(field, "want index:value")
	}
	if string(left) == "qid" {
		return s.wrong(field, "qid (ranking data) is not supported")
	}
	i, err := strconv.Atoi(string(left))
	switch {
	case err != nil || i < 1 || i > math.MaxInt32:
		return s.wrong(field, fmt.Sprintf("index: want an integer 1 … %d", math.MaxInt32))
	case s.dim == 0 && i > undeclaredDim:
		return s.wrong(field, fmt.Sprintf("index above %d: give dim, the number of coordinates, if there are so many", undeclaredDim))
	case s.dim > 0 && i > s.dim:
		return s.wrong(field, fmt.Sprintf("index above dim: %d", s.dim))
	case i <= s.last:
		return s.wrong(field, fmt.Sprintf("index not above the one before, %d: indices must rise along the line", s.last))
	}
	if len(right) == 0 {
		return s.wrong(field, "no value after the colon")
	}
	v, problem := number(string(right))
	if problem != "" {
		return s.wrong(field, "value: "+problem)
	}
	s.last = i
	if problem := s.entry(i, v); problem != "" {
		return s.wrong(field, problem)
	}
	return nil
}

// sparse is the file so far in compressed rows.
type sparse struct {
	libsvmReader
	d     int
	ends  blocks[int] // row i has the entries before ends[i] that no row before has
	index blocks[int32]
	value blocks[float64]
}

func (s *sparse) add(index int, v float64) (problem string) {
	s.d = max(s.d, index)
	s.index.add(int32(index))
	s.value.add(v)
	if s.index.len()%(1<<16) == 0 { // a line may be long
		return s.room()
	}
	return ""
}

func (s *sparse) endRow() error {
	s.ends.add(s.index.len())
	if problem := s.room(); problem != "" {
		return s.atLine(problem)
	}
	return nil
}

// room fails where what was read takes more memory than there is: entries and the ends
// of rows, as much garbage, and the matrix.
func (s *sparse) room() (problem string) {
	n := uint64(s.ends.len())
	need := plus(times(8*n, uint64(s.d)), 2*(12*uint64(s.index.len())+8*n)+s.codes.bytes())
	if err := s.in.room(need); err != nil {
		return fmt.Sprintf("%d rows of dimension %d: %v", n, s.d, err)
	}
	return ""
}

func (s *sparse) table() (Table, error) {
	n := s.ends.len()
	if s.d == 0 {
		return Table{}, &Error{File: s.in.name, Problem: "no row has an entry: give dim if all points are 0"}
	}
	x := mat.NewDense(n, s.d, nil)
	e := 0
	for i := range n {
		row := x.RawRowView(i)
		for ; e < s.ends.at(i); e++ {
			row[s.index.at(e)-1] = s.value.at(e)
		}
	}
	t := Table{X: DensePool{x}}
	t.Labels, t.Classes = s.codes.done()
	return t, nil
}
