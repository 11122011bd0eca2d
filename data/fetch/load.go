package fetch

import (
	"fmt"
	"io"

	"mercer/data/files"
)

// Load gets a data set and reads it, as the opener says; scale divides the pixels of images by
// 255. Where it has no test part, train has all points and test is the empty Table; classes
// have the same codes in both. Images stay in their files (files.FilePool); the others are
// float64 in memory.
//
// It fails as Get does, and where scale is set for a data set without pixels.
func Load(from files.Opener, name string, scale bool, log io.Writer) (train, test files.Table, err error) {
	paths, err := Get(from.Context, name, log)
	if err != nil {
		return train, test, err
	}
	set, err := find(catalog, name)
	if err != nil {
		return train, test, err
	}
	if scale && !set.images {
		return train, test, fmt.Errorf("%s: has no pixels to scale", name)
	}
	parts, err := set.read(from, paths, scale)
	if err != nil || len(parts) == 1 {
		return append(parts, files.Table{})[0], files.Table{}, err
	}
	both := files.Align(parts[0], parts[1])
	return both[0], both[1], nil
}

// read are the parts of a data set, train before test; none beside an error.
func (d dataset) read(from files.Opener, paths map[string]string, scale bool) ([]files.Table, error) {
	var parts []files.Table
	path := func(i int) string { return paths[d.files[i].name] }
	for i := 0; i < len(d.files); i++ {
		var part files.Table
		var err error
		if d.images {
			part, err = from.OpenArrays(path(i), path(i+1), "", scale)
			i++
		} else {
			part, err = from.LoadCSV(path(i), d.csv)
		}
		if err == nil && part.Dim() != d.d {
			err = fmt.Errorf("%s: %d numeric columns, want %d. %s", path(i), part.Dim(), d.d, d.own)
		}
		if err != nil {
			return nil, err
		}
		parts = append(parts, part)
	}
	return parts, nil
}
