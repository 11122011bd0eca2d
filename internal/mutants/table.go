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
	one, escaped := map[string][]string{}, []string{}
	for _, f := range findings {
		fmt.Fprintf(&b, "| %s: %s | %s | %s | %s |\n", f.Name, f.Says, f.Tests, f.Verdicts, f.Compare)
		switch kinds := f.noticed(); len(kinds) {
		case 0:
			escaped = append(escaped, f.Name)
		case 1:
			one[kinds[0]] = append(one[kinds[0]], f.Name)
		}
	}
	fmt.Fprintf(&b, "\n%d mistakes, of which %d escape all three", len(findings), len(escaped))
	fmt.Fprintf(&b, "%s.\n", listed(escaped))
	for _, kind := range []string{"tests", "smoke verdicts", "compare"} {
		fmt.Fprintf(&b, "\nCaught by %s alone: %d%s.\n", kind, len(one[kind]), listed(one[kind]))
	}
	return b.String()
}

func listed(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return ": " + strings.Join(names, ", ")
}
