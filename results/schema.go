package results

import (
	"errors"
	"fmt"
)

// SchemaVersion is the version of the record's JSON form. A reader refuses a
// newer one and says so.
const SchemaVersion = 1

// errSchema is wrapped by the errors that refuse a record or manifest written
// by a newer program.
var errSchema = errors.New("written by a newer mercer")

// checkSchema refuses what a newer program wrote, and what none did.
func checkSchema(version int) error {
	switch {
	case version > SchemaVersion:
		return fmt.Errorf("schema %d, but this program reads schemas up to %d: %w; update mercer to read it",
			version, SchemaVersion, errSchema)
	case version < 1:
		return fmt.Errorf("schema %d is none: the first is 1", version)
	}
	return nil
}
