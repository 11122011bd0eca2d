package claims

import (
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

	return doubt("repeats_lost", "lost", len(reasons), "repeats", repeats, "often", len(often), "why", often[0])
}
