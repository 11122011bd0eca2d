package results

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"mercer/internal/plain"
	"mercer/internal/regular"
)

const (
	// PointsFolder is where a run directory keeps points, in a file <key>.csv for
	// each record that has some.
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

// HasPoints says whether the run in dir keeps points of the record of a key.
func HasPoints(dir, key string) bool {
	if !fileKey(key) {
		return false
	}
	info, err := os.Stat(pointsPath(dir, key))
	return err == nil && info.Mode().IsRegular()
}

// WritePoints keeps the points of the record of a key in the run directory dir,
// in one step: a reader, and a run that goes on after a kill, finds all of them
// or none. Coordinates have six significant digits. It fails on one that is
// infinite, and on lists of different lengths.
func WritePoints(dir, key string, p Points) error {
	if !fileKey(key) {
		return fmt.Errorf("results: points of %q: the key is no file name", key)
	}
	rows := [][]string{pointsHeader}
	for i := range p.Input {
		var row []string
		for _, list := range [][][2]float64{p.Input, p.Image} {
			if list == nil {
				row = append(row, "", "")
				continue
			}
			if len(list) != len(p.Input) {
				return fmt.Errorf("results: points of %s: %d images of %d points", key, len(list), len(p.Input))
			}
			for _, v := range list[i] {
				if math.IsInf(v, 0) {
					return fmt.Errorf("results: points of %s: point %d has a coordinate %v", key, i, v)
				}
				row = append(row, coordinate(v))
			}
		}
		for _, list := range [][]int{p.Class, p.Cluster} {
			if list == nil {
				row = append(row, "")
				continue
			}
			if len(list) != len(p.Input) {
				return fmt.Errorf("results: points of %s: %d labels of %d points", key, len(list), len(p.Input))
			}
			row = append(row, strconv.Itoa(list[i]))
		}
		rows = append(rows, row)
	}
	var text bytes.Buffer
	if err := csv.NewWriter(&text).WriteAll(rows); err != nil {
		return fmt.Errorf("results: points of %s: %w", key, err)
	}
	if err := regular.Folder(filepath.Join(dir, PointsFolder)); err != nil {
		return fmt.Errorf("results: %w", err)
	}
	if err := WriteAtomic(pointsPath(dir, key), text.Bytes()); err != nil {
		return fmt.Errorf("results: points of %s: %w", key, err)
	}
	return nil
}

func coordinate(v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', 6, 64)
}

// ReadPoints reads the points of the record of a key. Its error wraps
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
	if err == nil && (len(rows) == 0 || fmt.Sprint(rows[0]) != fmt.Sprint(pointsHeader)) {
		err = fmt.Errorf("the columns are not %v", pointsHeader)
	}
	var p Points
	for i := 1; i < len(rows) && err == nil; i++ {
		err = p.add(rows[i])
	}
	if err != nil {
		return Points{}, fmt.Errorf("results: %s: broken points: %w; delete the file and run the experiment again", path, err)
	}
	return p, nil
}

// add reads a row; a column is empty in all rows or in none, but for second
// coordinates.
func (p *Points) add(row []string) error {
	var v [4]float64
	for i, text := range row[:4] {
		v[i] = math.NaN()
		if text == "" {
			continue
		}
		x, err := strconv.ParseFloat(text, 64)
		if err != nil || !plain.Finite(x) {
			return fmt.Errorf("%q is no coordinate", text)
		}
		v[i] = x
	}
	p.Input = append(p.Input, [2]float64{v[0], v[1]})
	if row[2] != "" {
		p.Image = append(p.Image, [2]float64{v[2], v[3]})
	}
	for i, list := range []*[]int{&p.Class, &p.Cluster} {
		if text := row[4+i]; text != "" {
			label, err := strconv.Atoi(text)
			if err != nil {
				return fmt.Errorf("%q is no label", text)
			}
			*list = append(*list, label)
		}
	}
	n := len(p.Input)
	if p.Image != nil && len(p.Image) != n || p.Class != nil && len(p.Class) != n || p.Cluster != nil && len(p.Cluster) != n {
		return errors.New("a column is empty in some rows and not in others")
	}
	return nil
}
