package results

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"mercer/internal/plain"
	"mercer/internal/regular"
)

const (
	// PointsFolder is where a run directory keeps points, in a file <key>.csv for
	// each row that has some.
	PointsFolder = "points"
	// MaxPoints is how many points of a cell are kept.
	MaxPoints = 1000
)

// Points are the first points of a cell's sample, for figures: where they lie,
// and where the cell's method puts them. A coordinate that there is not is NaN.
type Points struct {
	Input   [][2]float64 // the first two coordinates in input space
	Image   [][2]float64 // the first two that the method gives; nil where it gives none
	Class   []int        // of the data set; nil for none
	Cluster []int        // that a clustering has found; nil for none
}

var pointsHeader = []string{"x1", "x2", "z1", "z2", "class", "cluster"}

func pointsPath(dir, key string) string { return filepath.Join(dir, PointsFolder, key+".csv") }

// fileKey says whether a key, which may come from a file that another program
// wrote, is a file name that stays in its folder.
func fileKey(key string) bool {
	return key != "" && len(key) <= 128 && key[0] != '.' && !strings.ContainsAny(key, "/\\:\x00")
}

// HasPoints says whether the run in dir keeps points of the row of a key.
func HasPoints(dir, key string) bool {
	if !fileKey(key) {
		return false
	}
	info, err := os.Stat(pointsPath(dir, key))
	return err == nil && info.Mode().IsRegular()
}

// WritePoints keeps the points of the row of a key in the run directory dir, in one step: a
// reader, and a run that goes on after a kill, finds all of them or none. Coordinates, which
// are finite but for those that there are not, have six significant digits.
func WritePoints(dir, key string, p Points) error {
	err := p.check()
	if !fileKey(key) {
		err = errors.New("the key is no file name")
	}
	rows := [][]string{pointsHeader}
	for i := 0; i < len(p.Input) && err == nil; i++ {
		row := make([]string, len(pointsHeader))
		for k, list := range [][][2]float64{p.Input, p.Image} {
			for j := 0; list != nil && j < 2; j++ {
				if v := list[i][j]; !math.IsNaN(v) {
					row[2*k+j] = strconv.FormatFloat(v, 'g', 6, 64)
				}
			}
		}
		for k, list := range [][]int{p.Class, p.Cluster} {
			if list != nil {
				row[4+k] = strconv.Itoa(list[i])
			}
		}
		rows = append(rows, row)
	}
	var text bytes.Buffer
	if err == nil {
		err = csv.NewWriter(&text).WriteAll(rows)
	}
	if err == nil {
		err = regular.Folder(filepath.Join(dir, PointsFolder))
	}
	if err == nil {
		err = WriteAtomic(pointsPath(dir, key), text.Bytes())
	}
	if err != nil {
		return fmt.Errorf("results: points of %q: %w", key, err)
	}
	return nil
}

// check refuses lists of different lengths.
func (p Points) check() error {
	for _, length := range []int{len(p.Image), len(p.Class), len(p.Cluster)} {
		if length != 0 && length != len(p.Input) {
			return fmt.Errorf("%d images or labels of %d points", length, len(p.Input))
		}
	}
	return nil
}

// ReadPoints reads the points of the row of a key. Its error wraps
// [os.ErrNotExist] where there are none; it fails on a file that
// [WritePoints] did not write.
func ReadPoints(dir, key string) (Points, error) {
	if !fileKey(key) {
		return Points{}, fmt.Errorf("results: points of %q: the key is no file name: %w", key, os.ErrNotExist)
	}
	path := pointsPath(dir, key)
	text, err := regular.ReadFile(path)
	if err != nil {
		return Points{}, fmt.Errorf("results: %w", err)
	}
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err == nil && (len(rows) == 0 || !slices.Equal(rows[0], pointsHeader)) {
		err = fmt.Errorf("the columns are not %v", pointsHeader)
	}
	var p Points
	for i := 1; i < len(rows) && err == nil; i++ {
		err = p.add(rows[i])
	}
	if err = cmp.Or(err, p.check()); err != nil {
		return Points{}, fmt.Errorf("results: %s: broken points: %w; delete the file and run the experiment again", path, err)
	}
	return p, nil
}

// add reads a row. But for second coordinates a column is empty in all rows or in none.
func (p *Points) add(row []string) error {
	for k, list := range []*[][2]float64{&p.Input, &p.Image} {
		pair := [2]float64{math.NaN(), math.NaN()}
		for j, text := range row[2*k : 2*k+2] {
			x, err := strconv.ParseFloat(text, 64)
			if text != "" && (err != nil || !plain.Finite(x)) {
				return fmt.Errorf("%q is no coordinate", text)
			}
			if text != "" {
				pair[j] = x
			}
		}
		if k == 0 || row[2*k] != "" {
			*list = append(*list, pair)
		}
	}
	for k, list := range []*[]int{&p.Class, &p.Cluster} {
		text := row[4+k]
		label, err := strconv.Atoi(text)
		if text != "" && err != nil {
			return fmt.Errorf("%q is no label", text)
		}
		if text != "" {
			*list = append(*list, label)
		}
	}
	return nil
}
