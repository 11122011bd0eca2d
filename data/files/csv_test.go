package files

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/mat"
)

type parsed struct {
	X       [][]float64
	Labels  []int
	Classes []string
	Columns []string
}

func flat(t Table) parsed {
	p := parsed{Labels: t.Labels, Classes: t.Classes, Columns: t.Columns}
	x := t.Dense()
	for i := range t.Len() {
		p.X = append(p.X, mat.Row(nil, i, x))
	}
	return p
}

func TestReadCSV(t *testing.T) {
	num := [][]float64{{1, 2}, {3, -4e-3}}
	for _, c := range []struct {
		name, file, text string
		o                CSVOptions
		want             parsed
	}{
		{"plain", "a.csv", "1,2\n3,-4e-3\n", DefaultCSV, parsed{X: num}},
		{"no newline at the end", "a.csv", "1,2\n3,-4e-3", DefaultCSV, parsed{X: num}},
		{"crlf, blanks, bom, blank line", "a.csv", "\xef\xbb\xbf1, 2\r\n\r\n 3,-4e-3 \r\n", DefaultCSV, parsed{X: num}},
		{"signs, points, blanks, exponents", "a.csv", "+1, 2.\n3.0e0\t,-.4E-02\n", DefaultCSV, parsed{X: num}},
		{"header found", "a.csv", "x,y\n1,2\n3,-4e-3\n", DefaultCSV, parsed{X: num, Columns: []string{"x", "y"}}},
		{"header of numbers said", "a.csv", "10,20\n1,2\n3,-4e-3\n", CSVOptions{"true", "none", "auto", nil, ""}, parsed{X: num, Columns: []string{"10", "20"}}},
		{"header of numbers not guessed", "a.csv", "3,4\n1,2\n", DefaultCSV, parsed{X: [][]float64{{3, 4}, {1, 2}}}},
		{"tsv by extension", "a.TSV", "1\t2\n3\t-4e-3\n", DefaultCSV, parsed{X: num}},
		{"tab by content", "a.txt", "1\t2\n3\t-4e-3\n", DefaultCSV, parsed{X: num}},
		{"semicolon by content", "a.csv", "\"a,b,c\";y\n1;2\n3;-4e-3\n", DefaultCSV, parsed{X: num, Columns: []string{"a,b,c", "y"}}},
		{"bar said", "a.csv", "1|2\n3|-4e-3\n", CSVOptions{"auto", "none", "|", nil, ""}, parsed{X: num}},
		{"label by name", "a.csv", "x,kind,y\n1,b,2\n3,a,-4e-3\n", CSVOptions{"auto", "kind", "auto", nil, ""},
			parsed{num, []int{1, 0}, []string{"a", "b"}, []string{"x", "y"}}},
		{"label by index", "a.csv", "b,1,2\na,3,-4e-3\n", CSVOptions{"auto", "0", "auto", nil, ""},
			parsed{X: num, Labels: []int{1, 0}, Classes: []string{"a", "b"}}},
		{"label from the end", "a.csv", "1,2,10\n3,-4e-3,9\n", CSVOptions{"false", "-1", "auto", nil, ""},
			parsed{X: num, Labels: []int{1, 0}, Classes: []string{"9", "10"}}},
		{"a name goes before an index", "a.csv", "x,0,y\n1,p,2\n3,q,-4e-3\n", CSVOptions{"true", "0", "auto", nil, ""},
			parsed{num, []int{0, 1}, []string{"p", "q"}, []string{"x", "y"}}},
		{"dropped by name and index", "a.csv", "id,x,kind,note,y\n7,1,b,,2\n8,3,a,p,-4e-3\n", CSVOptions{"true", "kind", "auto", []string{"note", "0"}, ""},
			parsed{num, []int{1, 0}, []string{"a", "b"}, []string{"x", "y"}}},
		{"dropped without a header", "a.csv", "1,2,u\n3,-4e-3,v\n", CSVOptions{"false", "none", "auto", []string{"-1"}, ""}, parsed{X: num}},
		{"quoted", "a.csv", "\"1\",\"2\",\"p,q\"\n3,-4e-3,\"say \"\"x\"\"\"\n", CSVOptions{"auto", "2", "auto", nil, ""},
			parsed{X: num, Labels: []int{0, 1}, Classes: []string{"p,q", `say "x"`}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := plainly.ReadCSV(strings.NewReader(c.text), c.file, c.o)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, flat(got)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestReadCSVErrors(t *testing.T) {
	auto := DefaultCSV
	label := func(s string) CSVOptions { return CSVOptions{"auto", s, "auto", nil, ""} }
	for _, c := range []struct {
		name, text string
		o          CSVOptions
		want       string
	}{
		{"empty", "", auto, `f.csv: the file is empty`},
		{"blank", "\n\r\n", auto, `f.csv: the file is empty`},
		{"header alone", "x,y\n", CSVOptions{"true", "none", "auto", nil, ""}, `f.csv: no rows below the header; if the first line is data, say header: false`},
		{"header alone, found", "x,y\n\n", auto, `f.csv: no rows below the header; if the first line is data, say header: false`},
		{"one line of data", "1,y\n", auto, `f.csv:1:3: "y": not a number; if this line names the columns, say header: true; if this column holds the classes, say label: with its name or index`},
		{"UTF-16, little-endian", "\xff\xfea\x00,\x00", auto, utf16},
		{"UTF-16, big-endian", "\xfe\xff\x00a\x00,", auto, utf16},
		{"UTF-16 without a mark", "1\x00,\x002\x00\n\x00", auto, utf16},
		{"Latin-1 in the header", "a,l\xe4nge\n1,2\n", auto, `f.csv:1:3: "l\xe4nge": a name that is not UTF-8; convert the file, if it is Latin-1 by: iconv -f LATIN1 -t UTF-8 FILE > NEW`},
		{"Latin-1 in a label", "a,b\n1,B\n2,\xc4\n", label("b"), `f.csv:3:3: "\xc4": a name that is not UTF-8; convert the file, if it is Latin-1 by: iconv -f LATIN1 -t UTF-8 FILE > NEW`},
		{"short row", "1,2\n3,4\n5\n", auto, `f.csv:3:1: "5": 1 cell where line 1 has 2`},
		{"long row", "x,y\n1,2,3\n", auto, `f.csv:2:1: "1,2,3": 3 cells where line 1 has 2`},
		{"not a number", "1,2\n3,4x\n", auto, `f.csv:2:3: "4x": not a number`},
		{"with its column", "a,b\n1,2\n3,abc\n", auto, `f.csv:3:3: "abc": not a number (column b)`},
		{"typo on line 1 is no header", "1,2x\n3,4\n", auto, `f.csv:1:3: "2x": not a number; if this line names the columns, say header: true; if this column holds the classes, say label: with its name or index`},
		{"label forgotten", "1,A\n2,B\n", auto, `f.csv:1:3: "A": not a number; if this line names the columns, say header: true; if this column holds the classes, say label: with its name or index`},
		{"header forgotten", "x,y\n1,2\n", CSVOptions{"false", "0", "auto", nil, ""}, `f.csv:1:3: "y": not a number; if this line names the columns, drop header: false`},
		{"nan", "1,2\nNaN,4\n", auto, `f.csv:2:1: "NaN": missing cell in column 0: ` + wayOut},
		{"inf", "1,2\n3,-inf\n", auto, `f.csv:2:3: "-inf": not a finite number; drop the row or fill in a value`},
		{"range", "1,2\n3,1e999\n", auto, `f.csv:2:3: "1e999": number beyond the range of float64`},
		{"underscores", "1,2\n3,1_000\n", auto, `f.csv:2:3: "1_000": not a number: write it in decimal digits, without 0x and _`},
		{"underscores on line 1 are no header", "1_000\n2\n", auto, `f.csv:1:1: "1_000": not a number: write it in decimal digits, without 0x and _; if this line names the columns, say header: true; if this column holds the classes, say label: with its name or index`},
		{"hexadecimal", "1,2\n0x1p-2,4\n", auto, `f.csv:2:1: "0x1p-2": not a number: write it in decimal digits, without 0x and _`},
		{"hexadecimal integer", "1,2\n0x10,4\n", auto, `f.csv:2:1: "0x10": not a number: write it in decimal digits, without 0x and _`},
		{"hexadecimal without exponent", "1,2\n-0X1.8,4\n", auto, `f.csv:2:1: "-0X1.8": not a number: write it in decimal digits, without 0x and _`},
		{"an x", "1,2\nx10,4\n", auto, `f.csv:2:1: "x10": not a number`},
		{"hexadecimal on line 1 is no header", "0x10\n2\n", auto, `f.csv:1:1: "0x10": not a number: write it in decimal digits, without 0x and _; if this line names the columns, say header: true; if this column holds the classes, say label: with its name or index`},
		{"hexadecimal with underscores", "1,2\n0X_1P2,4\n", auto, `f.csv:2:1: "0X_1P2": not a number: write it in decimal digits, without 0x and _`},
		{"hexadecimal beyond the range", "1,2\n0x1p9999,4\n", auto, `f.csv:2:1: "0x1p9999": not a number: write it in decimal digits, without 0x and _`},
		{"infinity", "1,2\n+Infinity,4\n", auto, `f.csv:2:1: "+Infinity": not a finite number; drop the row or fill in a value`},
		{"comma for a point", "1;2\n3;4,5\n", auto, `f.csv:2:3: "4,5": not a number: decimals need a point, not a comma`},
		{"empty cell", "1,2\n3,\n", auto, `f.csv:2:3: missing cell in column 1: ` + wayOut + separatorAtEnd},
		{"commas for points below names", "x;y\n1,5;2,5\n", auto, `f.csv:2:1: "1,5": not a number: decimals need a point, not a comma (columns x, y); if this column holds the classes, say label: with its name or index`},
		{"missing from line 1", "1;\n2;3\nNA;4\n5;n/a\n6;7\n", auto, `f.csv:1:3: missing cell in column 1: ` + wayOut + separatorAtEnd},
		{"missing, but for the label and what is dropped", "x,y,z,k\n1,2,3,a\n4,?,,\n,7,8,a\n9,1,2,NA\n", CSVOptions{"auto", "k", "auto", []string{"z"}, ""}, `f.csv:3:3: "?": missing cell in column y: ` + wayOut},
		{"empty label", "1,a\n3, \n", label("1"), `f.csv:2:3: empty label: every row needs a class; fill it in or drop the row`},
		{"names that a terminal obeys", "x,\x1b[31my\n1,2\n", label("class"), `f.csv:1:1: no column is named "class"; there are: x, "\x1b[31my"`},
		{"no such name", "x,y\n1,2\n", label("class"), `f.csv:1:1: no column is named "class"; there are: x, y`},
		{"name without header", "1,2\n3,4\n", label("class"), `f.csv:1:1: label "class" needs a line with column names; this file has none (say header: true if it has), so give an index: 0 … 1, or -1 for the last`},
		{"name twice", "x,x\n1,2\n", label("x"), `f.csv:1:1: 2 columns are named "x": give its index as label`},
		{"all dropped", "1\n2\n", CSVOptions{"auto", "none", "auto", []string{"0"}, ""}, `f.csv: no column is left: no coordinates beside the label and what is dropped`},
		{"dropped and label", "1,2\n", CSVOptions{"auto", "1", "auto", []string{"-1"}, ""}, `f.csv:1:1: drop: column "-1" is that of the label`},
		{"dropped is not there", "x,y\n1,2\n", CSVOptions{"auto", "none", "auto", []string{"z"}, ""}, `f.csv:1:1: no column is named "z"; there are: x, y`},
		{"index too high", "1,2\n", label("2"), `f.csv:1:1: no column 2 for the label: there are 2, counted 0 … 1 or -2 … -1`},
		{"index too low", "1,2\n", label("-3"), `f.csv:1:1: no column -3 for the label: there are 2, counted 0 … 1 or -2 … -1`},
		{"label alone", "1\n2\n", label("0"), `f.csv: no column is left: no coordinates beside the label and what is dropped`},
		{"open quote", "1,2\n3,\"4\n5,6\n", auto, `f.csv:2: a quoted cell of the row that begins on this line is not closed by line 3, column 5: close it with a quote right before a separator or the end of the line; write a quote within it twice`},
		{"open quote after a cell of two lines", "1,2,3\n\"4\r\n\",\"6\n7,8,9\n", auto, `f.csv:2: a quoted cell of the row that begins on this line is not closed by line 4, column 7: close it with a quote right before a separator or the end of the line; write a quote within it twice`},
		{"open quote closed by the next one", "1,2\n\"3,4\n\"5\",6\n", auto, `f.csv:2: a quoted cell of the row that begins on this line is not closed by line 3, column 1: close it with a quote right before a separator or the end of the line; write a quote within it twice`},
		{"bare quote", "1,2\n3,4\"\n", auto, `f.csv:2:4: bare " in non-quoted-field`},
		{"long text", "1,2\n3," + strings.Repeat("z", 90) + "\n", auto, `f.csv:2:3: "` + strings.Repeat("z", 60) + `…": not a number`},
		{"bad header", "1\n", CSVOptions{"yes", "none", "auto", nil, ""}, `header: "yes": want true, false or auto`},
		{"no label option", "1\n", CSVOptions{"auto", "", "auto", nil, ""}, `label: empty; want a column's name, its index, or none`},
		{"bad comma", "1\n", CSVOptions{"auto", "none", ",,", nil, ""}, `comma: ",,": want one character, tab, or auto`},
		{"no comma", "1\n", CSVOptions{"auto", "none", "", nil, ""}, `comma: "": want one character, tab, or auto`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := plainly.ReadCSV(strings.NewReader(c.text), "f.csv", c.o)
			if err == nil {
				t.Fatalf("read %v", flat(got))
			}
			if diff := cmp.Diff(c.want, err.Error()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestWideCSV: a line of 250,000 numbers of 17 digits is read.
func TestWideCSV(t *testing.T) {
	const columns = 250_000
	line := strings.Repeat("0.12345678901234567,", columns-1) + "1\n"
	table, err := plainly.ReadCSV(strings.NewReader(line+line), "f.csv", DefaultCSV)
	if err != nil || table.Len() != 2 || table.Dim() != columns {
		t.Errorf("%v, %d×%d", err, table.Len(), table.Dim())
	}
}

func TestErrorHasPlace(t *testing.T) {
	_, err := plainly.ReadCSV(strings.NewReader("1,2\n3,x\n"), "f.csv", DefaultCSV)
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("%T is no *Error", err)
	}
	want := Error{File: "f.csv", Line: 2, Col: 3, Text: "x", Problem: "not a number"}
	if diff := cmp.Diff(want, *e); diff != "" {
		t.Error(diff)
	}
}

func TestLoadCSVFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.tsv")
	if err := os.WriteFile(path, []byte("1\t2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := plainly.LoadCSV(path, DefaultCSV)
	if err != nil || got.Dim() != 2 {
		t.Errorf("%v, dimension %d", err, got.Dim())
	}
	if _, err := plainly.LoadCSV(path+".none", DefaultCSV); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing file: %v", err)
	}
}

func FuzzCSV(f *testing.F) {
	for _, s := range []string{"1,2\n3,4\n", "x,y,c\n1,2,a\n3,4,b\n", "\xef\xbb\xbf1\t2\r\n", "\"1\",2\n", "", "a\n", ";;\n1;2;3", "1,\n", "\"\n"} {
		f.Add(s, "auto", "none", "auto")
		f.Add(s, "false", "-1", "auto")
		f.Add(s, "true", "c", ";")
	}
	f.Fuzz(func(t *testing.T, text, header, label, comma string) {
		got, err := plainly.ReadCSV(strings.NewReader(text), "f.csv", CSVOptions{header, label, comma, nil, ""})
		check(t, got, err)
	})
}

// check holds of whatever a decoder returns: an error, or a sound table.
func check(t *testing.T, got Table, err error) {
	t.Helper()
	if err != nil {
		if got.X != nil {
			t.Fatalf("a table with the error %v", err)
		}
		return
	}
	if got.Len() == 0 || got.Dim() == 0 {
		t.Fatalf("a table of %d×%d", got.Len(), got.Dim())
	}
	if got.Columns != nil && len(got.Columns) != got.Dim() {
		t.Fatalf("%d columns for dimension %d", len(got.Columns), got.Dim())
	}
	if got.Labels != nil && len(got.Labels) != got.Len() {
		t.Fatalf("%d labels for %d points", len(got.Labels), got.Len())
	}
	for i, name := range got.Names() {
		if name == "" {
			t.Fatalf("row %d has an empty class", i)
		}
	}
	finite(t, got.Dense())
}

func finite(t *testing.T, x *mat.Dense) {
	t.Helper()
	n, d := x.Dims()
	for i := range n * d {
		if v := x.At(i/d, i%d); v-v != 0 {
			t.Fatalf("element (%d, %d) is %v", i/d, i%d, v)
		}
	}
}

// utf16 is the message on UTF-16.
const utf16 = "f.csv: UTF-16, not UTF-8; convert it, such as by: iconv -f UTF-16 -t UTF-8 FILE > NEW"

// wayOut ends the message on missing cells, and separatorAtEnd that of the last cell of a line.
const (
	wayOut         = "fill it in, or leave out the column by drop:, or all such rows by missing: drop"
	separatorAtEnd = "; where every line ends in a separator, leave this column out by drop: [-1]"
)

// TestMissingRowsAreLeftOut: those with a missing cell where a number is taken, or with no
// label, and they are counted; a file of such rows alone is an error.
func TestMissingRowsAreLeftOut(t *testing.T) {
	options := CSVOptions{"auto", "k", "auto", []string{"z"}, "drop"}
	table, err := Opener{}.ReadCSV(strings.NewReader("x,y,z,k\n1,2,,a\n4,?,5,a\n,7,8,a\n9,1,2,NA\n3,4,5,\n6,7,8,b\n"), "f.csv", options)
	if err != nil {
		t.Fatal(err)
	}
	if want := mat.NewDense(3, 2, []float64{1, 2, 9, 1, 6, 7}); table.Skipped != 3 || !mat.Equal(table.Dense(), want) || !slices.Equal(table.Names(), []string{"a", "NA", "b"}) {
		t.Errorf("%d rows are left out of %v with classes %q", table.Skipped, mat.Formatted(table.Dense()), table.Names())
	}
	if _, err := (Opener{}).ReadCSV(strings.NewReader("x,y,z,k\n,2,,a\n,2,1,b\n"), "f.csv", options); err == nil || !strings.Contains(err.Error(), "missing: drop leaves no row: each of 2 has a missing cell") {
		t.Errorf("a file of incomplete rows: %v", err)
	}
}
