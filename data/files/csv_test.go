package files

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/mat"
)

func TestLoadCSV(t *testing.T) {
	for name, c := range map[string]struct {
		text    string
		options CSVOptions
		want    string // points, names of the classes of points, columns
	}{
		"header":             {"x,y\n1,2\n3,-4.5e1\n", DefaultCSV, "[[1 2] [3 -45]] [] [x y]"},
		"no header":          {"1,2\n3,4", DefaultCSV, "[[1 2] [3 4]] [] []"},
		"a point and class":  {"1,2,a\n3,4,b\n1,1,a\n", CSVOptions{Header: "auto", Label: "-1"}, "[[1 2] [3 4] [1 1]] [a b a] []"},
		"numbers as names":   {"0,1\n3,4\n", CSVOptions{Header: "true", Label: "none"}, "[[3 4]] [] [0 1]"},
		"label by name":      {"c, x \n b ,1\na,2\n", CSVOptions{Header: "auto", Label: "c"}, "[[1] [2]] [b a] [x]"},
		"label by index":     {"1,7,2\n3,7,4\n", CSVOptions{Header: "false", Label: "1"}, "[[1 2] [3 4]] [7 7] []"},
		"a response":         {"x,y,c\n1,0.5,a\n3,-4,b\n", CSVOptions{Header: "auto", Label: "c", Response: "y"}, "[[1] [3]] [a b] [x] [0.5 -4]"},
		"no coordinate":      {"1,2,3\n4,5,6\n", CSVOptions{Header: "false", Label: "none", Response: "-2", Drop: []string{"0"}}, "[[3] [6]] [] [] [2 5]"},
		"a name is first":    {"1,0\n5,6\n", CSVOptions{Header: "true", Label: "0"}, "[[5]] [6] [1]"},
		"dropped":            {"id,x,y\nu,1,2\nv,3,4\n", CSVOptions{Header: "auto", Label: "none", Drop: []string{"id", "-1"}}, "[[1] [3]] [] [x]"},
		"words":              {"town,x\nUlm,1\n Bonn ,3\n", CSVOptions{Header: "auto", Label: "none", OneHot: map[string][]string{"town": {"Bonn", "Ulm"}}}, "[[0 1 1] [1 0 3]] [] [town=Bonn town=Ulm x]"},
		"tabs":               {"1\t2\n3\t4\n", DefaultCSV, "[[1 2] [3 4]] [] []"},
		"semicolons":         {"a;b\n1;2\n", DefaultCSV, "[[1 2]] [] [a b]"},
		"bars and CRLF":      {"1|2\r\n3|4\r\n", DefaultCSV, "[[1 2] [3 4]] [] []"},
		"byte order mark":    {"\xef\xbb\xbf1,2\n", DefaultCSV, "[[1 2]] [] []"},
		"comments, blank":    {"# by x\n1,2\n\n# so far\n3,4\n", DefaultCSV, "[[1 2] [3 4]] [] []"},
		"quoted, with blank": {"\"a,b\",c\n\" 1\", 2 \n", DefaultCSV, "[[1 2]] [] [a,b c]"},
	} {
		t.Run(name, func(t *testing.T) {
			table, err := plainly.LoadCSV(saved(t, []byte(c.text)), c.options)
			if err != nil {
				t.Fatal(err)
			}
			var x [][]float64
			for i := range table.Len() {
				x = append(x, mat.Row(nil, i, table.Dense()))
			}
			got := fmt.Sprint(x, table.Names(), table.Columns)
			if table.Responses != nil {
				got += fmt.Sprintf(" %v", table.Responses)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestLoadCSVRefuses(t *testing.T) {
	label := func(label string) CSVOptions { return CSVOptions{Header: "auto", Label: label} }
	for name, c := range map[string]struct {
		text    string
		options CSVOptions
		want    string
	}{
		"empty":            {"", DefaultCSV, "the first line: EOF"},
		"a header alone":   {"a,b\n", DefaultCSV, "no rows below the header; if the first line is a point, say header: false"},
		"too few cells":    {"1,2\n3\n", DefaultCSV, "record on line 2: wrong number of fields"},
		"an unknown word":  {"t,x\na,1\nc,2\n", CSVOptions{Header: "auto", Label: "none", OneHot: map[string][]string{"t": {"a", "b"}}}, `line 3: one_hot: "c" is none of the words of its column, a, b: add it, or leave out the row`},
		"one word":         {"t,x\na,1\n", CSVOptions{Header: "auto", Label: "none", OneHot: map[string][]string{"t": {"a"}}}, `one_hot: "t" needs two words or more`},
		"an open quote":    {"1,2\n\"3,4\n", DefaultCSV, `extraneous or missing " in quoted-field`},
		"text":             {"x,y\n1,2\n3,a\n", DefaultCSV, `line 3: column "y": "a" is no finite number`},
		"no text at first": {"1,2\n3,a\n", DefaultCSV, `line 2: column 1: "a" is no finite number`},
		"missing":          {"1,2\n3,\n", DefaultCSV, `line 2: column 1: "" is no finite number`},
		"NaN":              {"1,2\n3,NaN\n", DefaultCSV, `"NaN" is no finite number`},
		"Inf":              {"1,2\n3,1e999\n", DefaultCSV, `"1e999" is no finite number`},
		"no class":         {"1,a\n3, \n", label("1"), "line 2: empty label"},
		"no such name":     {"x,y\n1,2\n", label("z"), `label: there is no column "z"; they are named "x", "y", and are counted 0 … 1 or -2 … -1`},
		"no names":         {"1,2\n", label("z"), `label: there is no column "z"; they have no names`},
		"no such index":    {"1,2\n", label("-3"), `label: there is no column "-3"`},
		"drops nothing":    {"1,2\n", CSVOptions{Header: "auto", Label: "none", Drop: []string{"w"}}, `drop: there is no column "w"`},
		"no response":      {"1,2\n3,a\n", CSVOptions{Header: "auto", Label: "none", Response: "1"}, `line 2: column 1: "a" is no finite number`},
		"one for both":     {"1,2\n3,4\n", CSVOptions{Header: "auto", Label: "1", Response: "-1"}, "label and response are one column"},
		"no such response": {"1,2\n", CSVOptions{Header: "auto", Label: "none", Response: "y"}, `response: there is no column "y"`},
		"nothing is left":  {"1,2\n", CSVOptions{Header: "auto", Label: "1", Drop: []string{"0"}}, "no column is left"},
		"names of pandas":  {"0,1,2,y\n1,2,3,a\n", label("y"), "the first line, 0,1,2,y, can be a point, or names of columns, such as years: say header: false or header: true"},
		"dropped response": {"a,b\n1,2\n", CSVOptions{Header: "auto", Label: "none", Response: "b", Drop: []string{"1"}}, `drop: "1" is the response: leave it out of one of the two`},
		"years":            {"2018,2019,price\n1,2,3\n", DefaultCSV, "the first line, 2018,2019,price, can be a point, or names of columns"},
		"with an index":    {",0,1\n0,2,3\n", DefaultCSV, "can be a point, or names of columns, such as years"},
		"an array":         {npyMagic + "\x01", DefaultCSV, "by use: npy"},
		"gzipped":          {"\x1f\x8b\x08", DefaultCSV, "is gzipped: unpack it first"},
	} {
		t.Run(name, func(t *testing.T) {
			path := saved(t, []byte(c.text))
			_, err := plainly.LoadCSV(path, c.options)
			says(t, err, path, c.want)
		})
	}
	for _, o := range []CSVOptions{{Header: "perhaps", Label: "none"}, {Header: "true"}} {
		if o.Validate() == nil {
			t.Errorf("%+v passes", o)
		}
	}
}

// Neither a file that is too large nor what its rows take is read beyond the memory.
func TestLoadCSVWithinMemory(t *testing.T) {
	o := Opener{Memory: 1 << 20}
	for name, text := range map[string]string{"a record": strings.Repeat("1,", 1<<20), "rows": strings.Repeat("1\n", 1<<18)} {
		path := saved(t, []byte(text))
		_, err := o.LoadCSV(path, DefaultCSV)
		says(t, err, path, "more than the 1 MiB that there are: raise --memory")
		if _, err := plainly.LoadCSV(path, DefaultCSV); name == "rows" && err != nil {
			t.Error(err)
		}
	}
}

func TestCancelledReading(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	o := Opener{Context: ctx}
	if _, err := o.LoadCSV(saved(t, []byte("1,2\n")), DefaultCSV); !errors.Is(err, context.Canceled) {
		t.Errorf("CSV: %v", err)
	}
	terabyte := sparseFile(t, npyFile("<f8", "(1073741824, 128)", false, []float64{}), 1<<40+128)
	if _, err := o.OpenArrays(terabyte, "", "", false); !errors.Is(err, context.Canceled) {
		t.Errorf("a terabyte in place: %v", err)
	}
}

// FuzzCSV: no text makes the reader panic, and what is read is a table of finite numbers.
func FuzzCSV(f *testing.F) {
	f.Add("x,y,c\n1,2,a\n", "auto", "c")
	f.Add("1;2\n3;4\n", "false", "-1")
	f.Add("\"a\nb\",c\n#\n", "true", "none")
	f.Fuzz(func(t *testing.T, text, header, label string) {
		table, err := plainly.readCSV(strings.NewReader(text), CSVOptions{Header: header, Label: label})
		if err != nil {
			return
		}
		for _, v := range table.Dense().RawMatrix().Data {
			if v-v != 0 {
				t.Errorf("%v of %q", v, text)
			}
		}
		if table.Labels != nil && len(table.Labels) != table.Len() {
			t.Errorf("%d labels of %d points", len(table.Labels), table.Len())
		}
	})
}

// TestLook: lines are looked at as they are, and no points are read.
func TestLook(t *testing.T) {
	var got []string
	look := DefaultCSV
	look.Look = func(line int, names, cells []string) error {
		if got = append(got, fmt.Sprint(line, names, cells)); cells[0] == "end" {
			return errors.New("stopped")
		}
		return nil
	}
	table, err := plainly.LoadCSV(saved(t, []byte("x,y\n\n1,\nNA,b\n")), look)
	if diff := cmp.Diff([]string{"3 [x y] [1 ]", "4 [x y] [NA b]"}, got); diff != "" || err != nil || table.Len() != 0 {
		t.Errorf("%s%v, %d points", diff, err, table.Len())
	}
	path := saved(t, []byte("end,1\n2,3\n"))
	_, err = plainly.LoadCSV(path, look)
	says(t, err, path, "line 1: stopped")
}
