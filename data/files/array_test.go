package files

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/sbinet/npyio/npy"
	"gonum.org/v1/gonum/mat"
)

// Of every type and byte order, NumPy's or IDX, in place or whole, the numbers are the same.
func TestArrays(t *testing.T) {
	want := mat.NewDense(2, 3, []float64{0, 1, 2, 3, 4, 100})
	var lib bytes.Buffer
	if err := npy.Write(&lib, want); err != nil {
		t.Fatal(err)
	}
	u1, f8 := []uint8{0, 1, 2, 3, 4, 100}, []float64{0, 1, 2, 3, 4, 100}
	i4, f4 := []int32{0, 1, 2, 3, 4, 100}, []float32{0, 1, 2, 3, 4, 100}
	for name, content := range map[string][]byte{
		"f8": npyFile("<f8", "(2, 3)", false, f8), "f8 big": npyFile(">f8", "(2, 3)", false, f8),
		"f4": npyFile("<f4", "(2, 3)", false, f4), "f4 big": npyFile(">f4", "(2, 3)", false, f4),
		"i1": npyFile("|i1", "(2, 3)", false, []int8{0, 1, 2, 3, 4, 100}), "i2": npyFile("<i2", "(2, 3)", false, []int16{0, 1, 2, 3, 4, 100}),
		"i4": npyFile(">i4", "(2, 3)", false, i4), "i8": npyFile("<i8", "(2, 3)", false, []int64{0, 1, 2, 3, 4, 100}),
		"u1": npyFile("|u1", "(2, 3)", false, u1), "u2": npyFile("<u2", "(2, 3)", false, []uint16{0, 1, 2, 3, 4, 100}),
		"u4": npyFile("<u4", "(2, 3)", false, []uint32{0, 1, 2, 3, 4, 100}), "u8": npyFile("<u8", "(2, 3)", false, []uint64{0, 1, 2, 3, 4, 100}),
		"fortran":      npyFile("<f8", "(2, 3)", true, []float64{0, 3, 1, 4, 2, 100}),
		"flattened":    npyFile("<f8", "(2, 1, 3)", false, f8),
		"library's":    lib.Bytes(),
		"IDX u1":       idx(8, []uint32{2, 3}, u1),
		"IDX u1, flat": idx(8, []uint32{2, 3, 1}, u1),
		"IDX i4":       idx(12, []uint32{2, 3}, i4),
		"IDX f4":       idx(13, []uint32{2, 3}, f4),
		"IDX f8":       idx(14, []uint32{2, 3}, f8),
	} {
		pool, err := points(saved(t, content))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := (Table{X: pool}).Dense(); !mat.Equal(got, want) {
			t.Errorf("%s: got\n%v", name, mat.Formatted(got))
		}
		if _, inPlace := pool.(*FilePool); inPlace == (name == "fortran") {
			t.Errorf("%s: a %T", name, pool)
		}
		if name == "flattened" || name == "IDX u1, flat" {
			continue
		}
		f, err := os.Open(saved(t, content))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if got, err := plainly.ReadNPY(f, 2); err != nil || !mat.Equal(got, want) {
			t.Errorf("%s, whole: %v, %v", name, got, err)
		}
	}
	table, err := plainly.OpenArrays(saved(t, idx(8, []uint32{2, 1}, []uint8{51, 255})), saved(t, idx(8, []uint32{2}, []uint8{7, 3})), "", true)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff("[0.2 1] [7 3]", fmt.Sprint(table.Dense().RawMatrix().Data, table.Names())); diff != "" {
		t.Error(diff)
	}
}

