package files

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/mat"
)

// TestByteFileIsTheLIBSVMFile: points, labels and classes are those that
// LoadLIBSVM reads, whatever rows are asked for.
func TestByteFileIsTheLIBSVMFile(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	var text strings.Builder
	for range 70 {
		fmt.Fprintf(&text, "%d", rng.IntN(12))
		for c := 1; c <= 9; c++ {
			if rng.IntN(3) > 0 {
				fmt.Fprintf(&text, " %d:%d", c, rng.IntN(256))
			}
		}
		text.WriteString([]string{"\n", "\r\n", " \n", "\n\n"}[rng.IntN(4)])
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "few.libsvm")
	if err := os.WriteFile(path, []byte(strings.TrimSpace(text.String())), 0o600); err != nil {
		t.Fatal(err)
	}
	want, err := plainly.LoadLIBSVM(path, 9)
	if err != nil {
		t.Fatal(err)
	}
	cache := filepath.Join(dir, "few")
	if err := plainly.LIBSVMToBytes(path, 9, cache); err != nil {
		t.Fatal(err)
	}
	got, hash, err := OpenByteFile(cache, 1)
	if err != nil {
		t.Fatal(err)
	}
	if len(hash) != 64 || fingerprint(t, got) != fingerprint(t, want) {
		t.Errorf("another table, hash %q", hash)
	}
	if diff := cmp.Diff(want.Labels, got.Labels); diff != "" {
		t.Error(diff)
	}
	scaled, _, err := OpenByteFile(cache, 255)
	if err != nil {
		t.Fatal(err)
	}
	idx := []int{3, 4, 5, 69, 0, 0, 1, 68, 69}
	var a, b, c mat.Dense
	got.X.Rows(idx, &a)
	want.X.Rows(idx, &b)
	scaled.X.Rows(idx, &c)
	c.Scale(255, &c)
	if !mat.Equal(&a, &b) || !mat.EqualApprox(&c, &b, 1e-12) {
		t.Error("rows differ")
	}
	left, _ := filepath.Glob(filepath.Join(dir, ".tmp-*"))
	if len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	if err := os.Truncate(filepath.Join(cache, bytePoints), 5); err != nil {
		t.Fatal(err)
	}
	if _, _, err := OpenByteFile(cache, 1); err == nil || !strings.Contains(err.Error(), "made again") {
		t.Errorf("a cut file: %v", err)
	}
}

func TestLIBSVMToBytesRefuses(t *testing.T) {
	for text, says := range map[string]string{
		"1 1:2\n2 1:0.5\n":     `:2: 1:0.5: want a whole number`,
		"1 1:256\n":            "from 0 to 255",
		"1 1:-1\n":             "from 0 to 255",
		"1 1:\n":               "no value after the colon",
		"1 4:1\n":              "index above dim: 3",
		"1 2:1 2:1\n":          "above the one before, 2",
		"1 0:1\n":              "want an integer 1",
		"1 x\n":                "index:value",
		"1 99999999999999:1\n": "want an integer 1",
		"\n\n":                 "no rows",
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, "x")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		err := plainly.LIBSVMToBytes(path, 3, filepath.Join(dir, "out"))
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v, want %s", text, err, says)
		}
		if _, err := os.Stat(filepath.Join(dir, "out")); err == nil {
			t.Errorf("%q leaves a folder", text)
		}
	}
}
