package main

import (
	"fmt"
	"strings"
)

const heading = `# Mistakes on purpose

` + "`make mutants`" + ` makes each of these mistakes in mercer, one at a time, and writes this
table. Tests are those of the packages that are named in ` + "`internal/mutants/list.go`" + `, until
one fails. Smoke verdicts are the claims that are violated in smoke runs of the
experiments named there, and compare is where ` + "`mercer compare`" + ` finds a regression of
these runs against results/reference. "None of" names what was asked in vain.

| mistake | tests | smoke verdicts | compare |
|---|---|---|---|
`

// table is docs/mutants.md.
func table(findings []finding) string {
	var b strings.Builder
	b.WriteString(heading)
	all, alone := map[string]int{}, map[string][]string{}
	for _, f := range findings {
		fmt.Fprintf(&b, "| %s: %s | %s | %s | %s |\n", f.Name, f.Says, f.Tests, f.Verdicts, f.Compare)
		kinds := f.noticed()
		for _, kind := range kinds {
			all[kind]++
		}
		switch len(kinds) {
		case 0:
			alone["nothing"] = append(alone["nothing"], f.Name)
		case 1:
			alone[kinds[0]] = append(alone[kinds[0]], f.Name)
		}
	}
	fmt.Fprintf(&b, "\nOf %d mistakes tests notice %d, smoke verdicts %d and compare %d; %d escape.\n",
		len(findings), all[byTests], all[byVerdicts], all[byCompare], len(alone["nothing"]))
	for _, kind := range []string{byTests, byVerdicts, byCompare, "nothing"} {
		if names := alone[kind]; names != nil {
			fmt.Fprintf(&b, "\nNoticed by %s alone: %s.\n", kind, strings.Join(names, ", "))
		}
	}
	return strings.Replace(b.String(), "Noticed by nothing alone", "Noticed by nothing", 1)
}
