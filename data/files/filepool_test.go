package files

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"
)

// TestFileUnderWay: a file that is cut short, or written to, while rows are read
// from it is an error that names it; one that another takes the place of is not.
func TestFileUnderWay(t *testing.T) {
	values := make([]float64, 2000)
	open := func() (*FilePool, string) {
		path := saved(t, npyFile("<f8", "(1000, 2)", false, values))
		pool, err := points(path)
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
