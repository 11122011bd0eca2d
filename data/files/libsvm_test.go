package files

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReadLIBSVM(t *testing.T) {
	for _, c := range []struct {
		name, text string
		dim        int
		want       parsed
	}{
		{"two rows", "+1 1:0.5 3:2\n-1 2:-1e-2\n", 0,
			parsed{X: [][]float64{{0.5, 0, 2}, {0, -0.01, 0}}, Labels: []int{1, 0}, Classes: []string{"-1", "1"}}},
		{"dimension given", "1 2:3\n", 4,
			parsed{X: [][]float64{{0, 3, 0, 0}}, Labels: []int{0}, Classes: []string{"1"}}},
		{"comment, tabs, blanks, crlf, blank line", " 1.0\t1:1  2:2 # 3:3\r\n\n#all\n+1 1:0\n", 0,
			parsed{X: [][]float64{{1, 2}, {0, 0}}, Labels: []int{0, 0}, Classes: []string{"1"}}},
		{"a row without entries", "1\n2 1:1", 0,
			parsed{X: [][]float64{{0}, {1}}, Labels: []int{0, 1}, Classes: []string{"1", "2"}}},
		{"named labels", "cat 1:1\nant 1:2\n", 0,
			parsed{X: [][]float64{{1}, {2}}, Labels: []int{1, 0}, Classes: []string{"ant", "cat"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := plainly.ReadLIBSVM(strings.NewReader(c.text), "f", c.dim)
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
		o          int
		want       string
	}{
		{"empty", "# nothing\n", 0, `f: the file has no rows`},
		{"no entries", "1\n2\n", 0, `f: no row has an entry: give dim if all points are 0`},
		{"UTF-16", "1\x00 \x001\x00:\x00", 0, `f: UTF-16, not UTF-8; convert it, such as by: iconv -f UTF-16 -t UTF-8 FILE > NEW`},
		{"no label", "1:2 2:3\n", 0, `f:1:1: "1:2": a label must come first on the line`},
		{"labels", "1,2 2:3\n", 0, `f:1:1: "1,2": several labels on a line are not supported`},
		{"nan label", "nan 2:3\n", 0, `f:1:1: "nan": label is no finite number`},
		{"no colon", "1 2:3\n1 2:3 4\n", 0, `f:2:7: "4": want index:value`},
		{"qid", "1 qid:3 1:1\n", 0, `f:1:3: "qid:3": qid (ranking data) is not supported`},
		{"index 0", "1 0:3\n", 0, `f:1:3: "0:3": index: want an integer 1 … 2147483647`},
		{"index -1", "1 -1:3\n", 0, `f:1:3: "-1:3": index: want an integer 1 … 2147483647`},
		{"absurd index", "1 9999999999:3\n", 0, `f:1:3: "9999999999:3": index: want an integer 1 … 2147483647`},
		{"index above dim", "1 3:3\n", 2, `f:1:3: "3:3": index above dim: 2`},
		{"falling", "1 2:1 1:1\n", 0, `f:1:7: "1:1": index not above the one before, 2: indices must rise along the line`},
		{"twice", "1 2:1 2:1\n", 0, `f:1:7: "2:1": index not above the one before, 2: indices must rise along the line`},
		{"value", "1 2:x\n", 0, `f:1:3: "2:x": value: not a number`},
		{"inf", "1 2:inf\n", 0, `f:1:3: "2:inf": value: not a finite number; drop the row or fill in a value`},
		{"underscores", "1 2:1_0\n", 0, `f:1:3: "2:1_0": value: not a number: write it in decimal digits, without 0x and _`},
		{"no value", "1 2:\n", 0, `f:1:3: "2:": no value after the colon`},
		{"too large", "1 2:1\n1 1000000000:1\n", 1000000000, `f: a row of dimension 1000000000: reading it takes 7.5 GiB of memory, more than the 1.0 GiB that there are: raise --memory, take fewer rows or columns, or save the points as an .npy or IDX file, not gzipped, which is read as it is needed`},
		{"dim too large", "1 2:1\n", 1 << 40, `f: a row of dimension 1099511627776: reading it takes 8192.0 GiB of memory, more than the 1.0 GiB that there are: raise --memory, take fewer rows or columns, or save the points as an .npy or IDX file, not gzipped, which is read as it is needed`},
		{"undeclared dim", "1 2:1\n1 1048577:1\n", 0, `f:2:3: "1048577:1": index above 1048576: give dim, the number of coordinates, if there are so many`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := Opener{Memory: 1 << 30}.ReadLIBSVM(strings.NewReader(c.text), "f", c.o)
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
	got, err := plainly.LoadLIBSVM(path, 0)
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
		got, err := Opener{Memory: 1 << 20}.ReadLIBSVM(strings.NewReader(text), "f", dim)
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
		info, err := readStored(Opener{Memory: 1 << 24}, strings.NewReader(text), -1, "f", func(in *input) (byteFileInfo, error) { return in.writeBytes(dim, &rows) })
		if err != nil {
			return
		}
		table, err := plainly.ReadLIBSVM(strings.NewReader(text), "f", dim)
		if err != nil {
			t.Fatalf("%q becomes bytes, but: %v", text, err)
		}
		if table.Len()*dim != rows.Len() || len(info.Labels) != len(table.Labels) || !slices.Equal(info.Classes, table.Classes) {
			t.Fatalf("%q: %d bytes of classes %v %v; %d points of classes %v %v", text, rows.Len(), info.Labels, info.Classes, table.Len(), table.Labels, table.Classes)
		}
		for i, code := range info.Labels {
			if int(code) != table.Labels[i] {
				t.Fatalf("%q: row %d is of class %d, not %d", text, i, table.Labels[i], code)
			}
		}
		x := table.Dense()
		for i, b := range rows.Bytes() {
			if x.At(i/dim, i%dim) != float64(b) {
				t.Fatalf("%q: byte %d is %d, the number %v", text, i, b, x.At(i/dim, i%dim))
			}
		}
	})
}

// libsvmLine is a line of so many features.
func libsvmLine(features int) string {
	var b strings.Builder
	b.WriteString("1")
	for i := 1; i <= features; i++ {
		fmt.Fprintf(&b, " %d:%.4f", i, float64(i%97)/97)
	}
	b.WriteString("\n")
	return b.String()
}

// TestLIBSVMIsLinear: a line of ten times the features takes no more memory a byte of
// text: what copies the rest of the line for each field does.
func TestLIBSVMIsLinear(t *testing.T) {
	allocated := func(features int) (perByte float64) {
		text := libsvmLine(features)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, err := plainly.ReadLIBSVM(strings.NewReader(text), "f", 0); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		return float64(after.TotalAlloc-before.TotalAlloc-1<<18) / float64(len(text))
	}
	for _, features := range []int{3_000, 30_000} {
		if got := allocated(features); got > 16 { // 12 and 8 bytes a value of 12 bytes of text, slices that grow
			t.Errorf("a line of %d features: %.0f bytes of memory a byte of text, want at most 16", features, got)
		}
	}
}

// TestLIBSVMLines: blank lines and comments count, and the last line needs no end.
func TestLIBSVMLines(t *testing.T) {
	text := "+1 1:0.5 3:2 # comment: 9:9\n\n   \n-1\t2:-1e-2\r\n# all of it\n2 1:1#\n1" // no newline at the end
	want, err := plainly.ReadLIBSVM(strings.NewReader(text), "f", 0)
	if err != nil {
		t.Fatal(err)
	}
	if want.Len() != 4 || want.Dim() != 3 {
		t.Errorf("%d×%d, want 4×3", want.Len(), want.Dim())
	}
	wrong := strings.Repeat("1 1:1 2:2\n", 20_000) + "1 1:1 # x\n\n1 1:1 2:x\n"
	_, err = plainly.ReadLIBSVM(strings.NewReader(wrong), "f", 0)
	if want := `f:20003:7: "2:x": value: not a number`; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

func BenchmarkReadLIBSVM(b *testing.B) {
	for _, features := range []int{100, 250_000} {
		b.Run(fmt.Sprintf("D=%d", features), func(b *testing.B) {
			text := strings.Repeat(libsvmLine(features), max(1, 250_000/features))
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if _, err := plainly.ReadLIBSVM(strings.NewReader(text), "f", 0); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
