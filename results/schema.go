package results

import (
	"errors"
	"fmt"
)

// SchemaVersion is the version of the form of a run's files. A reader refuses another one
// and says what to do.
const SchemaVersion = 2

// errSchema is wrapped by the errors that refuse files of another version.
var errSchema = errors.New("written by another version of mercer")

// checkSchema refuses what another version wrote.
func checkSchema(version int) error {
	switch {
	case version > SchemaVersion:
		return fmt.Errorf("schema %d, but this program reads schema %d: %w; update mercer to read it",
			version, SchemaVersion, errSchema)
	case version < SchemaVersion:
		return fmt.Errorf("schema %d, but this program reads schema %d: %w; remove its folder and make the run anew",
			version, SchemaVersion, errSchema)
	}
	return nil
}
