package files

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"github.com/sbinet/npyio/npy"
	"gonum.org/v1/gonum/mat"
)

// npyFile writes version 1 of the format as numpy.save does: header padded with
// blanks to a multiple of 64 bytes.
func npyFile(descr, shape string, fortran bool, order binary.ByteOrder, values any) []byte {
	order2py := map[bool]string{true: "True", false: "False"}
	dict := fmt.Sprintf("{'descr': '%s', 'fortran_order': %s, 'shape': %s, }", descr, order2py[fortran], shape)
	dict += strings.Repeat(" ", 63-(10+len(dict))%64) + "\n"
	var b bytes.Buffer
	b.WriteString("\x93NUMPY\x01\x00")
	binary.Write(&b, binary.LittleEndian, uint16(len(dict)))
	b.WriteString(dict)
	binary.Write(&b, order, values)
	return b.Bytes()
}

func TestReadNPY(t *testing.T) {
	le, be := binary.LittleEndian, binary.BigEndian
	want := mat.NewDense(2, 3, []float64{0, 1, 2, 3, 4, 100})
	v2 := npyFile("<f8", "(2, 3)", false, le, []float64{0, 1, 2, 3, 4, 100})
	v2 = append([]byte("\x93NUMPY\x02\x00"+string(v2[8:10])+"\x00\x00"), v2[10:]...)
	var lib bytes.Buffer
	if err := npy.Write(&lib, want); err != nil {
		t.Fatal(err)
	}
	for name, b := range map[string][]byte{
		"f8":         npyFile("<f8", "(2, 3)", false, le, []float64{0, 1, 2, 3, 4, 100}),
		"f8 fortran": npyFile("<f8", "(2, 3)", true, le, []float64{0, 3, 1, 4, 2, 100}),
		"f8 big":     npyFile(">f8", "(2, 3)", false, be, []float64{0, 1, 2, 3, 4, 100}),
		"f4":         npyFile("<f4", "(2, 3)", false, le, []float32{0, 1, 2, 3, 4, 100}),
		"f4 big":     npyFile(">f4", "(2, 3)", false, be, []float32{0, 1, 2, 3, 4, 100}),
		"i1":         npyFile("|i1", "(2, 3)", false, le, []int8{0, 1, 2, 3, 4, 100}),
		"i2":         npyFile("<i2", "(2, 3)", false, le, []int16{0, 1, 2, 3, 4, 100}),
		"i4":         npyFile("<i4", "(2, 3)", false, le, []int32{0, 1, 2, 3, 4, 100}),
		"i8":         npyFile("<i8", "(2, 3)", false, le, []int64{0, 1, 2, 3, 4, 100}),
		"i8 big":     npyFile(">i8", "(2, 3)", true, be, []int64{0, 3, 1, 4, 2, 100}),
		"u1":         npyFile("|u1", "(2, 3)", false, le, []uint8{0, 1, 2, 3, 4, 100}),
		"u2":         npyFile("<u2", "(2, 3)", false, le, []uint16{0, 1, 2, 3, 4, 100}),
		"u4":         npyFile("<u4", "(2, 3)", false, le, []uint32{0, 1, 2, 3, 4, 100}),
		"u8":         npyFile("<u8", "(2, 3)", false, le, []uint64{0, 1, 2, 3, 4, 100}),
		"version 2":  v2,
		"library's":  lib.Bytes(),
	} {
		t.Run(name, func(t *testing.T) {
			got, err := plainly.ReadNPY(bytes.NewReader(b), int64(len(b)), "f")
			if err != nil {
				t.Fatal(err)
			}
			if !mat.Equal(got, want) {
				t.Errorf("got\n%v", mat.Formatted(got))
			}
		})
	}
}

// The values must survive the edges of the reader's buffer and a source that
// gives a byte at a time.
func TestReadNPYLarge(t *testing.T) {
	v := make([]float64, 3*20001)
	for i := range v {
		v[i] = float64(i) + 0.5
	}
	b := npyFile("<f8", "(20001, 3)", false, binary.LittleEndian, v)
	for name, r := range map[string]io.Reader{"whole": bytes.NewReader(b), "bytes": iotest.OneByteReader(bytes.NewReader(b))} {
		got, err := plainly.ReadNPY(r, int64(len(b)), "f")
		if err != nil {
			t.Fatal(err)
		}
		if !mat.Equal(got, mat.NewDense(20001, 3, v)) {
			t.Errorf("%s: values differ", name)
		}
	}
	cut := io.MultiReader(bytes.NewReader(b[:90000]), iotest.ErrReader(io.EOF))
	if _, err := plainly.ReadNPY(cut, int64(len(b)), "f"); err == nil {
		t.Error("a file that shrank while being read is taken")
	}
}

func TestReadLabels(t *testing.T) {
	le := binary.LittleEndian
	for name, b := range map[string][]byte{
		"i8":    npyFile("<i8", "(3,)", false, le, []int64{1, 0, 1}),
		"u1":    npyFile("|u1", "(3,)", false, le, []uint8{1, 0, 1}),
		"bool":  npyFile("|b1", "(3,)", false, le, []bool{true, false, true}),
		"float": npyFile("<f8", "(3,)", false, le, []float64{1, 0, 1}),
	} {
		got, err := plainly.ReadLabels(bytes.NewReader(b), int64(len(b)), "f")
		if diff := cmp.Diff([]int{1, 0, 1}, got); err != nil || diff != "" {
			t.Errorf("%s: %v %s", name, err, diff)
		}
	}
}

