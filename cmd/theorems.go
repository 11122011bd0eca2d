package cmd

import (
	"strings"

	"mercer/theory"
)

// theoremItems lists the theorems in the order of the papers.
func theoremItems() []item {
	var list []item
	for _, key := range theory.Keys() {
		t := theory.Registry[key]
		list = append(list, item{Name: key, Doc: t.Says, Reference: t.Reference, About: t.Metric + " of " + strings.Join(t.Methods, ", ")})
	}
	return list
}
