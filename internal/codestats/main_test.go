package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestAdd counts a small file by hand.
func TestAdd(t *testing.T) {
	const text = `// Package p
// is small.
package p

var text = ` + "`a\n// no comment\nb`" + ` // beside code

/* over
two lines */
func f() int { return 1 }

func (t T) g() {
	// Inside.
	f()
}
`
	path := filepath.Join(t.TempDir(), "p.go")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	got := part{name: "p"}
	if err := got.add(path); err != nil {
		t.Fatal(err)
	}
	want := part{name: "p", files: []int{16}, functions: []int{1, 4}, all: 16, comments: 5, filled: 13}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(part{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for percent, want := range map[int]int{50: 2, 90: 4, 100: 4} {
		if got := quantile([]int{1, 2, 3, 4}, percent); got != want {
			t.Errorf("%d %% of four numbers do not exceed %d, and it says %d", percent, want, got)
		}
	}
}
