package results

import "path/filepath"

// Holder says which process computes the run in dir, in words; "" if none is known to.
// One on another machine, or one that shares the process id of a dead one, is believed.
func Holder(dir string) string {
	o, named := readOwner(filepath.Join(dir, lockFile))
	if !named || o.gone() {
		return ""
	}
	return o.String()
}
