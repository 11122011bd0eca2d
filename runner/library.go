package runner

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"

	"mercer/internal/linalg"
)

// blasLibrary is the file name and the SHA-256 of the BLAS library in use: builds of one
// version may round differently. Empty where there is none, or no file to be read.
func blasLibrary() string {
	file := linalg.LibraryFile()
	text, err := os.ReadFile(file)
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%s sha256:%x", filepath.Base(file), sha256.Sum256(text))
}
