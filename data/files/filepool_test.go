package files

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"
)

// savedNPY is an .npy file of little- or big-endian values.
func savedNPY(t *testing.T, descr string, fortran bool, n, d int, values any) string {
	t.Helper()
	var order binary.ByteOrder = binary.LittleEndian
	if descr[0] == '>' {
		order = binary.BigEndian
	}
	content := npyFile(descr, fmt.Sprintf("(%d, %d)", n, d), fortran, order, values)
	path := filepath.Join(t.TempDir(), "x.npy")
	if err := os.WriteFile(path, content, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestOpenNPYIsLoadNPY: of every type and byte order, what a file gives in place is
// what it gives whole.
func TestOpenNPYIsLoadNPY(t *testing.T) {
	for descr, values := range map[string]any{
		"<f8": []float64{1.5, -2, math.Pi, 0, 1e300, 5}, ">f8": []float64{1.5, -2, math.Pi, 0, 1e300, 5},
		"<f4": []float32{1.5, -2, 3.25, 0, 1e30, 5}, ">f4": []float32{1.5, -2, 3.25, 0, 1e30, 5},
		"|i1": []int8{-128, 127, 0, 1, 2, 3}, "<i2": []int16{-300, 1, 2, 3, 4, 5}, ">i4": []int32{-70000, 1, 2, 3, 4, 5},
		"<i8": []int64{-1 << 53, 1, 2, 3, 4, 1 << 53}, "|u1": []uint8{0, 255, 1, 2, 3, 4}, ">u2": []uint16{65535, 1, 2, 3, 4, 5},
		"<u4": []uint32{1 << 31, 1, 2, 3, 4, 5}, "<u8": []uint64{1 << 53, 1, 2, 3, 4, 5}, "|b1": []uint8{0, 1, 1, 0, 0, 1},
	} {
		for _, fortran := range []bool{false, true} {
			path := savedNPY(t, descr, fortran, 3, 2, values)
			want, err := plainly.LoadNPY(path)
			if err != nil {
				t.Fatalf("%s: %v", descr, err)
			}
			pool, err := plainly.OpenNPY(path)
			if err != nil {
				t.Fatalf("%s: %v", descr, err)
			}
			if inPlace := pool.(*FilePool).file != nil; inPlace == fortran {
				t.Errorf("%s, Fortran order %v: a %T", descr, fortran, pool)
			}
			for _, idx := range [][]int{{0, 1, 2}, {2, 0}, {1, 1}} {
				var got, rows mat.Dense
				pool.Rows(idx, &got)
				DensePool{want}.Rows(idx, &rows)
				if !mat.Equal(&got, &rows) {
					t.Errorf("%s: rows %v are %v, want %v", descr, idx, mat.Formatted(&got), mat.Formatted(&rows))
				}
			}
		}
	}
}

// TestOpenIDXIsLoadIDX is the same for IDX, over several reads of a row and rows of
// several reads.
func TestOpenIDXIsLoadIDX(t *testing.T) {
	for _, shape := range [][]uint32{{7}, {5, 3, 4}, {2, mostRaw/2 + 5}, {1500, 800}} {
		for kind, scale := range map[byte]bool{0x08: true, 0x09: false, 0x0B: false, 0x0D: false, 0x0E: false} {
			if len(shape) == 2 && kind != 0x08 && kind != 0x0B {
				continue // large
			}
			items := 1
			for _, s := range shape {
				items *= int(s)
			}
			raw := make([]byte, items*map[byte]int{8: 1, 9: 1, 11: 2, 13: 4, 14: 8}[kind])
			for i := range raw {
				raw[i] = byte(i*7+i>>8) & 0x3f // finite floats
			}
			path := filepath.Join(t.TempDir(), "x.idx")
			head := binary.BigEndian.AppendUint32(nil, uint32(kind)<<8|uint32(len(shape)))
			for _, s := range shape {
				head = binary.BigEndian.AppendUint32(head, s)
			}
			if err := os.WriteFile(path, append(head, raw...), 0o644); err != nil {
				t.Fatal(err)
			}
			whole, err := plainly.OpenIDX(path, scale)
			if err != nil {
				t.Fatal(err)
			}
			pool, err := plainly.OpenIDX(path, scale)
			if err != nil {
				t.Fatal(err)
			}
			if _, inPlace := pool.(*FilePool); !inPlace {
				t.Errorf("shape %v: a %T", shape, pool)
			}
			if !slices.Equal(Table{X: pool}.Dense().RawMatrix().Data, Table{X: whole}.Dense().RawMatrix().Data) {
				t.Errorf("shape %v of type %x: another matrix in place", shape, kind)
			}
		}
	}
}

// TestOpenRefuses: what is wrong with a file shows when it is opened; a header's
// claim is not believed and nothing is allocated for it.
func TestOpenRefuses(t *testing.T) {
	file := func(content []byte) string {
		path := filepath.Join(t.TempDir(), "x")
		if err := os.WriteFile(path, content, 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	huge := binary.BigEndian.AppendUint32(nil, 0x0803)
	for range 3 {
		huge = binary.BigEndian.AppendUint32(huge, 10_000)
	}
	claim := func(shape string) []byte {
		dict := "{'descr': '<f8', 'fortran_order': False, 'shape': " + shape + ", }"
		dict += strings.Repeat(" ", 117-len(dict)) + "\n"
		return append([]byte("\x93NUMPY\x01\x00\x76\x00"), dict...)
	}
	for _, test := range []struct{ name, path, says string }{
		{"10^12 items", file(append(huge, make([]byte, 40-len(huge))...)), "1000000000016 bytes in all, but the file has 40"},
		{"overflow", file(append(bytes.Repeat([]byte{0, 0, 0x0E, 3}, 1), bytes.Repeat([]byte{0xff}, 12)...)), "bytes in all, but the file has 16"},
		{"no items", file([]byte{0, 0, 8, 1, 0, 0, 0, 0}), "no items"},
		{"cut", file([]byte{0, 0, 8, 1, 0, 0, 0, 2, 1}), "10 bytes in all, but the file has 9"},
	} {
		if _, err := plainly.OpenIDX(test.path, false); err == nil || !strings.Contains(err.Error(), test.says) || !strings.Contains(err.Error(), test.path) {
			t.Errorf("IDX, %s: %v; want %q", test.name, err, test.says)
		}
	}
	for _, test := range []struct{ name, path, says string }{
		{"10^12 items", file(claim("(1000000, 1000000)")), "8000000000128 bytes in all, but the file has 128"},
		{"overflow", file(claim("(1000000000000000000, 1000000000000000000)")), "in all, but the file has 128"},
		{"NaN", savedNPY(t, "<f8", false, 2, 2, []float64{1, 2, 3, math.NaN()}), "element (1, 1) is NaN"},
		{"Inf in single precision", savedNPY(t, "<f4", false, 2, 1, []float32{1, float32(math.Inf(1))}), "element (1, 0) is +Inf"},
		{"large integer", savedNPY(t, "<u8", false, 1, 2, []uint64{1, 1 << 60}), "beyond 2^53"},
	} {
		if _, err := plainly.OpenNPY(test.path); err == nil || !strings.Contains(err.Error(), test.says) || !strings.Contains(err.Error(), test.path) {
			t.Errorf("npy, %s: %v; want %q", test.name, err, test.says)
		}
	}
}

// TestFileUnderWay: a file that is cut short, or written to, while rows are read
// from it is an error that names it; one that another takes the place of is not.
func TestFileUnderWay(t *testing.T) {
	values := make([]float64, 2000)
	open := func() (*FilePool, string) {
		path := savedNPY(t, "<f8", false, 1000, 2, values)
		pool, err := plainly.OpenNPY(path)
		if err != nil {
			t.Fatal(err)
		}
		return pool.(*FilePool), path
	}
	readError := func(f func()) (e *ReadError) {
		defer func() { e, _ = recover().(*ReadError) }()
		f()
		return nil
	}
	all := upto(1000)

	pool, path := open()
	if err := pool.Unchanged(); err != nil {
		t.Errorf("nothing was changed: %v", err)
	}
	if err := os.Truncate(path, 5000); err != nil {
		t.Fatal(err)
	}
	if e := readError(func() { pool.Rows(all, new(mat.Dense)) }); e == nil || e.File != path || !strings.Contains(e.Error(), "no longer the 16128 bytes") {
		t.Errorf("rows of a file cut short: %v", e)
	}
	if e := readError(func() { pool.Rows(all[:10], new(mat.Dense)) }); e != nil {
		t.Errorf("rows that are left: %v", e)
	}
	var e *ReadError
	if err := pool.Unchanged(); !errors.As(err, &e) || !strings.Contains(err.Error(), "was changed while it was in use") {
		t.Errorf("a file cut short: %v", err)
	}

	pool, path = open()
	if err := os.Truncate(path, 5000); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(path, pool.opened.ModTime(), pool.opened.ModTime()); err != nil {
		t.Fatal(err)
	}
	if err := pool.Unchanged(); !errors.As(err, &e) {
		t.Errorf("a file cut short, of the time that it had: %v", err)
	}

	pool, path = open()
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteAt([]byte{1, 2, 3}, 2000); err != nil {
		t.Fatal(err)
	}
	later := time.Now().Add(3 * time.Second) // clocks of file systems may be coarse
	if err := os.Chtimes(path, later, later); err != nil {
		t.Fatal(err)
	}
	if err := pool.Unchanged(); !errors.As(err, &e) {
		t.Errorf("a file written to: %v", err)
	}

	pool, path = open()
	if err := os.WriteFile(path+".new", make([]byte, 16128), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		t.Fatal(err)
	}
	if err := pool.Unchanged(); err != nil {
		t.Errorf("another file in its place: %v", err)
	}
	if e := readError(func() { pool.Rows(all, new(mat.Dense)) }); e != nil {
		t.Errorf("another file in its place: %v", e)
	}
}

// TestViews are the points themselves where they are in memory in order.
func TestViews(t *testing.T) {
	x := mat.NewDense(5, 2, []float64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
	table := Table{X: DensePool{x}}
	for _, test := range []struct {
		pool     Pool
		from, to int
		first    []int // of the rows, nil for no view
	}{
		{table.X, 1, 4, []int{1, 2, 3}},
		{table.Take([]int{3, 1, 2, 4}).X, 1, 3, []int{1, 2}},
		{table.Take([]int{3, 1, 2, 4}).X, 0, 2, nil},
		{table.Take([]int{3, 1, 2, 4}).Take([]int{1, 2, 0}).X, 0, 2, []int{1, 2}},
	} {
		view := test.pool.(Viewer).View(test.from, test.to)
		if (view == nil) != (test.first == nil) {
			t.Errorf("rows %d … of %v: a view %v", test.from, test.pool, view)
			continue
		}
		for row, i := range test.first {
			if !slices.Equal(view.RawRowView(row), x.RawRowView(i)) || &view.RawRowView(row)[0] != &x.RawRowView(i)[0] {
				t.Errorf("row %d of the view is no row %d of the matrix", row, i)
			}
		}
	}
}
