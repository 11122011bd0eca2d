package results

import "embed"

//go:embed reference/*/verdicts.json
var reference embed.FS

// ReferenceVerdicts is the JSON text of the verdicts of an experiment's full run
// that are kept in results/reference; false where there are none.
func ReferenceVerdicts(experiment string) ([]byte, bool) {
	text, err := reference.ReadFile("reference/" + experiment + "/verdicts.json")
	return text, err == nil
}
