package files

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/mat"
)

// idx writes an IDX file of any element type.
func idx(kind byte, shape []uint32, values any) []byte {
	var b bytes.Buffer
	b.Write([]byte{0, 0, kind, byte(len(shape))})
	binary.Write(&b, binary.BigEndian, shape)
	if values != nil {
		binary.Write(&b, binary.BigEndian, values)
	}
	return b.Bytes()
}

func gz(b []byte) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	w.Write(b)
	w.Close()
	return out.Bytes()
}

func TestReadIDX(t *testing.T) {
	want := mat.NewDense(2, 4, []float64{0, 1, 2, 3, 4, 5, 6, 127})
	cube := []uint32{2, 2, 2}
	for name, b := range map[string][]byte{
		"ubyte":         idx(8, cube, []uint8{0, 1, 2, 3, 4, 5, 6, 127}),
		"sbyte":         idx(9, cube, []int8{0, 1, 2, 3, 4, 5, 6, 127}),
		"short":         idx(11, cube, []int16{0, 1, 2, 3, 4, 5, 6, 127}),
		"int":           idx(12, cube, []int32{0, 1, 2, 3, 4, 5, 6, 127}),
		"float":         idx(13, cube, []float32{0, 1, 2, 3, 4, 5, 6, 127}),
		"double":        idx(14, cube, []float64{0, 1, 2, 3, 4, 5, 6, 127}),
		"rank 2":        idx(8, []uint32{2, 4}, []uint8{0, 1, 2, 3, 4, 5, 6, 127}),
		"rank 5":        idx(8, []uint32{2, 1, 4, 1, 1}, []uint8{0, 1, 2, 3, 4, 5, 6, 127}),
		"gzipped":       gz(idx(8, cube, []uint8{0, 1, 2, 3, 4, 5, 6, 127})),
		"gzipped short": gz(idx(11, cube, []int16{0, 1, 2, 3, 4, 5, 6, 127})),
	} {
		t.Run(name, func(t *testing.T) {
			p, err := plainly.ReadIDX(bytes.NewReader(b), int64(len(b)), "f", false)
			if err != nil {
				t.Fatal(err)
			}
			if got := (Table{X: p}).Dense(); !mat.Equal(got, want) {
				t.Errorf("got\n%v", mat.Formatted(got))
			}
		})
	}
	for name, b := range map[string][]byte{
		"negative sbyte":  idx(9, []uint32{2}, []int8{-2, 100}),
		"negative short":  idx(11, []uint32{2}, []int16{-2, 100}),
		"negative int":    idx(12, []uint32{2}, []int32{-2, 100}),
		"negative float":  idx(13, []uint32{2}, []float32{-2, 100}),
		"negative double": idx(14, []uint32{2}, []float64{-2, 100}),
	} {
		t.Run(name, func(t *testing.T) {
			p, err := plainly.ReadIDX(bytes.NewReader(b), int64(len(b)), "f", false)
			if err != nil || !mat.Equal((Table{X: p}).Dense(), mat.NewDense(2, 1, []float64{-2, 100})) {
				t.Errorf("%v %v", p, err)
			}
		})
	}
	t.Run("scaled", func(t *testing.T) {
		b := idx(8, []uint32{2, 1}, []byte{51, 255})
		p, err := plainly.ReadIDX(bytes.NewReader(b), int64(len(b)), "f", true)
		if err != nil || !mat.Equal((Table{X: p}).Dense(), mat.NewDense(2, 1, []float64{0.2, 1})) {
			t.Errorf("%v %v", p, err)
		}
	})
}

