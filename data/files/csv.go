package files

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"mercer/internal/lists"
	"mercer/internal/plain"
)

// CSVOptions says how a CSV or TSV file is laid out.
type CSVOptions struct {
	Header  string   // true: the first line names the columns; false: it is data; auto: as isHeader says
	Label   string   // the class label's column: its name, or its index from 0, or from the end as -1, -2, ...; none: no labels. A column of that name goes before an index
	Comma   string   // the separator: one character, or tab, or auto: tab for .tsv and .tab files, else the most frequent of comma, tab, semicolon and | in the first line
	Drop    []string // columns that are no coordinates, each by its name or its index as label; their cells may be anything
	Missing string   // error or empty: a row with a missing cell is an error; drop: such rows are left out and counted
}

// DefaultCSV finds header and separator by itself and expects no labels.
var DefaultCSV = CSVOptions{Header: "auto", Label: "none", Comma: "auto"}

// Validate checks the options without a file.
func (o CSVOptions) Validate() error {
	switch o.Header {
	case "true", "false", "auto":
	default:
		return fmt.Errorf("header: %q: want true, false or auto", o.Header)
	}
	if o.Missing != "" && o.Missing != "error" && o.Missing != "drop" {
		return fmt.Errorf("missing: %q: want error or drop", o.Missing)
	}
	if o.Label == "" {
		return errors.New("label: empty; want a column's name, its index, or none")
	}
	_, err := separator(o.Comma, "", "")
	return err
}

// LoadCSV reads the N rows of a CSV or TSV file (RFC 4180; a byte order mark and CRLF
// are taken) into an N×D matrix, D being the columns but for the label's and
// those that are dropped. The file's extension may decide the separator. Blank
// lines are passed over; blanks around a number or a label are dropped.
//
// It fails, with an *Error that has line and column, on rows of unequal
// length, cells that are no finite number, an empty label, a label column that
// is not there, broken quotes, and a file without rows or without a column of
// numbers; on a line, or a quoted cell, that does not end (longer than 8 MiB, or than
// 1/128 of the memory); and where it takes more memory than there is. Cost: two passes over
// the file, and 8·N·D bytes, twice that while reading.
func (o Opener) LoadCSV(path string, options CSVOptions) (Table, error) {
	if err := options.Validate(); err != nil {
		return Table{}, err
	}
	return load(o, path, func(in *input) (Table, error) { return in.csv(options) })
}

func (in *input) csv(options CSVOptions) (Table, error) {
	r := &csvRows{in: in, options: options, label: -1}
	if err := r.layout(); err != nil {
		return Table{}, err
	}
	t, err := in.table(r)
	if err != nil {
		return Table{}, err
	}
	t.Columns, t.Skipped, t.Guess = r.names(), r.skipped, r.guess
	if r.label >= 0 && r.columns != nil {
		t.Label = r.columns[r.label]
	}
	return t, nil
}

// csvRows are the points of a CSV file.
type csvRows struct {
	in      *input
	options CSVOptions

	// What the first two lines say.
	columns []string // nil without header
	width   int
	first   int    // line of the first record
	label   int    // column of the label, -1 for none
	drop    []bool // of each column
	guess   string // see Table

	src     *csv.Reader
	guard   *recordGuard
	line    int // that the last record ended on
	read    int // rows so far
	skipped int // rows that were left out, since cells of them are missing
	x       []float64
}

// recordGuard ends the reading of a file in which a record does not end.
type recordGuard struct {
	in    *input
	read  int64
	begin int64 // of the record that is being read
}

var errRecord = errors.New("endless record")

func (g *recordGuard) Read(p []byte) (int, error) {
	if g.read-g.begin > int64(g.in.longest()) {
		return 0, errRecord
	}
	n, err := g.in.Read(p)
	g.read += int64(n)
	return n, err
}

// open begins the file anew.
func (r *csvRows) open() error {
	if err := r.in.text(); err != nil {
		return err
	}
	head, _ := r.in.Peek(1 << 16)
	comma, err := separator(r.options.Comma, r.in.name, string(head))
	r.guard = &recordGuard{in: r.in}
	r.src = csv.NewReader(r.guard)
	r.src.Comma, r.src.FieldsPerRecord, r.src.ReuseRecord = comma, -1, true
	r.line, r.read, r.skipped = 0, 0, 0
	return err
}

// begin begins with the first row below the names of the columns.
func (r *csvRows) begin() error {
	err := r.open()
	if err == nil && r.columns != nil {
		_, err = r.record()
	}
	return err
}

