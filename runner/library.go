package runner

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"mercer/data/fetch"
	"mercer/internal/linalg"
	"mercer/internal/regular"
)

// blasLibrary is the file name and the SHA-256 of the BLAS library in use: builds of one
// version may round differently. Empty where there is none, or no file to be read.
func blasLibrary() string {
	file := linalg.LibraryFile()
	if file == "" {
		return ""
	}
	sum, err := librarySum(file)
	if err != nil {
		return ""
	}
	return filepath.Base(file) + " sha256:" + sum
}

// librarySum is the SHA-256 of a library, tens of MB, whose reading would take longer than
// the start of a run. It is kept in the cache directory, where there is one, by the
// library's path, size and time of change.
func librarySum(file string) (string, error) {
	info, err := os.Stat(file)
	if err != nil {
		return "", err
	}
	kept := ""
	if dir, err := fetch.CacheDir(); err == nil {
		key := sha256.Sum256(fmt.Appendf(nil, "%s\n%d\n%d", file, info.Size(), info.ModTime().UnixNano()))
		kept = filepath.Join(dir, "libraries", fmt.Sprintf("%x", key[:16]))
		if sum, err := regular.ReadFile(kept); err == nil && len(sum) == 2*sha256.Size {
			return string(sum), nil
		}
	}
	sum, err := fileSum(file)
	if err == nil && kept != "" && os.MkdirAll(filepath.Dir(kept), 0o777) == nil {
		_ = regular.Replace(kept, []byte(sum)) // without it the next run reads the library again
	}
	return sum, err
}

// fileSum is the SHA-256 of a file in hexadecimal.
func fileSum(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	hash := sha256.New()
	_, err = io.Copy(hash, file)
	if err = errors.Join(err, file.Close()); err != nil {
		return "", err
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}
