package sections

import (
	"slices"

	"mercer/report/page"
	"mercer/results"
)

// document is a page in the making, with what is known of its run.
type document struct {
	page.Page
	variables []string // of the run, once they have been asked for
}

// variablesOf asks once.
func (p *document) variablesOf(run results.Run) []string {
	if p.variables == nil {
		p.variables = variablesOf(run)
	}
	return p.variables
}

// variablesOf are the grid variables: those of the manifest in its order, then
// any others that the records have, by name.
func variablesOf(run results.Run) []string {
	names := slices.Clone(run.Manifest.Variables)
	for _, name := range results.PointNames(run.Records) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}