func TestReadNPYErrors(t *testing.T) {
	le := binary.LittleEndian
	f8 := func(shape string, v ...float64) []byte { return npyFile("<f8", shape, false, le, v) }
	good := f8("(1, 2)", 1, 2)
	long := append([]byte("\x93NUMPY\x02\x00\xff\xff\xff\xff"), good[10:]...)
	for _, c := range []struct {
		name   string
		b      []byte
		labels bool
		want   string
	}{
		{"empty", nil, false, "no .npy file"},
		{"text", []byte("1,2,3,4,5,6,7,8,9"), false, "no .npy file"},
		{"version 3", append([]byte("\x93NUMPY\x03\x00"), good[8:]...), false, "format version 3.0"},
		{"header of 4 GiB", long, false, "claims a header of 4294967295 bytes"},
		{"header cut", good[:40], false, "header is cut short"},
		{"data cut", good[:len(good)-1], false, "144 bytes in all, but the file has 143"},
		{"trailing", append(bytes.Clone(good), 1), false, "144 bytes in all, but the file has 145"},
		{"10^12 items", f8("(1000000, 1000000)", 1), false, "8000000000128 bytes in all, but the file has 136"},
		{"overflow", f8("(4294967296, 4294967296)", 1), false, "18446744073709551615 bytes in all, but the file has 136"},
		{"shape beyond int", f8("(99999999999999999999, 1)", 1), false, "value out of range"},
		{"negative", f8("(-1, -2)", 1, 2), false, "as numpy.save writes it"},
		{"objects", npyFile("|O", "(1,)", false, le, []byte{1}), false, "want a plain array"},
		{"complex", npyFile("<c8", "(1, 1)", false, le, []float32{1, 2}), false, "want a plain array"},
		{"half", npyFile("<f2", "(1, 1)", false, le, []uint16{1}), false, "want a plain array"},
		{"structured", npyFile("<f8'), ('", "(1, 1)", false, le, []float64{1}), false, "want a plain array"},
		{"no items", f8("(0, 3)", []float64{}...), false, "shape (0, 3): no items"},
		{"scalar", f8("()", 1), false, "shape (): no items"},
		{"rank 1 points", f8("(2,)", 1, 2), false, "rank 1; want two dimensions, N×D"},
		{"rank 3 points", f8("(1, 1, 2)", 1, 2), false, "rank 3; want two dimensions"},
		{"rank 2 labels", good, true, "rank 2; want one dimension"},
		{"nan", f8("(2, 2)", 1, 2, 3, math.NaN()), false, "element (1, 1) is NaN"},
		{"inf", f8("(1, 1)", math.Inf(-1)), false, "element (0, 0) is -Inf"},
		{"fraction", f8("(2,)", 1, 0.5), true, "label 1: 0.5 is no integer"},
		{"big integer", npyFile("<i8", "(1, 1)", false, le, []int64{1<<53 + 2}), false, "beyond 2^53"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var err error
			if c.labels {
				_, err = plainly.ReadLabels(bytes.NewReader(c.b), int64(len(c.b)), "a.npy")
			} else {
				_, err = plainly.ReadNPY(bytes.NewReader(c.b), int64(len(c.b)), "a.npy")
			}
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "a.npy: ") {
				t.Errorf("got %v, want …%s…", err, c.want)
			}
		})
	}
}

func TestLoadNPYFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.npy")
	if err := os.WriteFile(path, npyFile("<i4", "(2, 1)", false, binary.LittleEndian, []int32{5, 6}), 0o600); err != nil {
		t.Fatal(err)
	}
	x, err := plainly.LoadNPY(path)
	if err != nil || !mat.Equal(x, mat.NewDense(2, 1, []float64{5, 6})) {
		t.Errorf("%v %v", x, err)
	}
	if _, err := plainly.LoadLabels(path); err == nil {
		t.Error("points taken for labels")
	}
}

func FuzzNPY(f *testing.F) {
	le := binary.LittleEndian
	f.Add(npyFile("<f8", "(1, 2)", false, le, []float64{1, 2}))
	f.Add(npyFile("<i8", "(3,)", false, le, []int64{1, 0, 1}))
	f.Add(npyFile("|b1", "(2, 1)", true, le, []bool{true, false}))
	f.Add(npyFile(">f4", "(2, 2)", true, le, []float32{1, 2, 3, 4}))
	f.Add(npyFile("<f8", "(1000000, 1000000)", false, le, []float64{1}))
	f.Add([]byte("\x93NUMPY\x02\x00\xff\xff\xff\xff"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if x, err := plainly.ReadNPY(bytes.NewReader(b), int64(len(b)), "f"); err == nil {
			finite(t, x)
		}
		if y, err := plainly.ReadLabels(bytes.NewReader(b), int64(len(b)), "f"); err == nil && len(y) == 0 {
			t.Fatal("no labels and no error")
		}
	})
}
