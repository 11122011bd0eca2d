package files

import (
	"bytes"
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

	"gonum.org/v1/gonum/mat"
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
	_, err := separator(o.Comma, "", nil)
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
// 1/128 of the memory); and where it takes more memory than there is. Cost: 8·N·D
// bytes, twice that while reading.
func (o Opener) LoadCSV(path string, options CSVOptions) (Table, error) {
	return load(o, path, func(in *input) (Table, error) { return readCSV(in, options) })
}

func readCSV(in *input, o CSVOptions) (Table, error) {
	if err := o.Validate(); err != nil {
		return Table{}, err
	}
	if bom, _ := in.Peek(3); bytes.Equal(bom, []byte("\xef\xbb\xbf")) {
		in.Discard(3)
	}
	if err := in.isText(); err != nil {
		return Table{}, err
	}
	head, _ := in.Peek(1 << 16)
	comma, err := separator(o.Comma, in.name, head)
	if err != nil {
		return Table{}, err
	}
	lines := &recordGuard{in: in, most: min(mostRecord, max(1<<16, in.memory/128))}
	cr := csv.NewReader(lines)
	cr.Comma, cr.FieldsPerRecord, cr.ReuseRecord = comma, -1, true
	c := &csvReader{in: in, name: in.name, src: cr, lines: lines, label: -1, skip: o.Missing == "drop"}
	return c.read(o)
}

// mostRecord is the longest record of a CSV file, in bytes: 400,000 numbers of 17 digits.
// The parser takes up to a hundred times the bytes of a record, at the end of one that is
// too long as well: less than a gigabyte.
const mostRecord = 8 << 20

// recordGuard ends the reading of a file in which a record does not end.
type recordGuard struct {
	in    *input
	most  int64 // bytes of a record
	read  int64
	begin int64 // of the record that is being read
}

var errRecord = errors.New("endless record")

func (g *recordGuard) Read(p []byte) (int, error) {
	if g.read-g.begin > g.most {
		return 0, errRecord
	}
	n, err := g.in.Read(p)
	g.read += int64(n)
	return n, err
}

// csvReader holds what is known so far of the file that it reads.
type csvReader struct {
	in      *input
	name    string
	src     *csv.Reader
	lines   *recordGuard
	line    int      // that the last record ended on
	ahead   row      // that next gives before it reads
	columns []string // nil without header
	first   row      // fixes the width
	label   int      // column of the label, -1 for none
	drop    []bool   // of each column
	width   int
	skip    bool // rows with a missing cell are left out
	skipped int
	guessed bool // the first line is a header by guess
	codes   coder
	data    blocks[float64]
	n       int
}

// row is a record that outlives the next read.
type row struct {
	cells []string
	pos   [][2]int // line and column of each cell
}

func (c *csvReader) read(o CSVOptions) (Table, error) {
	one, err := c.next(row{})
	if err == io.EOF {
		return Table{}, &Error{File: c.name, Problem: "the file is empty"}
	} else if err != nil {
		return Table{}, err
	}
	two, err := c.next(row{})
	if err != nil && err != io.EOF {
		return Table{}, err
	}
	c.first, c.width = one, len(one.cells)
	if two.cells != nil && len(two.cells) != c.width && isComment(one) {
		return Table{}, c.comment(one)
	}
	header := o.Header == "true"
	if o.Header == "auto" {
		header, c.guessed = isHeader(one.cells, two.cells)
	}
	if header {
		c.columns = make([]string, c.width)
		for i, s := range one.cells {
			if err := c.isUTF8(one, i); err != nil {
				return Table{}, err
			}
			c.columns[i] = strings.TrimSpace(s)
		}
	}
	if err := c.findColumns(o); err != nil {
		return Table{}, err
	}
	r := two
	if c.columns == nil {
		r, c.ahead = one, two
	}
	for r.cells != nil {
		if err := c.add(r); err != nil && isComment(r) {
			return Table{}, c.comment(r)
		} else if err != nil {
			return Table{}, c.advise(err, o)
		}
		if r, err = c.next(r); err != nil && err != io.EOF {
			return Table{}, err
		}
	}
	return c.table()
}

// next reads a record, into the memory of one that is done with; its cells are nil with
// io.EOF.
func (c *csvReader) next(done row) (row, error) {
	if ahead := c.ahead; ahead.cells != nil {
		c.ahead = row{}
		return ahead, nil
	}
	rec, err := c.src.Read()
	if err == io.EOF {
		return row{}, io.EOF
	}
	var pe *csv.ParseError
	if errors.As(err, &pe) && pe.Err == csv.ErrQuote {
		return row{}, c.openQuote(pe, rec)
	} else if errors.As(err, &pe) {
		return row{}, &Error{File: c.name, Line: pe.Line, Col: pe.Column, Problem: pe.Err.Error()}
	} else if errors.Is(err, errRecord) {
		advice := fmt.Sprintf("raise --memory: a line may have 1/128 of it, at most %s", sizeText(mostRecord))
		if c.lines.most == mostRecord {
			advice = "save the points as an .npy or IDX file: no CSV file may have a longer line"
		}
		return row{}, &Error{File: c.name, Line: c.line + 1, Problem: fmt.Sprintf("the line, or a quoted cell, does not end within %s; is this a text file? If it is, %s", sizeText(uint64(c.lines.most)), advice)}
	} else if err != nil {
		return row{}, fmt.Errorf("%s: %w", c.name, err)
	}
	out := row{append(done.cells[:0], rec...), done.pos[:0]}
	for i := range rec {
		line, col := c.src.FieldPos(i)
		out.pos = append(out.pos, [2]int{line, col})
	}
	c.line, c.lines.begin = out.pos[len(rec)-1][0], c.src.InputOffset()
	return out, nil
}

// openQuote says where the quoted cell begins that is not closed; cells are those
// before it in its record.
func (c *csvReader) openQuote(pe *csv.ParseError, cells []string) error {
	line := pe.StartLine
	if last := len(cells) - 1; last >= 0 {
		line, _ = c.src.FieldPos(last)
		line += strings.Count(cells[last], "\n")
	}
	return &Error{File: c.name, Line: line, Problem: fmt.Sprintf("a quoted cell opens on this line and is not closed by line %d, column %d: close it with a quote right before a separator or the end of the line; write a quote within it twice", pe.Line, pe.Column)}
}

func (c *csvReader) add(r row) error {
	if len(r.cells) != c.width {
		return &Error{File: c.name, Line: r.pos[0][0], Col: 1, Text: strings.Join(r.cells, string(c.src.Comma)),
			Problem: fmt.Sprintf("%s where line %d has %d", count(len(r.cells), "cell"), c.first.pos[0][0], c.width)}
	}
	if c.skip && c.lacking(r) {
		c.skipped++
		return nil
	}
	for i, cell := range r.cells {
		if c.drop[i] {
			continue
		}
		if i == c.label {
			name := strings.TrimSpace(cell)
			if name == "" {
				return &Error{File: c.name, Line: r.pos[i][0], Col: r.pos[i][1], Problem: "empty label: every row needs a class; fill it in or drop the row"}
			}
			if err := c.isUTF8(r, i); err != nil {
				return err
			}
			c.codes.add(name)
			continue
		}
		if missing(cell) {
			return c.incomplete(r, i)
		}
		v, problem := number(cell)
		if problem != "" {
			if c.columns != nil {
				texts := c.texts(r)
				problem += fmt.Sprintf(" (column%s %s)", map[bool]string{true: "s"}[len(texts) > 1], listed(texts))
			}
			return &Error{File: c.name, Line: r.pos[i][0], Col: r.pos[i][1], Text: cell, Problem: problem}
		}
		c.data.add(v)
	}
	c.n++
	const copied = 2 // the numbers and what table makes of them; until then, their garbage
	if err := c.in.room(copied*8*uint64(c.data.len()) + c.codes.bytes()); err != nil {
		return &Error{File: c.name, Line: r.pos[0][0], Problem: err.Error()}
	}
	return nil
}

// isUTF8 refuses a name in another encoding, such as Latin-1.
func (c *csvReader) isUTF8(r row, i int) error {
	if utf8.ValidString(r.cells[i]) {
		return nil
	}
	return &Error{File: c.name, Line: r.pos[i][0], Col: r.pos[i][1], Text: r.cells[i],
		Problem: "a name that is not UTF-8; convert the file, if it is Latin-1 by: iconv -f LATIN1 -t UTF-8 FILE > NEW"}
}

// texts are the columns taken for numbers in which a row has something else.
func (c *csvReader) texts(r row) (names []string) {
	for i, cell := range r.cells {
		if _, problem := number(cell); problem != "" && i != c.label && !c.drop[i] && !missing(cell) {
			names = append(names, c.columns[i])
		}
	}
	return names
}

// advise adds to the first rows' errors what the likely cause is.
func (c *csvReader) advise(err error, o CSVOptions) error {
	var e *Error
	if !errors.As(err, &e) || c.n > 0 || !strings.HasPrefix(e.Problem, "not a number") {
		return err
	}
	if c.columns == nil && o.Header == "auto" {
		e.Problem += "; if this line names the columns, say header: true"
	}
	if c.columns == nil && o.Header == "false" {
		e.Problem += "; if this line names the columns, drop header: false"
	}
	if c.label < 0 {
		e.Problem += "; if this column holds the classes, say label: with its name or index"
	}
	return err
}

func (c *csvReader) table() (Table, error) {
	var taken []int
	for i := range c.width {
		if i != c.label && !c.drop[i] {
			taken = append(taken, i)
		}
	}
	if c.n == 0 && c.skipped > 0 {
		return Table{}, &Error{File: c.name, Problem: fmt.Sprintf("missing: drop leaves no row: each of %d has a missing cell; drop: the columns that lack most", c.skipped)}
	}
	if c.n == 0 {
		return Table{}, &Error{File: c.name, Problem: "no rows below the header; if the first line is data, say header: false"}
	}
	if len(taken) == 0 {
		return Table{}, &Error{File: c.name, Problem: "no column is left: no coordinates beside the label and what is dropped"}
	}
	t := Table{X: DensePool{mat.NewDense(c.n, len(taken), c.data.slice())}, Skipped: c.skipped}
	if c.guessed && c.columns != nil {
		t.Guess = fmt.Sprintf("the first line is taken as the names of the columns: %s; if it is a point, say header: false", listed(c.columns))
	}
	if c.columns != nil {
		for _, i := range taken {
			t.Columns = append(t.Columns, c.columns[i])
		}
	}
	if c.label >= 0 {
		t.Labels, t.Classes = c.codes.done()
		if c.columns != nil {
			t.Label = c.columns[c.label]
		}
	}
	return t, nil
}

// findColumns sets c.label and c.drop.
func (c *csvReader) findColumns(o CSVOptions) error {
	var err error
	if o.Label != "none" || slices.Contains(c.columns, "none") {
		if c.label, err = c.find("label", o.Label); err != nil {
			return err
		}
	}
	c.drop = make([]bool, c.width)
	for _, want := range o.Drop {
		i, err := c.find("drop", want)
		if err != nil {
			return err
		}
		if i == c.label {
			return &Error{File: c.name, Line: c.first.pos[0][0], Col: 1, Problem: fmt.Sprintf("drop: column %q is that of the label", want)}
		}
		c.drop[i] = true
	}
	return nil
}

// find is the index of a column that the option what asks for: one of that name goes before
// an index.
func (c *csvReader) find(what, want string) (int, error) {
	found, last := 0, 0
	for i, s := range c.columns {
		if s == want {
			found, last = found+1, i
		}
	}
	at := &Error{File: c.name, Line: c.first.pos[0][0], Col: 1}
	if found > 1 {
		at.Problem = fmt.Sprintf("%s are named %q: give its index as %s", count(found, "column"), want, what)
		return 0, at
	}
	if found == 1 {
		return last, nil
	}
	i, err := strconv.Atoi(want)
	switch {
	case err != nil && c.columns == nil:
		at.Problem = fmt.Sprintf("%s %q needs a line with column names; this file has none (say header: true if it has), so give an index: 0 … %d, or -1 for the last", what, want, c.width-1)
		return 0, at
	case err != nil:
		at.Problem = fmt.Sprintf("no column is named %q; there are: %s", want, listed(c.columns))
		return 0, at
	case i >= c.width || i < -c.width:
		at.Problem = fmt.Sprintf("no column %d for the %s: there are %d, counted 0 … %d or -%d … -1", i, what, c.width, c.width-1, c.width)
		return 0, at
	case i < 0:
		i += c.width
	}
	return i, nil
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

// isComment says that a row begins as a comment does in many formats.
func isComment(r row) bool { return strings.HasPrefix(r.cells[0], "#") }

// comment refuses a row that is a comment.
func (c *csvReader) comment(r row) error {
	return &Error{File: c.name, Line: r.pos[0][0], Col: 1, Text: strings.Join(r.cells, string(c.src.Comma)),
		Problem: "a comment: delete the lines that begin with #; no key leaves them out"}
}

// numeric takes what LoadCSV refuses, 0x10, 1_000 and 4,5, too: a first line of those is
// no header.
func numeric(s string) bool {
	_, err := parse(strings.TrimSpace(s))
	return err == nil || errors.Is(err, strconv.ErrRange) || decimalComma.MatchString(strings.TrimSpace(s))
}

func separator(want, name string, head []byte) (rune, error) {
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
	line, _, _ := bytes.Cut(bytes.TrimLeft(head, "\r\n"), []byte("\n"))
	best, most := ',', 0
	for _, r := range ",\t;|" {
		if k := outsideQuotes(line, byte(r)); k > most {
			best, most = r, k
		}
	}
	return best, nil
}

func outsideQuotes(line []byte, sep byte) (k int) {
	quoted := false
	for _, b := range line {
		switch {
		case b == '"':
			quoted = !quoted
		case b == sep && !quoted:
			k++
		}
	}
	return k
}

func listed(names []string) string {
	const most = 20
	more := ""
	if len(names) > most {
		names, more = names[:most], fmt.Sprintf(", … (%d in all)", len(names))
	}
	texts := make([]string, len(names))
	for i, name := range names {
		texts[i] = shown(name)
	}
	return strings.Join(texts, ", ") + more
}

// shown is a column's name as messages show it: cut where it is long, and quoted, with
// escapes, where a terminal would obey its characters or it is empty.
func shown(name string) string {
	name = shorten(name)
	if name == "" || strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return strconv.Quote(name)
	}
	return name
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
