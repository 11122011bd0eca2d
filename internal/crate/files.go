package crate

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// file is one of a crate.
type file struct {
	path   string // with slashes, below the crate
	size   int64
	sha256 string
}

// filesOf lists the files below a crate's folder, in the order of their paths, without
// its metadata. The folder itself may be a link. In it, what is neither a folder nor a
// regular file has no hash: a link may lead out of the crate.
func filesOf(dir string) ([]file, error) {
	var files []file
	root, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil, fmt.Errorf("crate: %w", err)
	}
	err = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil || name == MetadataFile {
			return err
		}
		var f file
		if entry.Type().IsRegular() {
			f, err = hashed(path)
		}
		f.path = filepath.ToSlash(name)
		files = append(files, f)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("crate %s: %w", dir, err)
	}
	return files, nil
}

// hashed is the size and the hash of a file.
func hashed(path string) (file, error) {
	in, err := os.Open(path)
	if err != nil {
		return file{}, err
	}
	hash := sha256.New()
	size, err := io.Copy(hash, in)
	return file{size: size, sha256: hex.EncodeToString(hash.Sum(nil))}, errors.Join(err, in.Close())
}
