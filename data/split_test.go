package data

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// splitTable is the table with responses 10·i, and a mask of three columns: the multiples of 3, of
// 4 and of 5.
func splitTable(t *testing.T, n int) Context {
	t.Helper()
	var points, mask strings.Builder
	is := map[bool]int{true: 1}
	for i := range n {
		fmt.Fprintf(&points, "%d,%d,%d\n", i, i*i, 10*i)
		fmt.Fprintf(&mask, "%d,%d,%d\n", is[i%3 == 0], is[i%4 == 0], is[i%5 == 0])
	}
	c := written(t, "points.csv", points.String())
	c.Streams = repeat(77)
	if err := os.WriteFile(filepath.Join(c.Dir, "mask.csv"), []byte(mask.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return c
}

// partsOf are the first coordinates of all training and test points in a repeat, in order, each
// held to its response.
func partsOf(t *testing.T, d Dataset, at int) (train, test []float64) {
	t.Helper()
	draw := must(DrawOf(d, at, repeat(uint64(at))))
	held, _ := draw.HeldOut()
	test = first(held)
	x, _, err := draw.Sample(50 - len(test))
	if err != nil {
		t.Fatal(err)
	}
	train = first(x)
	y := draw.(Supervised).Responses(len(train))
	for part, responses := range map[*mat.Dense]*mat.Dense{x: y.Sample, held: y.HeldOut} {
		for i, v := range first(part) {
			if responses.At(i, 0) != 10*v {
				t.Fatalf("repeat %d: point %v has the response %v", at, v, responses.At(i, 0))
			}
		}
	}
	slices.Sort(train)
	slices.Sort(test)
	return train, test
}

// TestSplits: parts are disjoint and all of the table, those of a mask its columns, those of folds
// a division that the next k repeats make anew, of sizes that differ by at most one.
func TestSplits(t *testing.T) {
	c := splitTable(t, 50)
	all := map[string][]float64{}
	for _, split := range []string{"{mask: mask.csv}", "{mask: mask.csv, column: 2}", "{test: 0.11}", "{folds: 4}"} {
		d := must(open("csv", "{path: points.csv, header: false, response: 2, split: "+split+"}", c))
		for at := range 3 {
			train, test := partsOf(t, d, at)
			both := append(slices.Clone(train), test...)
			slices.Sort(both)
			for i, v := range both {
				if v != float64(i) {
					t.Fatalf("%s: training and test part together are %v", split, both)
				}
			}
			all[fmt.Sprint(split, at)] = test
			if again, _ := partsOf(t, d, at); !slices.Equal(train, again) {
				t.Errorf("%s: repeat %d has two splits", split, at)
			}
		}
	}
	for at, divisor := range []int{3, 4, 5} {
		for _, v := range all[fmt.Sprint("{mask: mask.csv}", at)] {
			if int(v)%divisor != 0 {
				t.Errorf("repeat %d is tested on %v", at, v)
			}
		}
		if fixed := all[fmt.Sprint("{mask: mask.csv, column: 2}", at)]; !slices.Equal(fixed, all["{mask: mask.csv}2"]) {
			t.Errorf("column 2 in repeat %d: tested on %v", at, fixed)
		}
	}
	if test := all["{test: 0.11}0"]; len(test) != 6 || slices.Equal(test, all["{test: 0.11}1"]) {
		t.Errorf("0.11 of 50 points at random: %v, then %v", test, all["{test: 0.11}1"])
	}
	d := must(open("csv", "{path: points.csv, header: false, response: 2, split: {folds: 4}}", c))
	var division [2][]float64
	for at := range 8 {
		_, test := partsOf(t, d, at)
		if want := []int{13, 13, 12, 12}[at%4]; len(test) != want {
			t.Errorf("fold %d has %d points, want %d", at%4, len(test), want)
		}
		division[at/4] = append(division[at/4], test...)
	}
	if slices.Equal(division[0], division[1]) {
		t.Error("repeats 4 … 7 are of the same division as 0 … 3")
	}
	for _, tested := range division {
		if slices.Sort(tested); len(slices.Compact(tested)) != 50 {
			t.Errorf("the folds are no division: %v", tested)
		}
	}
	for split, n := range map[string]float64{"{mask: mask.csv}": 33, "{mask: mask.csv, column: 2}": 40, "{test: 0.11}": 44, "{folds: 4}": 37} {
		d := must(open("csv", "{path: points.csv, header: false, response: 2, split: "+split+"}", c)).(Split)
		if s := d.Support(); d.Constants()["N"] != n || s.Points != 50-int(n) || s.Shared {
			t.Errorf("%s: N is %v, support %+v", split, d.Constants()["N"], s)
		}
		if most := map[bool]int{true: 3}[split == "{mask: mask.csv}"]; d.Repeats != most {
			t.Errorf("%s: up to %d repeats, want %d", split, d.Repeats, most)
		}
	}
}

// TestSplitStandardizes: means and deviations are those of the repeat's training part, of
// coordinates and responses.
func TestSplitStandardizes(t *testing.T) {
	c := splitTable(t, 50)
	for at := range 3 {
		train, test := partsOf(t, must(open("csv", "{path: points.csv, header: false, response: 2, split: {mask: mask.csv}}", c)), at)
		draw := must(DrawOf(must(open("csv", "{path: points.csv, header: false, response: 2, standardize: true, split: {mask: mask.csv}, sample: first}", c)), at, repeat(1)))
		x, _, _ := draw.Sample(len(train))
		held, _ := draw.HeldOut()
		y := draw.(Supervised).Responses(len(train))
		mean, sd := stat.PopMeanStdDev(train, nil)
		for _, part := range []struct {
			of   []float64
			x, y *mat.Dense
		}{{train, x, y.Sample}, {test, held, y.HeldOut}} {
			for i, v := range part.of {
				if want := (v - mean) / sd; math.Abs(part.x.At(i, 0)-want) > 1e-12 || math.Abs(part.y.At(i, 0)-want) > 1e-12 {
					t.Fatalf("repeat %d: %v becomes %v with response %v, want %v", at, v, part.x.At(i, 0), part.y.At(i, 0), want)
				}
			}
		}
		if math.Abs(y.Unit-10*sd) > 1e-10 {
			t.Errorf("repeat %d: a unit of %v, want %v", at, y.Unit, 10*sd)
		}
	}
}

// TestBadSplits: what is wrong with a split, and where.
func TestBadSplits(t *testing.T) {
	c := splitTable(t, 12)
	for name, text := range map[string]string{"short.csv": "0\n1\n", "two.csv": strings.Repeat("0,1\n", 11) + "0,2\n", "all.csv": strings.Repeat("0,1\n1,1\n", 6), "text.csv": "train\n" + strings.Repeat("0\n1\n", 6)} {
		if err := os.WriteFile(filepath.Join(c.Dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for parameters, says := range map[string]string{
		"split: {}":                                    "needs exactly one of mask, test, folds",
		"split: {test: 0.1, folds: 3}":                 "needs exactly one",
		"split: {test: 0.1, column: 1}":                "column is one of a mask",
		"split: {test: 1.5}":                           "must lie between 0 and 1, such as 0.1, found 1.5",
		"split: {folds: 1}":                            "must be at least 2",
		"split: {folds: 13}":                           "repeat 12 has 12 points to train on and 0 to be tested on",
		"split: {test: 0.99}":                          "repeat 0 has 0 points to train on",
		"split: {mask: ../mask.csv}":                   "leads out of the spec's directory",
		"split: {mask: none.csv}":                      "none.csv",
		"split: {mask: short.csv}":                     "short.csv has 2 rows for 12 points",
		"split: {mask: two.csv}":                       "two.csv: row 12, column 1 is 2",
		"split: {mask: all.csv}":                       "repeat 1 has 0 points to train on",
		"split: {mask: text.csv}":                      "line 1",
		"split: {mask: mask.csv, column: 3}":           "has no column 3: they are counted 0 … 2",
		"split: {test: 0.1}, population: self":         "leave out one of population and split",
		"split: {test: 0.1}, sample: with_replacement": "with_replacement takes no split",
	} {
		if _, err := open("csv", "{path: points.csv, header: false, "+parameters+"}", c); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: error %v, want one that says %q", parameters, err, says)
		}
	}
	one, other := must(open("csv", "{path: points.csv, split: {mask: all.csv, column: 0}, header: false}", c)), must(open("csv", "{path: points.csv, split: {mask: mask.csv, column: 0}, header: false}", c))
	if one.Fingerprint() == other.Fingerprint() {
		t.Error("another mask leaves the fingerprint as it is")
	}
}
