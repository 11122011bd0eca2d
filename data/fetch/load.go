package fetch

import (
	"context"
	"fmt"

	"mercer/data/files"
)

// LoadOptions says how files become points.
type LoadOptions struct {
	Options
	Scale  bool  // divide pixels by 255; for mnist and fashion-mnist alone
	Memory int64 // bytes that reading a file may take; 0: files.DefaultMemory
}

// Load gets a data set and reads it. train has all points of banknote and
// n-baiot, whose test is then the empty Table; classes have the same codes in
// both. Images stay bytes (files.BytePool: 47 MB for 60,000), and rows are
// converted when drawn; the others are float64.
//
// It fails as Get does, and if Scale is set for a data set without pixels.
func Load(ctx context.Context, name string, o LoadOptions) (train, test files.Table, err error) {
	paths, err := Get(ctx, name, o.Options)
	if err != nil {
		return train, test, err
	}
	if _, images := paths[trainImages]; o.Scale && !images {
		return train, test, fmt.Errorf("%s: has no pixels to scale; drop scale", name)
	}
	return read(files.Opener{Context: ctx, Memory: o.Memory}, name, paths, o.Scale)
}

func read(from files.Opener, name string, paths map[string]string, scale bool) (train, test files.Table, err error) {
	table := files.CSVOptions{Header: "false", Label: "-1", Comma: ","}
	switch name {
	case "mnist", "fashion-mnist":
		o := files.IDXOptions{Scale: scale}
		if train, err = from.LoadIDXTable(paths[trainImages], paths[trainLabels], o); err != nil {
			return files.Table{}, files.Table{}, err
		}
		test, err = from.LoadIDXTable(paths[testImages], paths[testLabels], o)
	case "avila":
		if train, err = from.LoadCSV(paths[avilaTrain], table); err != nil {
			return files.Table{}, files.Table{}, err
		}
		test, err = from.LoadCSV(paths[avilaTest], table)
	case "banknote":
		train, err = from.LoadCSV(paths[banknote], table)
		return train, test, err
	case "n-baiot":
		train, err = readNBaIoT(from, paths[nbaiot])
		return train, test, err
	default:
		return train, test, fmt.Errorf("no reader for the data set %q", name)
	}
	if err != nil {
		return files.Table{}, files.Table{}, err
	}
	both := files.Align(train, test)
	return both[0], both[1], nil
}

func readNBaIoT(from files.Opener, path string) (files.Table, error) {
	t, err := from.LoadCSV(path, files.CSVOptions{Header: "true", Label: "device", Comma: ","})
	if err != nil {
		return files.Table{}, err
	}
	set, err := find(catalog, "n-baiot")
	if err != nil {
		return files.Table{}, err
	}
	if t.Dim() != set.d {
		return files.Table{}, fmt.Errorf("%s: %d numeric columns, want %d. Expected: %s", path, t.Dim(), set.d, set.own)
	}
	return t, nil
}
