package claims

import (
	"fmt"

	"mercer/internal/lists"
)

// lostDoubt doubts what the other repeats say where some give no value, with the reason of
// each: if failure depends on the draw, the repeats that do not fail follow another law than
// the claim is about.
func lostDoubt(reasons []string, repeats int) Doubt {
	var often []string
	groups := lists.By(reasons, func(reason string) string { return reason })
	for _, same := range groups {
		if len(same) > len(often) {
			often = same
		}
	}

	why := often[0]
	if len(groups) > 1 {
		why = fmt.Sprintf("%d of them %s", len(often), why)
	}
	return Doubt{fmt.Sprintf("%d of %d repeats give no value: %s", len(reasons), repeats, why),
		runAgain + "; or, if no failure depends on the draw, `failures: ignore` in the claim"}
}
