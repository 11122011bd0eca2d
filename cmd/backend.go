package cmd

import (
	"fmt"
	"io"

	"mercer/internal/linalg"
)

// useBackEnd chooses the back end of linear algebra, and says why where a library that is
// installed is not used.
func useBackEnd(w io.Writer) error {
	info, err := linalg.Use()
	if info.Path == "" {
		for _, warning := range info.Warnings {
			fmt.Fprintf(w, "note: %s; mercer's own routines are used\n", warning)
		}
	}
	return usage(err)
}
