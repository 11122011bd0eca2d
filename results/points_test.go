package results

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPointsReadBack(t *testing.T) {
	for name, p := range map[string]Points{
		"all":       {Input: [][2]float64{{1, -2.5}, {1e-9, 3e7}}, Image: [][2]float64{{0.125, 0}, {-1, 2}}, Class: []int{0, 12}},
		"line":      {Input: [][2]float64{{1, 0}, {2, 0}}, Image: [][2]float64{{0.5, 0}, {0.25, 0}}},
		"no images": {Input: [][2]float64{{1, 2}}, Class: []int{3}},
		"none":      {},
	} {
		dir := t.TempDir()
		if HasPoints(dir, "key") {
			t.Errorf("%s: there before they are written", name)
		}
		for range 2 { // the second replaces the first
			if err := WritePoints(dir, "key", p); err != nil {
				t.Fatal(name, err)
			}
		}
		got, err := ReadPoints(dir, "key")
		if err != nil || !HasPoints(dir, "key") {
			t.Fatal(name, err)
		}
		if diff := cmp.Diff(p, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if left, _ := os.ReadDir(filepath.Join(dir, PointsFolder)); len(left) != 1 {
			t.Errorf("%s: left behind: %v", name, left)
		}
	}
}

func TestPointsErrors(t *testing.T) {
	dir := t.TempDir()
	if _, err := ReadPoints(dir, "key"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	if err := WritePoints(dir, "key", Points{}); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"":                                "unexpected end",
		"x1,x2\n1,2\n":                    "invalid character",
		`{"input":[[1,"one"]]}`:           "cannot unmarshal string",
		`{"input":[[1,2]],"class":["a"]}`: "cannot unmarshal string",
		`{"input":[[1,2]],"class":[1,2]}`: "2 images or classes of 1 points",
		`{"input":[[1,2],[3,4]],"image":[[1,2]]}`: "1 images or classes of 2 points",
	} {
		if err := os.WriteFile(pointsPath(dir, "key"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadPoints(dir, "key"); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "delete the file") {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := WritePoints(filepath.Join(dir, "file"), "key", Points{}); err == nil {
		t.Error("points below a file")
	}
}