func TestReadIDXErrors(t *testing.T) {
	good := idx(8, []uint32{2, 2}, []byte{1, 2, 3, 4})
	nan := idx(13, []uint32{1, 2}, []uint32{0, 0x7fc00000})
	lie := append(idx(8, []uint32{1000000, 1000000}, nil), make([]byte, 28)...) // 40 bytes
	overflow := idx(8, []uint32{1 << 31, 1 << 31, 1 << 31, 1 << 31}, nil)
	for _, c := range []struct {
		name  string
		b     []byte
		scale bool
		want  string
	}{
		{"empty", nil, false, `it starts with ""`},
		{"text", []byte("1,2,3\n"), false, `no IDX file: it starts with "1,2,"`},
		{"bad type", idx(10, []uint32{1}, []byte{1}), false, "an element type (08"},
		{"rank 0", []byte{0, 0, 8, 0}, false, "a rank of 1 or more"},
		{"header cut", good[:9], false, "header is cut short: rank 2 needs 8 bytes"},
		{"data cut", good[:14], false, "16 bytes in all, but the file has 14"},
		{"trailing", append(bytes.Clone(good), 0), false, "16 bytes in all, but the file has 17"},
		{"gz data cut", gz(good[:14]), false, "the data end after 2 of the 4 bytes"},
		{"gz trailing", gz(append(bytes.Clone(good), 0)), false, "bytes follow the 4 that the header claims"},
		{"gz cut", gz(good)[:25], false, "the data end"},
		{"gz damaged", append(gz(good)[:30], 0, 0, 0, 0, 0, 0, 0, 0), false, "gzip: invalid"},
		{"10^12 items", lie, false, "1000000000012 bytes in all, but the file has 40"},
		{"overflow", overflow, false, "18446744073709551615 bytes in all, but the file has 20"},
		{"gz 10^12 items", gz(lie), false, "1000000000012 bytes in all, but a gzipped file of this size holds at most"},
		{"no items", idx(8, []uint32{0, 5}, nil), false, "shape [0 5]: no items"},
		{"no dimension", idx(8, []uint32{5, 0}, nil), false, "shape [5 0]: no items"},
		{"nan", nan, false, "element (0, 1) is NaN"},
		{"scaled floats", idx(13, []uint32{1}, []float32{1}), true, "holds f4 numbers: scale"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := plainly.ReadIDX(bytes.NewReader(c.b), int64(len(c.b)), "some.idx", c.scale)
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "some.idx: ") {
				t.Errorf("got %v, want …%s…", err, c.want)
			}
		})
	}
}

func TestIDXFiles(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, b []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	points := write("x", idx(8, []uint32{3, 1, 2}, []byte{1, 2, 3, 4, 5, 6}))
	labels := write("y.gz", gz(idx(8, []uint32{3}, []byte{7, 3, 7})))
	tab, err := plainly.OpenArrays(points, labels, false)
	if err != nil {
		t.Fatal(err)
	}
	want := parsed{X: [][]float64{{1, 2}, {3, 4}, {5, 6}}, Labels: []int{1, 0, 1}, Classes: []string{"3", "7"}}
	if diff := cmp.Diff(want, flat(tab)); diff != "" {
		t.Error(diff)
	}
	for what, c := range map[string]struct{ x, y, want string }{
		"swapped":     {labels, points, "rank 3; want one dimension"},
		"length":      {points, write("two", idx(8, []uint32{2}, []byte{7, 3})), "has 2 labels for the 3 points"},
		"fraction":    {points, write("half", idx(14, []uint32{3}, []float64{1, 2, 2.5})), "label 2: 2.5 is no integer"},
		"missing":     {points + "z", labels, "no such file"},
		"a directory": {dir, labels, "want a regular file"},
	} {
		if _, err := plainly.OpenArrays(c.x, c.y, false); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want …%s…", what, err, c.want)
		}
	}
}

func FuzzIDX(f *testing.F) {
	for _, b := range [][]byte{
		idx(8, []uint32{2, 2}, []byte{1, 2, 3, 4}), idx(14, []uint32{1}, []float64{2.5}), idx(12, []uint32{2, 1}, []int32{1, -2}),
		idx(8, []uint32{1 << 31, 1 << 31}, nil), {0, 0, 8, 255}, nil,
	} {
		f.Add(b, false)
		f.Add(gz(b), true)
	}
	f.Fuzz(func(t *testing.T, b []byte, scale bool) {
		p, err := plainly.ReadIDX(bytes.NewReader(b), int64(len(b)), "f", scale)
		if err == nil {
			check(t, Table{X: p}, nil)
		}
		if y, err := plainly.ReadLabels(bytes.NewReader(b), int64(len(b)), "f"); err == nil && len(y) == 0 {
			t.Fatal("no labels and no error")
		}
	})
}
