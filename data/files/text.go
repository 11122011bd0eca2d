package files

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// rows are the points of a text file, line by line.
type rows interface {
	// begin begins the file anew.
	begin() error
	// next is the next point, in memory that the one after it takes, and its class, empty
	// where there are none. Coordinates that are left out at the end are 0. After the last,
	// of one at least, comes io.EOF.
	next() (x []float64, class string, err error)
}

// eachRow visits all points.
func eachRow(r rows, visit func(x []float64, class string) error) error {
	err := r.begin()
	for err == nil {
		var x []float64
		var class string
		if x, class, err = r.next(); err == nil {
			err = visit(x, class)
		}
	}
	if err == io.EOF {
		return nil
	}
	return err
}

// table reads a text file twice: for its mistakes, its shape and its classes, before memory
// is taken; then for its points.
func (in *input) table(r rows) (Table, error) {
	var n, d, labels, names uint64
	codes := map[string]int{}
	err := eachRow(r, func(x []float64, class string) error {
		n, d = n+1, max(d, uint64(len(x)))
		if class != "" {
			labels++
		}
		if _, known := codes[class]; !known {
			codes[strings.Clone(class)] = 0 // frees the line that it is cut from
			names += 128 + uint64(len(class))
		}
		const garbage = 2 // as much again, of the lines
		if err := in.room(times(garbage, plus(times(8*n, d), 8*labels+names))); err != nil {
			return fmt.Errorf("%d rows of dimension %d: %w", n, d, err)
		}
		return nil
	})
	if err != nil {
		return Table{}, err
	}
	x := mat.NewDense(int(n), int(d), nil)
	t := Table{X: DensePool{x}}
	if labels > 0 {
		t.Labels, t.Classes = make([]int, n), order(codes)
	}
	i := 0
	err = eachRow(r, func(row []float64, class string) error {
		if i == int(n) || len(row) > int(d) {
			return errWritten
		}
		copy(x.RawRowView(i), row)
		if t.Labels != nil {
			t.Labels[i] = codes[class]
		}
		i++
		return nil
	})
	if err != nil {
		return Table{}, err
	}
	return t, nil
}

// longest is how many bytes a line of a text file may have, with its quoted cells: 400,000
// numbers of 17 digits. The parser takes up to a hundred times these bytes, at the end of a
// line that is too long as well: less than a gigabyte.
func (in *input) longest() int { return int(min(mostLine, max(1<<16, in.memory/128))) }

const mostLine = 8 << 20

// tooLong refuses a line that does not end.
func (in *input) tooLong(line int) error {
	advice := fmt.Sprintf("raise --memory: a line may have 1/128 of it, at most %s", sizeText(mostLine))
	if in.longest() == mostLine {
		advice = "save the points as an .npy or IDX file: no text file may have a longer line"
	}
	return &Error{File: in.name, Line: line, Problem: fmt.Sprintf("the line, or a quoted cell, does not end within %s; is this a text file? If it is, %s", sizeText(uint64(in.longest())), advice)}
}

// text begins the file anew, behind a byte order mark. It refuses UTF-16, by its mark or by
// zero bytes of ASCII, and lines that end in CR alone.
func (in *input) text() error {
	if err := in.again(); err != nil {
		return err
	}
	if mark, _ := in.Peek(3); string(mark) == "\xef\xbb\xbf" {
		in.Discard(3)
	}
	start, _ := in.Peek(1 << 16)
	head := string(start[:min(2, len(start))])
	if head == "\xff\xfe" || head == "\xfe\xff" || len(head) == 2 && (head[0] == 0) != (head[1] == 0) {
		return &Error{File: in.name, Problem: "UTF-16, not UTF-8; convert it, such as by: iconv -f UTF-16 -t UTF-8 FILE > NEW"}
	}
	if bytes.IndexByte(start, '\r') >= 0 && bytes.IndexByte(start, '\n') < 0 {
		return &Error{File: in.name, Problem: "its lines end in CR alone, as old programs write them; convert it by: tr '\\r' '\\n' < FILE > NEW"}
	}
	return nil
}
