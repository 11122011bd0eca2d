package results

import (
	"fmt"

	"mercer/internal/regular"
)

// WriteAtomic is [regular.Replace], with an error of this package.
func WriteAtomic(path string, text []byte) error {
	if err := regular.Replace(path, text); err != nil {
		return fmt.Errorf("results: %w", err)
	}
	return nil
}