// What is wrong with a file shows when it is opened; a header's claim is not believed and
// nothing is allocated for it.
func TestArraysRefused(t *testing.T) {
	npyOf := func(shape string) []byte { return npyFile("<f8", shape, false, []float64{1}) }
	wide := npyFile("<f8", "(1, 1)", false, []float64{1})
	wide[6] = 3
	for _, c := range []struct {
		name    string
		content []byte
		want    string
	}{
		{"10^12 items of IDX", idx(8, []uint32{1e4, 1e4, 1e4}, make([]byte, 24)), "1000000000016 bytes in all, but the file has 40"},
		{"overflow of IDX", idx(14, []uint32{1<<32 - 1, 1<<32 - 1, 1<<32 - 1}, []byte{}), "bytes in all, but the file has 16"},
		{"no items", idx(8, []uint32{0}, []byte{}), "no items"},
		{"cut", idx(8, []uint32{2}, []byte{1}), "10 bytes in all, but the file has 9"},
		{"longer", idx(8, []uint32{2}, []byte{1, 2, 3}), "10 bytes in all, but the file has 11"},
		{"a header cut", []byte{0, 0, 8, 3, 0, 0}, "the header is cut short"},
		{"a header cut of npy", npyOf("(1, 1)")[:40], "the header is cut short"},
		{"another type", idx(7, []uint32{1}, []byte{1}), "no .npy file and no IDX file"},
		{"nothing", nil, "no .npy file and no IDX file"},
		{"gzipped", []byte("\x1f\x8b\x08\x00"), "is gzipped: unpack it first"},
		{"10^12 items", npyOf("(1000000, 1000000)"), "8000000000128 bytes in all, but the file has 136"},
		{"overflow", npyOf("(1000000000000000000, 1000000000000000000)"), "in all, but the file has"},
		{"beyond 2^63", npyOf("(99999999999999999999, 1)"), "value out of range"},
		{"a scalar", npyOf("()"), "no items"},
		{"version 3", wide, "format version 3.0: want 1 or 2"},
		{"text", []byte("1,2\n3,4\n"), "np.save"},
		{"texts", npyFile("<U2", "(1, 1)", false, []float64{1}), "np.unique(labels, return_inverse=True)[1]"},
		{"objects", npyFile("|O8", "(1, 1)", false, []float64{1}), "want a plain array of floats"},
		{"NaN", npyFile("<f8", "(2, 2)", false, []float64{1, 2, 3, math.NaN()}), "element (1, 1) is NaN"},
		{"NaN in Fortran order", npyFile("<f8", "(2, 2)", true, []float64{1, math.NaN(), 3, 4}), "element (1, 0) is NaN"},
		{"Inf in single precision", npyFile("<f4", "(2, 1)", false, []float32{1, float32(math.Inf(1))}), "element (1, 0) is +Inf"},
		{"large integer", npyFile("<u8", "(1, 2)", false, []uint64{1, 1 << 60}), "2^53 or beyond"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := saved(t, c.content)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := points(path)
			runtime.ReadMemStats(&after)
			says(t, err, path, c.want)
			if taken := after.TotalAlloc - before.TotalAlloc; taken > 1<<20 {
				t.Errorf("%d bytes were allocated", taken)
			}
		})
	}
	two := saved(t, idx(8, []uint32{2, 1}, []byte{1, 2}))
	for _, c := range []struct {
		labels []byte
		want   string
	}{
		{idx(8, []uint32{3}, []byte{1, 2, 3}), " has 3 labels for the 2 points of " + two},
		{idx(8, []uint32{2, 1}, []byte{1, 2}), "an array of 2 dimensions; want 1"},
		{npyFile("<f8", "(2,)", false, []float64{1, 1.5}), "label 1: 1.5 is no integer"},
		{npyFile("<i8", "(2,)", false, []int64{1, 1<<53 + 1}), "2^53 or beyond"},
	} {
		path := saved(t, c.labels)
		_, err := plainly.OpenArrays(two, path, "", false)
		says(t, err, path, c.want)
	}
	for says, content := range map[string][]byte{
		"has 1 responses for the 2 points": npyFile("<f8", "(1,)", false, []float64{1}),
		"element (1, 0) is NaN":            npyFile("<f8", "(2,)", false, []float64{1, math.NaN()}),
	} {
		if _, err := plainly.OpenArrays(two, "", saved(t, content), false); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("error %v, want one that says %q", err, says)
		}
	}
	both, err := plainly.OpenArrays(two, "", saved(t, npyFile("<f8", "(2,)", false, []float64{0.5, -1})), false)
	if err != nil || !slices.Equal(both.Take([]int{1}).Responses, []float64{-1}) || !slices.Equal(Join(both, both).Responses, []float64{0.5, -1, 0.5, -1}) {
		t.Errorf("responses %v, error %v", both.Responses, err)
	}
	_, err = Opener{Memory: 1 << 20}.OpenArrays(two, sparseFile(t, idx(8, []uint32{1 << 30}, []byte{}), 1<<30+8), "", false)
	if err == nil {
		t.Error("a gigabyte of labels is read into a megabyte")
	}
	path := saved(t, npyFile("<f8", "(1, 1)", false, []float64{1}))
	_, err = plainly.OpenArrays(path, "", "", true)
	says(t, err, path, "scale divides unsigned bytes alone")
}

// TestWriteNPY: what is written reads back here and with npyio, and the numbers
// begin at a multiple of 64 bytes for every length of the header's dictionary.
func TestWriteNPY(t *testing.T) {
	for _, shape := range [][2]int{{1, 1}, {3, 2}, {10, 9}, {12345, 1}, {7, 1234}, {100000, 2}} {
		n, d := shape[0], shape[1]
		x := mat.NewDense(n, d, nil)
		x.Apply(func(i, j int, _ float64) float64 { return math.Sqrt(float64(i)) - float64(j) }, x)
		var b bytes.Buffer
		if err := WriteNPY(&b, n, d, x.RawRowView); err != nil {
			t.Fatal(err)
		}
		if head := b.Len() - 8*n*d; head != 128 {
			t.Errorf("%v: a header of %d bytes", shape, head)
		}
		pool, err := points(saved(t, b.Bytes()))
		if err != nil || !mat.Equal(Table{X: pool}.Dense(), x) {
			t.Errorf("%v: reads back wrong, error %v", shape, err)
		}
		var other mat.Dense
		if err := npy.Read(&b, &other); err != nil || !mat.Equal(&other, x) {
			t.Errorf("%v: npyio reads it wrong, error %v", shape, err)
		}
	}
}

// FuzzArray: no header makes the reader panic or take memory that the file does not have.
func FuzzArray(f *testing.F) {
	f.Add(npyFile("<f8", "(1, 2)", false, []float64{1, 2}))
	f.Add(npyFile(">i2", "(2,)", true, []int16{1, 2}))
	f.Add(idx(8, []uint32{2, 2}, []byte{1, 2, 3, 4}))
	path := f.TempDir() + "/x"
	f.Fuzz(func(t *testing.T, content []byte) {
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		pool, err := points(path)
		if err != nil {
			return
		}
		x := Table{X: pool}.Dense()
		if n, d := x.Dims(); n*d > len(content) {
			t.Errorf("%d numbers of %d bytes", n*d, len(content))
		}
		if p, ok := pool.(*FilePool); ok {
			if err := errors.Join(p.Unchanged(), p.file.Close()); err != nil {
				t.Error(err)
			}
		}
	})
}
