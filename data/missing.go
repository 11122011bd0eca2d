package data

import (
	"errors"
	"io/fs"

	"mercer/data/fetch"
)

// Missing says that a data set could not be opened because its data are not to
// be had here: no source gives them, or the file is not there. Data that are
// there and wrong are not missing.
func Missing(err error) bool {
	if errors.As(err, new(*fetch.ChecksumError)) {
		return false
	}
	return errors.As(err, new(*fetch.Error)) || errors.Is(err, fs.ErrNotExist)
}
