package files

import (
	"bufio"
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReadLIBSVM(t *testing.T) {
	for _, c := range []struct {
		name, text string
		dim        int
		want       plain
	}{
		{"two rows", "+1 1:0.5 3:2\n-1 2:-1e-2\n", 0,
			plain{X: [][]float64{{0.5, 0, 2}, {0, -0.01, 0}}, Labels: []int{1, 0}, Classes: []string{"-1", "1"}}},
		{"dimension given", "1 2:3\n", 4,
			plain{X: [][]float64{{0, 3, 0, 0}}, Labels: []int{0}, Classes: []string{"1"}}},
		{"comment, tabs, blanks, crlf, blank line", " 1.0\t1:1  2:2 # 3:3\r\n\n#all\n+1 1:0\n", 0,
			plain{X: [][]float64{{1, 2}, {0, 0}}, Labels: []int{0, 0}, Classes: []string{"1"}}},
		{"a row without entries", "1\n2 1:1", 0,
			plain{X: [][]float64{{0}, {1}}, Labels: []int{0, 1}, Classes: []string{"1", "2"}}},
		{"named labels", "cat 1:1\nant 1:2\n", 0,
			plain{X: [][]float64{{1}, {2}}, Labels: []int{1, 0}, Classes: []string{"ant", "cat"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := ReadLIBSVM(strings.NewReader(c.text), "f", LIBSVMOptions{c.dim, 1 << 20})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, flat(got)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestReadLIBSVMErrors(t *testing.T) {
	for _, c := range []struct {
		name, text string
		o          LIBSVMOptions
		want       string
	}{
		{"empty", "# nothing\n", DefaultLIBSVM, `f: the file has no rows`},
		{"no entries", "1\n2\n", DefaultLIBSVM, `f: no row has an entry: give dim if all points are 0`},
		{"no label", "1:2 2:3\n", DefaultLIBSVM, `f:1:1: "1:2": a label must come first on the line`},
		{"labels", "1,2 2:3\n", DefaultLIBSVM, `f:1:1: "1,2": several labels on a line are not supported`},
		{"nan label", "nan 2:3\n", DefaultLIBSVM, `f:1:1: "nan": label is no finite number`},
		{"no colon", "1 2:3\n1 2:3 4\n", DefaultLIBSVM, `f:2:7: "4": want index:value`},
		{"qid", "1 qid:3 1:1\n", DefaultLIBSVM, `f:1:3: "qid:3": qid (ranking data) is not supported`},
		{"index 0", "1 0:3\n", DefaultLIBSVM, `f:1:3: "0:3": index: want an integer 1 … 2147483647`},
		{"index -1", "1 -1:3\n", DefaultLIBSVM, `f:1:3: "-1:3": index: want an integer 1 … 2147483647`},
		{"absurd index", "1 9999999999:3\n", DefaultLIBSVM, `f:1:3: "9999999999:3": index: want an integer 1 … 2147483647`},
		{"index above dim", "1 3:3\n", LIBSVMOptions{2, 1 << 20}, `f:1:3: "3:3": index above dim: 2`},
		{"falling", "1 2:1 1:1\n", DefaultLIBSVM, `f:1:7: "1:1": index not above the one before, 2: indices must rise along the line`},
		{"twice", "1 2:1 2:1\n", DefaultLIBSVM, `f:1:7: "2:1": index not above the one before, 2: indices must rise along the line`},
		{"value", "1 2:x\n", DefaultLIBSVM, `f:1:3: "2:x": value: not a number`},
		{"inf", "1 2:inf\n", DefaultLIBSVM, `f:1:3: "2:inf": value: not a finite number; drop the row or fill in a value`},
		{"no value", "1 2:\n", DefaultLIBSVM, `f:1:3: "2:": no value after the colon`},
		{"too large", "1 2:1\n1 1000000000:1\n", LIBSVMOptions{1000000000, DefaultLIBSVM.MaxBytes}, `f:1: 1 rows of dimension 1000000000 make a dense matrix of more than 4294967296 bytes: raise max_bytes, or choose rows or features first`},
		{"dim too large", "1 2:1\n", LIBSVMOptions{1 << 40, 1 << 20}, `f:1: 1 rows of dimension 1099511627776 make a dense matrix of more than 1048576 bytes: raise max_bytes, or choose rows or features first`},
		{"undeclared dim", "1 2:1\n1 1048577:1\n", DefaultLIBSVM, `f:2:3: "1048577:1": index above 1048576: give dim, the number of coordinates, if there are so many`},
		{"bad dim", "", LIBSVMOptions{-1, 1}, `dim: -1 is negative`},
		{"bad limit", "", LIBSVMOptions{0, 0}, `max_bytes: 0; want a positive number of bytes`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := ReadLIBSVM(strings.NewReader(c.text), "f", c.o)
			if err == nil {
				t.Fatalf("read %v", flat(got))
			}
			if diff := cmp.Diff(c.want, err.Error()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestLoadLIBSVMFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.svm")
	if err := os.WriteFile(path, []byte("1 1:2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := LoadLIBSVM(path, DefaultLIBSVM)
	if err != nil || got.Len() != 1 {
		t.Errorf("%v, %d rows", err, got.Len())
	}
}

func FuzzLIBSVM(f *testing.F) {
	for _, s := range []string{"+1 1:0.5 3:2\n-1 2:-1e-2\n", "1\n", "a 1:1 #x\n", "1 2147483647:1", "", "1 1:1 1:2"} {
		f.Add(s, 0)
		f.Add(s, 3)
	}
	f.Fuzz(func(t *testing.T, text string, dim int) {
		got, err := ReadLIBSVM(strings.NewReader(text), "f", LIBSVMOptions{dim, 1 << 16})
		check(t, got, err)
	})
}

// FuzzLIBSVMToBytes: what becomes bytes reads the same as numbers.
func FuzzLIBSVMToBytes(f *testing.F) {
	for _, s := range []string{"1 1:3 2:255\n2 2:7\n", "1\n", "5 1:256\n", "a 1:1\n", "1 1:1 1:2\n", "1 3:01 \t\n\n0x1 1:0"} {
		f.Add(s, 3)
	}
	f.Fuzz(func(t *testing.T, text string, dim int) {
		dim = 1 + (dim&0xff+0x100)%100
		var rows bytes.Buffer
		c := &byteConverter{name: "f", dim: dim, row: make([]byte, dim)}
		if c.convert(bufio.NewReaderSize(strings.NewReader(text), 1<<20), &rows) != nil {
			return
		}
		table, err := ReadLIBSVM(strings.NewReader(text), "f", LIBSVMOptions{dim, 1 << 24})
		if err != nil {
			t.Fatalf("%q becomes bytes, but: %v", text, err)
		}
		labels, classes := c.codes.done()
		if table.Len()*dim != rows.Len() || !slices.Equal(labels, table.Labels) || !slices.Equal(classes, table.Classes) {
			t.Fatalf("%q: %d bytes of classes %v %v; %d points of classes %v %v", text, rows.Len(), labels, classes, table.Len(), table.Labels, table.Classes)
		}
		x := table.Dense()
		for i, b := range rows.Bytes() {
			if x.At(i/dim, i%dim) != float64(b) {
				t.Fatalf("%q: byte %d is %d, the number %v", text, i, b, x.At(i/dim, i%dim))
			}
		}
	})
}
