package results

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"mercer/internal/regular"
)

const (
	// PointsFolder is where a run directory keeps points, in a file <id>.json for
	// each row that has some.
	PointsFolder = "points"
	// MaxPoints is how many points of a cell are kept.
	MaxPoints = 1000
)

// Points are the first points of a cell's sample, for figures: where they lie,
// and where the cell's method puts them. A second coordinate that there is not is 0.
type Points struct {
	Input [][2]float64 `json:"input"`           // the first two coordinates in input space
	Image [][2]float64 `json:"image,omitempty"` // the first two that the method gives; nil where it gives none
	Class []int        `json:"class,omitempty"` // of the data set; nil for none
}

func pointsPath(dir, id string) string { return filepath.Join(dir, PointsFolder, id+".json") }

// fileID says whether an id, which may come from a file that another program
// wrote, is a file name that stays in its folder.
func fileID(id string) bool {
	return id != "" && len(id) <= 128 && id[0] != '.' && !strings.ContainsAny(id, "/\\:\x00")
}

// HasPoints says whether the run in dir keeps points of the row of an id.
func HasPoints(dir, id string) bool {
	if !fileID(id) {
		return false
	}
	info, err := os.Stat(pointsPath(dir, id))
	return err == nil && info.Mode().IsRegular()
}

// check refuses lists of different lengths.
func (p Points) check() error {
	for _, length := range []int{len(p.Image), len(p.Class)} {
		if length != 0 && length != len(p.Input) {
			return fmt.Errorf("%d images or classes of %d points", length, len(p.Input))
		}
	}
	return nil
}

// WritePoints keeps the points of the row of an id in the run directory dir, in one step: a
// reader, and a run that goes on after a kill, finds all of them or none.
func WritePoints(dir, id string, p Points) error {
	if !fileID(id) {
		return fmt.Errorf("results: points of %q: the id is no file name", id)
	}
	text, err := json.Marshal(p)
	if err == nil {
		err = regular.Folder(filepath.Join(dir, PointsFolder))
	}
	if err == nil {
		err = WriteAtomic(pointsPath(dir, id), text)
	}
	if err != nil {
		return fmt.Errorf("results: points of %q: %w", id, err)
	}
	return nil
}

// ReadPoints reads the points of the row of an id. Its error wraps [os.ErrNotExist] where
// there are none; it fails on a file that [WritePoints] did not write.
func ReadPoints(dir, id string) (Points, error) {
	if !fileID(id) {
		return Points{}, fmt.Errorf("results: points of %q: the id is no file name: %w", id, os.ErrNotExist)
	}
	text, err := regular.ReadFile(pointsPath(dir, id))
	if err != nil {
		return Points{}, fmt.Errorf("results: %w", err)
	}
	var p Points
	if err = json.Unmarshal(text, &p); err == nil {
		err = p.check()
	}
	if err != nil {
		return Points{}, fmt.Errorf("results: %s: broken points: %w; delete the file and run the experiment again", pointsPath(dir, id), err)
	}
	return p, nil
}
