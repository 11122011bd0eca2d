//go:build unix

package files

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestNoRegularFile: a pipe that nobody writes to, devices that never end and folders
// are refused at once, by all that reads data.
func TestNoRegularFile(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, load := range map[string]func(path string) error{
		"csv":   func(path string) error { _, err := plainly.LoadCSV(path, DefaultCSV); return err },
		"array": func(path string) error { _, err := points(path); return err },
	} {
		for path, want := range map[string]string{
			pipe: " is a pipe: want a regular file", "/dev/zero": " is a device: want a regular file", dir: " is a folder: want a regular file",
		} {
			ended := make(chan error, 1)
			go func() { ended <- load(path) }()
			select {
			case err := <-ended:
				if err == nil || !strings.Contains(err.Error(), path+want) {
					t.Errorf("%s of %s: %v", name, path, err)
				}
			case <-time.After(time.Minute): // it hangs
				t.Fatalf("%s waits for %s", name, path)
			}
		}
	}
}