// layout finds out from the first two lines what the columns are.
func (r *csvRows) layout() error {
	if err := r.open(); err != nil {
		return err
	}
	cells, err := r.record()
	if err == io.EOF {
		return &Error{File: r.in.name, Problem: "the file is empty"}
	} else if err != nil {
		return err
	}
	one := slices.Clone(cells)
	r.width = len(one)
	r.first, _ = r.src.FieldPos(0)
	comment, latin := r.comment(one), error(nil)
	if i := slices.IndexFunc(one, func(name string) bool { return !utf8.ValidString(name) }); i >= 0 {
		latin = r.notUTF8(i, one[i])
	}
	two, err := r.record()
	if err != nil && err != io.EOF {
		return err
	}
	if two != nil && len(two) != r.width && comment != nil {
		return comment
	}
	header, guessed := r.options.Header == "true", false
	if r.options.Header == "auto" {
		header, guessed = isHeader(one, two)
	}
	if header && latin != nil {
		return latin
	}
	if header {
		r.columns = lists.Map(one, strings.TrimSpace)
	}
	if guessed && header {
		r.guess = fmt.Sprintf("the first line is taken as the names of the columns: %s; if it is a point, say header: false", listed(r.columns))
	}
	return r.findColumns()
}

// findColumns finds the columns that the options name.
func (r *csvRows) findColumns() error {
	var err error
	if r.options.Label != "none" || slices.Contains(r.columns, "none") {
		if r.label, err = r.find("label", r.options.Label); err != nil {
			return err
		}
	}
	r.drop = make([]bool, r.width)
	for _, want := range r.options.Drop {
		i, err := r.find("drop", want)
		if err != nil {
			return err
		}
		if i == r.label {
			return r.atFirst(fmt.Sprintf("drop: column %q is that of the label", want))
		}
		r.drop[i] = true
	}
	for i := range r.width {
		if r.number(i) {
			return nil
		}
	}
	return &Error{File: r.in.name, Problem: "no column is left: no coordinates beside the label and what is dropped"}
}

// number says that column i has coordinates.
func (r *csvRows) number(i int) bool { return i != r.label && !r.drop[i] }

// names are those of the coordinates; nil where the file has none.
func (r *csvRows) names() (names []string) {
	for i, name := range r.columns {
		if r.number(i) {
			names = append(names, name)
		}
	}
	return names
}

// find is the index of a column that the option what asks for: one of that name goes before
// an index.
func (r *csvRows) find(what, want string) (int, error) {
	found := slices.Index(r.columns, want)
	if same := len(lists.Where(r.columns, func(name string) bool { return name == want })); same > 1 {
		return 0, r.atFirst(fmt.Sprintf("%d columns are named %q: give its index as %s", same, want, what))
	}
	if found >= 0 {
		return found, nil
	}
	i, err := strconv.Atoi(want)
	switch {
	case err != nil && r.columns == nil:
		return 0, r.atFirst(fmt.Sprintf("%s %q needs a line with column names; this file has none (say header: true if it has), so give an index: 0 … %d, or -1 for the last", what, want, r.width-1))
	case err != nil:
		return 0, r.atFirst(fmt.Sprintf("no column is named %q; there are: %s", want, listed(r.columns)))
	case i >= r.width || i < -r.width:
		return 0, r.atFirst(fmt.Sprintf("no column %d for the %s: there are %d, counted 0 … %d or -%d … -1", i, what, r.width, r.width-1, r.width))
	case i < 0:
		i += r.width
	}
	return i, nil
}

// atFirst is an error of the first line.
func (r *csvRows) atFirst(problem string) error {
	return &Error{File: r.in.name, Line: r.first, Col: 1, Problem: problem}
}

// at is an error of cell i of the last record.
func (r *csvRows) at(i int, text, problem string) *Error {
	line, col := r.src.FieldPos(i)
	return &Error{File: r.in.name, Line: line, Col: col, Text: text, Problem: problem}
}

// notUTF8 refuses a name in another encoding, such as Latin-1.
func (r *csvRows) notUTF8(i int, name string) error {
	return r.at(i, name, "a name that is not UTF-8; convert the file, if it is Latin-1 by: iconv -f LATIN1 -t UTF-8 FILE > NEW")
}

// comment refuses the last record where it begins as a comment does in many formats.
func (r *csvRows) comment(cells []string) error {
	if !strings.HasPrefix(cells[0], "#") {
		return nil
	}
	return r.at(0, strings.Join(cells, string(r.src.Comma)), "a comment: delete the lines that begin with #; no key leaves them out")
}

// record reads a record, in memory that the next one takes.
func (r *csvRows) record() ([]string, error) {
	cells, err := r.src.Read()
	var wrong *csv.ParseError
	switch {
	case errors.As(err, &wrong) && wrong.Err == csv.ErrQuote:
		return nil, &Error{File: r.in.name, Line: wrong.StartLine, Problem: fmt.Sprintf("a quoted cell of the row that begins on this line is not closed by line %d, column %d: close it with a quote right before a separator or the end of the line; write a quote within it twice", wrong.Line, wrong.Column)}
	case errors.As(err, &wrong):
		return nil, &Error{File: r.in.name, Line: wrong.Line, Col: wrong.Column, Problem: wrong.Err.Error()}
	case errors.Is(err, errRecord):
		return nil, r.in.tooLong(r.line + 1)
	case err != nil:
		return nil, err
	}
	r.line, _ = r.src.FieldPos(len(cells) - 1)
	r.guard.begin = r.src.InputOffset()
	return cells, nil
}

