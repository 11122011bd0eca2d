package results

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestPointsReadBack(t *testing.T) {
	nan := math.NaN()
	for name, p := range map[string]Points{
		"all":       {Input: [][2]float64{{1, -2.5}, {1e-9, 3e7}}, Image: [][2]float64{{0.125, 0}, {-1, 2}}, Class: []int{0, 12}, Cluster: []int{1, 0}},
		"line":      {Input: [][2]float64{{1, nan}, {2, nan}}, Image: [][2]float64{{0.5, nan}, {0.25, nan}}},
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
		if diff := cmp.Diff(p, got, cmpopts.EquateNaNs()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if left, _ := os.ReadDir(filepath.Join(dir, PointsFolder)); len(left) != 1 {
			t.Errorf("%s: left behind: %v", name, left)
		}
	}
}

func TestPointsErrors(t *testing.T) {
	dir := t.TempDir()
	two := [][2]float64{{1, 2}, {3, 4}}
	for want, p := range map[string]Points{
		"1 images or labels of 2 points": {Input: two, Image: two[:1]},
		"3 images or labels of 2 points": {Input: two, Cluster: []int{1, 2, 3}},
	} {
		if err := WritePoints(dir, "key", p); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if _, err := ReadPoints(dir, "key"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	if err := WritePoints(dir, "key", Points{}); err != nil {
		t.Fatal(err)
	}
	const head = "x1,x2,z1,z2,class,cluster\n"
	for text, want := range map[string]string{
		"":                                "columns are not",
		"a,b\n1,2\n":                      "columns are not",
		head + "1,2,3\n":                  "wrong number of fields",
		head + "1,one,3,4,,\n":            `"one" is no coordinate`,
		head + "1,NaN,3,4,,\n":            `"NaN" is no coordinate`,
		head + "1,2,3,4,first,\n":         `"first" is no label`,
		head + "1,2,,,1,\n1,2,3,4,1,\n":   "images or labels of 2 points",
		head + "1,2,3,4,1,\n1,2,3,4,,1\n": "images or labels of 2 points",
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
