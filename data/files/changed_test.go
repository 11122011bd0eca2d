package files

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// changing is a pool of points that were in a file.
type changing struct{ DensePool }

var errChanged = errors.New("changed")

func (changing) Unchanged() error { return errChanged }

func TestUnchanged(t *testing.T) {
	still := DensePool{mat.NewDense(2, 1, nil)}
	moved := changing{still}
	for name, tt := range map[string]struct {
		pool    Pool
		changed bool
	}{
		"nil":              {nil, false},
		"memory":           {still, false},
		"file":             {moved, true},
		"rows of a file":   {Table{X: moved}.Take([]int{1}).X, true},
		"rows of memory":   {Table{X: still}.Take([]int{1}).X, false},
		"after another":    {Join(Table{X: still}, Table{X: moved}).X, true},
		"both in memory":   {Join(Table{X: still}, Table{X: still}).X, false},
		"rows of rows, so": {Table{X: moved}.Take([]int{1, 0}).Take([]int{0}).X, true},
	} {
		if err := Unchanged(tt.pool); errors.Is(err, errChanged) != tt.changed {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestLoadSeesWrites writes to a file while it is read, in place and with its size kept;
// a file that takes its place by a rename does no harm.
func TestLoadSeesWrites(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.csv")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		name    string
		happens func()
		want    string // in the error; empty for none
	}{
		{"nothing", func() {}, ""},
		{"longer", func() { write("1\n2\n3\n") }, "was written to while it was read: wait until it is complete"},
		{"shorter", func() { write("1\n") }, "was written to"},
		{"renamed over", func() {
			other := path + ".new"
			if err := errors.Join(os.WriteFile(other, []byte("9\n"), 0o666), os.Rename(other, path)); err != nil {
				t.Fatal(err)
			}
		}, ""},
	} {
		write("1\n2\n")
		text, err := load(path, func(f *os.File, _ os.FileInfo) (string, bool, error) {
			tt.happens()
			all, err := io.ReadAll(f)
			return string(all), false, err
		})
		if tt.want == "" && (err != nil || text != "1\n2\n") || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%s: %q, %v", tt.name, text, err)
		}
	}
	if _, err := plainly.LoadCSV(filepath.Dir(path), DefaultCSV); err == nil || !strings.Contains(err.Error(), "is a folder: want a regular file") {
		t.Errorf("a folder: %v", err)
	}
}
