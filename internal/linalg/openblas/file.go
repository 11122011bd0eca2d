package openblas

import "path/filepath"

// File is the file that the library's code comes from, without links; empty where the
// system does not tell it, or keeps the library in no file of its own, as macOS does
// with Accelerate.
func (l *Library) File() string {
	file, err := filepath.EvalSymlinks(fileOf(l.address[dgemm]))
	if err != nil || file == "." {
		return ""
	}
	return file
}
