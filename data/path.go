package data

import (
	"fmt"
	"path"
	"path/filepath"
	"strings"
)

// maxPath is the longest path of a file that a spec names, in bytes.
const maxPath = 1024

// checkPath refuses a path of a spec that could lead out of the spec's directory
// or $MERCER_DATA on any system: absolute ones, those with .. that climb out, and
// separators and drives of Windows. Links in the directory are its owner's matter.
func checkPath(key, name string) error {
	const advice = "name a file below the spec's directory, or set MERCER_DATA to the directory of your data and name a file below that"
	switch {
	case name == "":
		return nil
	case len(name) > maxPath:
		return fmt.Errorf("%s: %d bytes long; at most %d are taken", key, len(name), maxPath)
	case strings.ContainsRune(name, 0):
		return fmt.Errorf("%s: %q holds a zero byte", key, name)
	case strings.ContainsRune(name, '\\'):
		return fmt.Errorf("%s: %q has a backslash: folders are parted by /", key, name)
	case path.IsAbs(name), filepath.IsAbs(name), len(name) > 1 && name[1] == ':', !filepath.IsLocal(filepath.FromSlash(name)):
		return fmt.Errorf("%s: %q leads out of the spec's directory: %s", key, name, advice)
	}
	return nil
}
