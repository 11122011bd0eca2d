package fetch

import (
	"context"
	"fmt"

	"mercer/data/files"
)

// LoadOptions says how files become points.
type LoadOptions struct {
	Options
	Scale  bool  // divide pixels by 255; for images alone
	Memory int64 // bytes that reading a file may take; 0: files.DefaultMemory
}

// Load gets a data set and reads it. Where it has no test part, train has all points
// and test is the empty Table; classes have the same codes in both. Images stay in their files (files.FilePool); the
// others are float64 in memory.
//
// It fails as Get does, and if Scale is set for a data set without pixels.
func Load(ctx context.Context, name string, o LoadOptions) (train, test files.Table, err error) {
	paths, err := Get(ctx, name, o.Options)
	if err != nil {
		return train, test, err
	}
	set, err := find(catalog, name)
	if err != nil {
		return train, test, err
	}
	if o.Scale && !set.images {
		return train, test, fmt.Errorf("%s: has no pixels to scale; drop scale", name)
	}
	parts, err := set.read(files.Opener{Context: ctx, Memory: o.Memory}, paths, o.Scale)
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
			part, err = from.OpenArrays(path(i), path(i+1), scale)
			i++
		} else {
			part, err = from.LoadCSV(path(i), d.csv)
		}
		if err == nil && part.Dim() != d.d {
			err = fmt.Errorf("%s: %d numeric columns, want %d. Expected: %s", path(i), part.Dim(), d.d, d.own)
		}
		if err != nil {
			return nil, err
		}
		parts = append(parts, part)
	}
	return parts, nil
}
