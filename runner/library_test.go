package runner

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestLibrarySum: the sum is kept until the file's time or size changes; without a cache it
// is taken each time.
func TestLibrarySum(t *testing.T) {
	dir := t.TempDir()
	library := filepath.Join(dir, "lib.so")
	first, second := time.Unix(1e9, 0), time.Unix(1e9, 1000)
	sum := func(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text))) }
	for _, c := range []struct {
		cache, text string
		changed     time.Time
		want        string
	}{
		{"cache", "one", first, sum("one")},
		{"cache", "two", first, sum("one")}, // taken for the same file
		{"cache", "two", second, sum("two")},
		{"cache", "three", second, sum("three")},
		{"lib.so/none", "four", first, sum("four")},
		{"lib.so/none", "five", first, sum("five")},
	} {
		t.Setenv("MERCER_CACHE", filepath.Join(dir, c.cache))
		if err := os.WriteFile(library, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(library, c.changed, c.changed); err != nil {
			t.Fatal(err)
		}
		if got, err := librarySum(library); err != nil || got != c.want {
			t.Errorf("%+v: %s, %v", c, got, err)
		}
	}
}
