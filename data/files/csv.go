package files

import (
	"bufio"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"mercer/internal/lists"
	"mercer/internal/plain"
)

// CSVOptions says how a CSV file is laid out.
type CSVOptions struct {
	Header string   // true: the first line names the columns; false: it is a point; auto: it names them if no cell of it is a number, and is refused if its numbers count 0, 1, 2 or 2018, 2019, 2020, which can be either
	Label  string   // the class label's column: its name, or its index from 0, or from the end as -1, -2, ...; none: no labels. A column of that name goes before an index
	Drop   []string // columns that are no coordinates, each by its name or its index as label; their cells may be anything

	// OneHot are columns of words, by their names or indices as label, with their words. Such a
	// column is a coordinate for each word, 1 in the rows that have it and 0 elsewhere.
	OneHot map[string][]string

	Response string // the column of the response, a number, by its name or its index as label; empty: no responses

	// Look, where it is set, is called with each line below the header, its number and its cells, in
	// place of reading points: names are those of the columns, nil without a header.
	Look func(line int, names, cells []string) error
}

// DefaultCSV finds out whether there is a header and expects no labels and no responses.
var DefaultCSV = CSVOptions{Header: "auto", Label: "none"}

// Validate checks the options without a file.
func (o CSVOptions) Validate() error {
	if !slices.Contains([]string{"true", "false", "auto"}, o.Header) {
		return fmt.Errorf("header: %q: want true, false or auto", o.Header)
	}
	if o.Label == "" {
		return errors.New("label: empty; want a column's name, its index, or none")
	}
	return nil
}

// LoadCSV reads the N rows of a CSV file (RFC 4180, in UTF-8) into an N×D matrix, D being the
// columns but for the label, the response and those that are dropped. The separator is the most frequent
// of comma, tab, semicolon and | in the first line. Blank lines and lines that begin with #
// are passed over; blanks around a number or a label are dropped.
//
// It fails, with the line, on rows of unequal length, cells that are no finite number, an
// empty label, a column that is named and not there, broken quotes, and a file without rows or
// without a column of numbers; and where it takes more memory than there is. Cost: one pass
// over the file, and 8·N·D bytes, twice that while reading.
func (o Opener) LoadCSV(path string, options CSVOptions) (Table, error) {
	if err := options.Validate(); err != nil {
		return Table{}, err
	}
	return load(path, func(f *os.File, opened os.FileInfo) (Table, bool, error) {
		if err := o.Room(opened.Size()); err != nil { // a record may be as long as the file
			return Table{}, false, err
		}
		t, err := o.readCSV(f, options)
		return t, false, err
	})
}

func (o Opener) readCSV(f io.Reader, options CSVOptions) (Table, error) {
	text := bufio.NewReaderSize(UntilDone{o.context(), f}, 1<<16)
	if mark, _ := text.Peek(3); string(mark) == "\xef\xbb\xbf" {
		text.Discard(len(mark))
	}
	if magic, _ := text.Peek(len(npyMagic)); string(magic) == npyMagic {
		return Table{}, errors.New("an array of NumPy and no text: a spec takes it by use: npy, and a kernel matrix by use: precomputed")
	}
	r := csv.NewReader(text)
	r.Comma, r.Comment, r.ReuseRecord = separator(text), '#', true

	first, err := r.Read()
	if err != nil {
		return Table{}, fmt.Errorf("the first line: %w", err)
	}
	l, err := newLayout(slices.Clone(first), options)
	record := first
	if err == nil && l.names != nil {
		record, err = r.Read()
	}

	var rows rows
	for ; err == nil; record, err = r.Read() {
		line, _ := r.FieldPos(0)
		if options.Look != nil {
			err = options.Look(line, l.names, record)
		} else if err = l.parse(record, &rows); err == nil {
			err = o.Room(16 * int64(len(rows.values)))
		}
		if err != nil {
			return Table{}, fmt.Errorf("line %d: %w", line, err)
		}
		rows.count++
	}
	if err != io.EOF {
		return Table{}, err
	}
	if rows.count == 0 {
		return Table{}, errors.New("no rows below the header; if the first line is a point, say header: false")
	}
	if options.Look != nil {
		return Table{}, nil
	}
	x := mat.NewDense(rows.count, len(rows.values)/rows.count, rows.values)
	t := Table{X: DensePool{x}, Columns: l.coordinates(), Responses: rows.responses}
	if l.label >= 0 {
		t = t.withClasses(rows.classes)
	}
	return t, nil
}

// rows are what the lines of a CSV file say.
type rows struct {
	count             int
	values, responses []float64
	classes           []string
}

// layout is what the columns of a CSV file are.
type layout struct {
	names   []string   // nil without a header
	label   int        // column of the label, -1 for none
	dropped []bool     // of each column
	words   [][]string // of each column: those of a column of words, else nil

	response int // column of the response, -1 for none
}

