//go:build unix

package fetch

import (
	"context"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// TestPipes: a pipe in the place of the user's own copy, or of one in the cache, is
// an error at once; nobody writes to it.
func TestPipes(t *testing.T) {
	for _, name := range []string{"points"} {
		cache := t.TempDir()
		own := filepath.Join(cache, "own", "set")
		if err := os.MkdirAll(own, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Mkfifo(filepath.Join(own, name), 0o600); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() {
			_, err := try(context.Background(), cache, fileOf("points", content(100)))
			ended <- err
		}()
		select {
		case err := <-ended:
			says(t, err, filepath.Join(own, name)+" is a pipe: want a regular file")
		case <-time.After(time.Minute): // it hangs
			t.Fatalf("it waits for %s", name)
		}
	}
}