func (r *csvRows) next() (x []float64, class string, err error) {
	cells, err := r.record()
	for err == nil && r.options.Missing == "drop" && len(cells) == r.width && r.lacking(cells) {
		r.skipped++
		cells, err = r.record()
	}
	switch {
	case err == io.EOF && r.read == 0 && r.skipped > 0:
		return nil, "", &Error{File: r.in.name, Problem: fmt.Sprintf("missing: drop leaves no row: each of %d has a missing cell; drop: the columns that lack most", r.skipped)}
	case err == io.EOF && r.read == 0:
		return nil, "", &Error{File: r.in.name, Problem: "no rows below the header; if the first line is data, say header: false"}
	case err != nil:
		return nil, "", err
	}
	if class, err = r.parse(cells); err != nil {
		return nil, "", err
	}
	r.read++
	return r.x, class, nil
}

// parse takes a record for its point, and gives its class.
func (r *csvRows) parse(cells []string) (class string, err error) {
	if comment := r.comment(cells); comment != nil && (len(cells) != r.width || r.number(0)) {
		return "", comment
	}
	if len(cells) != r.width {
		return "", r.at(0, strings.Join(cells, string(r.src.Comma)), fmt.Sprintf("%s where line %d has %d", plain.Count(len(cells), "cell"), r.first, r.width))
	}
	r.x = r.x[:0]
	for i, cell := range cells {
		switch {
		case i == r.label:
			class = strings.TrimSpace(cell)
			if class == "" {
				return "", r.at(i, "", "empty label: every row needs a class; fill it in or drop the row")
			}
			if !utf8.ValidString(class) {
				return "", r.notUTF8(i, cell)
			}
		case r.drop[i]:
		case missing(cell):
			return "", r.incomplete(cells, i)
		default:
			v, problem := number(cell)
			if problem != "" {
				return "", r.at(i, cell, problem+r.advice(cells, problem))
			}
			r.x = append(r.x, v)
		}
	}
	return class, nil
}

// advice names the columns of a row that are no numbers, and in the first row the likely cause.
func (r *csvRows) advice(cells []string, problem string) (advice string) {
	if r.columns != nil {
		var texts []string
		for i, cell := range cells {
			if _, wrong := number(cell); wrong != "" && i != r.label && !r.drop[i] && !missing(cell) {
				texts = append(texts, r.columns[i])
			}
		}
		advice = fmt.Sprintf(" (column%s %s)", map[bool]string{true: "s"}[len(texts) > 1], listed(texts))
	}
	if r.read > 0 || !strings.HasPrefix(problem, "not a number") {
		return advice
	}
	switch {
	case r.columns == nil && r.options.Header == "auto":
		advice += "; if this line names the columns, say header: true"
	case r.columns == nil:
		advice += "; if this line names the columns, drop header: false"
	}
	if r.label < 0 {
		advice += "; if this column holds the classes, say label: with its name or index"
	}
	return advice
}

// isHeader says whether the first line of a file names its columns, and whether that is a
// guess, since a cell of it could be one of a point. It does if
//
//   - no cell of it is a number, and one of the second line is, or there is no second line;
//   - its first cell is empty, or a cell of it begins with a letter, above a number;
//   - its numbers count 0, 1, 2, …, as pandas names columns, and all other cells are text:
//     0,1,2 and 0,1,y do, but 0,y may be a point and its class.
func isHeader(one, two []string) (header, guessed bool) {
	counted, text, above := 0, 0, false
	for j, cell := range one {
		cell = strings.TrimSpace(cell)
		number := numeric(cell)
		switch {
		case number && cell == strconv.Itoa(counted):
			counted++
		case !number:
			text++
		}
		letter, _ := utf8.DecodeRuneInString(cell)
		names := cell == "" && j == 0 || unicode.IsLetter(letter) && !missing(cell) && !number
		above = above || names && j < len(two) && numeric(two[j])
	}
	if text == len(one) && (two == nil || slices.ContainsFunc(two, numeric)) {
		return true, false
	}
	counts := counted+text == len(one) && (text == 0 || counted > 1)
	return above || counts, true
}

func separator(want, name, head string) (rune, error) {
	switch want {
	case "tab", `\t`:
		return '\t', nil
	case "auto":
	default:
		r := []rune(want)
		if len(r) != 1 || strings.ContainsRune("\"\r\n\ufffd\x00", r[0]) {
			return 0, fmt.Errorf("comma: %q: want one character, tab, or auto", want)
		}
		return r[0], nil
	}
	switch strings.ToLower(filepath.Ext(strings.TrimSuffix(name, ".gz"))) {
	case ".tsv", ".tab":
		return '\t', nil
	}
	line, _, _ := strings.Cut(strings.TrimLeft(head, "\r\n"), "\n")
	best, most := ',', 0
	for _, r := range ",\t;|" {
		outside := 0
		for i, part := range strings.Split(line, `"`) { // every other part is within quotes
			if i%2 == 0 {
				outside += strings.Count(part, string(r))
			}
		}
		if outside > most {
			best, most = r, outside
		}
	}
	return best, nil
}