func newLayout(first []string, options CSVOptions) (layout, error) {
	l := layout{label: -1, response: -1, dropped: make([]bool, len(first)), words: make([][]string, len(first))}
	if options.Header == "auto" && counts(first) {
		return l, fmt.Errorf("the first line, %s, can be a point, or names of columns, such as years: say header: false or header: true", strings.Join(first, ","))
	}
	if options.Header == "true" || options.Header == "auto" && !slices.ContainsFunc(first, numeric) {
		l.names = lists.Map(first, strings.TrimSpace)
	}
	var err error
	if options.Label != "none" || slices.Contains(l.names, "none") {
		l.label, err = l.find("label", options.Label)
	}
	if options.Response != "" && err == nil {
		if l.response, err = l.find("response", options.Response); err == nil && l.response == l.label {
			err = fmt.Errorf("label and response are one column, %q: name it as response to predict its numbers, or as label to predict its classes", options.Response)
		}
	}
	for _, want := range options.Drop {
		i, failed := l.find("drop", want)
		if failed != nil {
			return l, failed
		}
		if i == l.response {
			return l, fmt.Errorf("drop: %q is the response: leave it out of one of the two", want)
		}
		l.dropped[i] = true
	}
	for want, words := range options.OneHot {
		i, failed := l.find("one_hot", want)
		switch {
		case failed != nil:
			return l, failed
		case !l.coordinate(i) || len(words) < 2:
			return l, fmt.Errorf("one_hot: %q needs two words or more, and is neither label, response nor dropped", want)
		}
		l.words[i] = words
	}
	for i := range first {
		if l.coordinate(i) {
			return l, err
		}
	}
	return l, cmp.Or(err, errors.New("no column is left: no coordinates beside the label, the response and what is dropped"))
}

// coordinate says that column i is one of the points.
func (l layout) coordinate(i int) bool { return i != l.label && i != l.response && !l.dropped[i] }

// coordinates are the names of the coordinates; nil where the file has none.
func (l layout) coordinates() (names []string) {
	for i, name := range l.names {
		switch {
		case l.words[i] != nil:
			names = append(names, lists.Map(l.words[i], func(word string) string { return name + "=" + word })...)
		case l.coordinate(i):
			names = append(names, name)
		}
	}
	return names
}

// find is the index of a column that the option what asks for: one of that name goes before
// an index.
func (l layout) find(what, want string) (int, error) {
	if i := slices.Index(l.names, want); i >= 0 {
		return i, nil
	}
	width := len(l.dropped)
	i, err := strconv.Atoi(want)
	if err != nil || i >= width || i < -width {
		named := "they have no names (say header: true if they have)"
		if l.names != nil {
			named = "they are named " + plain.Some(lists.Map(l.names, strconv.Quote), 20)
		}
		return 0, fmt.Errorf("%s: there is no column %q; %s, and are counted 0 … %d or -%d … -1", what, want, named, width-1, width)
	}
	return (i + width) % width, nil
}

// parse appends what a record says to the rows.
func (l layout) parse(record []string, to *rows) error {
	for i, cell := range record {
		cell = strings.TrimSpace(cell)
		switch {
		case i == l.label && cell == "":
			return errors.New("empty label: every row needs a class; fill it in or leave out the row")
		case i == l.label:
			to.classes = append(to.classes, cell)
		case l.words[i] != nil:
			at := slices.Index(l.words[i], cell)
			if at < 0 {
				return fmt.Errorf("one_hot: %q is none of the words of its column, %s: add it, or leave out the row", cell, plain.Some(l.words[i], 20))
			}
			to.values = append(to.values, make([]float64, len(l.words[i]))...)
			to.values[len(to.values)-len(l.words[i])+at] = 1
		case i == l.response || !l.dropped[i]:
			v, err := strconv.ParseFloat(cell, 64)
			if err != nil || v-v != 0 {
				column := strconv.Itoa(i)
				if l.names != nil {
					column = strconv.Quote(l.names[i])
				}
				return fmt.Errorf("column %s: %q is no finite number: correct it, leave out the row, or name the column as label: or in drop:; if this line names the columns, say header: true", column, cell)
			}
			if i == l.response {
				to.responses = append(to.responses, v)
			} else {
				to.values = append(to.values, v)
			}
		}
	}
	return nil
}

// counts says whether the numbers of a line are 0, 1, 2, and so on, like the names that pandas
// gives to columns without any, or years one after another.
func counts(line []string) bool {
	numbers := lists.Where(line, numeric)
	if len(numbers) == 0 {
		return false
	}
	first, err := strconv.Atoi(strings.TrimSpace(numbers[0]))
	years := first >= 1900 && first <= 2100 && len(numbers) > 1
	if err != nil || first != 0 && !years {
		return false
	}
	for i, cell := range numbers {
		if strings.TrimSpace(cell) != strconv.Itoa(first+i) {
			return false
		}
	}
	return true
}

// numeric says whether a cell is a number.
func numeric(cell string) bool {
	_, err := strconv.ParseFloat(strings.TrimSpace(cell), 64)
	return err == nil
}

// separator is the most frequent one in the first line.
func separator(text *bufio.Reader) rune {
	head, _ := text.Peek(1 << 16)
	line, _, _ := strings.Cut(strings.TrimLeft(string(head), "\r\n"), "\n")
	best, most := ',', 0
	for _, r := range ",\t;|" {
		if count := strings.Count(line, string(r)); count > most {
			best, most = r, count
		}
	}
	return best
}
