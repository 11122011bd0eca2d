package report

import (
	"cmp"
	"slices"
	"strings"
	"text/template"

	"mercer/configs"
	"mercer/internal/claims"
	"mercer/internal/lists"
	"mercer/internal/plain"
	"mercer/internal/sizes"
	"mercer/internal/theory"
	"mercer/report/format"
	"mercer/results"
)

// Check is a claim, or a check, of an experiment on a theorem. Its words are in theorems.tmpl.
type Check struct {
	Experiment string `json:"experiment"`
	Claim      string `json:"claim"`
	OfCode     bool   `json:"check,omitempty"` // it tests the code, not the theorem
	Of         string `json:"of"`              // the quantity judged
	// Substitute says that the quantity is not the theorem's own metric.
	Substitute bool `json:"substitute,omitempty"`
	// Outcomes are those of the groups of the reference run; none where no reference run is kept.
	Outcomes []GroupsOf `json:"outcomes,omitempty"`
	Groups   int        `json:"groups,omitempty"`
	// Tightness is the least and the greatest measured/bound of its groups, of a bound from
	// below bound/measured, and Trivial bound/trivial of their cells. Informative of Cells
	// are not vacuous.
	Tightness   []float64 `json:"tightness,omitempty"`
	Below       bool      `json:"below,omitempty"`
	Trivial     []float64 `json:"trivial,omitempty"`
	Informative int       `json:"informative,omitempty"`
	Cells       int       `json:"cells,omitempty"`
	// Of other claims, where they were judged: the estimates, what is claimed of them, and
	// the sizes that a slope was fitted over, or that the cells have: the first that they
	// name.
	Estimate []float64 `json:"estimate,omitempty"`
	Noun     string    `json:"noun,omitempty"`
	Relation string    `json:"relation,omitempty"`
	Target   []float64 `json:"target,omitempty"`
	Over     string    `json:"over,omitempty"`
	Sizes    []float64 `json:"sizes,omitempty"`
}

// GroupsOf is the number of groups with an outcome in words.
type GroupsOf struct {
	Outcome string `json:"outcome"`
	Groups  int    `json:"groups"`
}

// CheckOf is what the verdicts on a claim say together of its theorem. Those on another
// theorem are of an older spec and do not count.
func CheckOf(experiment string, claim configs.Claim, t theory.Theorem, verdicts []claims.Verdict) Check {
	_, kind := claim.Kind()
	check := Check{Experiment: experiment, Claim: claim.ID, OfCode: claim.Check, Of: cmp.Or(kind.Quantity().Text, t.Metric), Substitute: !direct(kind.Quantity(), t.Metric)}
	own := lists.Where(verdicts, func(v claims.Verdict) bool { return v.Claim == claim.ID && v.Theorem == t.Key })
	check.Groups = len(own)
	for _, words := range claims.Outcomes {
		if n := len(lists.Where(own, func(v claims.Verdict) bool { return v.Words() == words })); n > 0 {
			check.Outcomes = append(check.Outcomes, GroupsOf{words, n})
		}
	}
	for _, v := range own {
		check.add(v)
	}
	return check
}

// add is with the numbers of one more verdict.
func (c *Check) add(v claims.Verdict) {
	if v.Tightness != nil {
		c.Tightness, c.Below = widened(c.Tightness, *v.Tightness), v.Below
	}
	if t := v.Trivial; t != nil {
		c.Cells, c.Informative = c.Cells+t.Cells, c.Informative+t.Cells-t.Vacuous
		if t.Low != nil {
			c.Trivial = widened(widened(c.Trivial, *t.Low), *t.High)
		}
	}
	if v.Kind == "bound" || v.Outcome == claims.NotApplicable || !plain.Finite(v.Estimate) || !plain.Finite(v.Target) {
		return
	}
	c.Noun, c.Relation, c.Over = v.Noun(), v.Relation, v.Over
	c.Estimate, c.Target = widened(c.Estimate, v.Estimate), widened(c.Target, v.Target)
	for _, p := range v.Points {
		c.Sizes = widened(c.Sizes, p.X)
	}
	for _, cell := range v.Cells {
		c.addSize(v.Group.Join(cell.Cell))
	}
}

// addSize widens the range of sizes by the first one that a cell names.
func (c *Check) addSize(cell results.Key) {
	for name, v := range cell.All() {
		if sizes.Is(name) {
			if v.Kind == configs.Number { // not so in an order over it, 500/250
				c.Over, c.Sizes = name, widened(c.Sizes, v.Number)
			}
			return
		}
	}
}

// direct says whether a quantity is about a theorem's metric: an expression over it, its
// exact floor and sizes alone. That of a bound is empty, and is the metric.
func direct(q configs.Quantity, metric string) bool {
	return !slices.ContainsFunc(q.Names(), func(name string) bool {
		return name != metric && name != metric+"_floor" && !sizes.Is(name)
	})
}

// ByDirectness has claims on the theorem's own metric come first, and checks of the code last.
func ByDirectness(a, b Check) int {
	rank := map[bool]int{true: 1}
	return cmp.Or(rank[a.OfCode]-rank[b.OfCode], rank[a.Substitute]-rank[b.Substitute])
}

// widened is the range that has a value too.
func widened(interval []float64, value float64) []float64 {
	if interval == nil {
		return []float64{value, value}
	}
	return []float64{min(interval[0], value), max(interval[1], value)}
}

// TheoremRow is a theorem with the claims that check it.
type TheoremRow struct {
	Key, Reference, Says string
	Checks               []Check
}

// theoremWords are the templates of theorems. A range is written once where its ends look the same.
var theoremWords = template.Must(template.New("").Funcs(template.FuncMap{
	"two": func(r []float64) string { return format.Range("%.2g", r[0], r[1]) }, "three": func(r []float64) string { return format.Range("%.3g", r[0], r[1]) },
	"sign": format.RelationSign, "counted": claims.Counted, "markdown": plain.Markdown, "cell": func(s string) string { return strings.ReplaceAll(s, "|", `\|`) },
}).ParseFS(templates, "templates/theorems.tmpl"))

// TheoremTable is a row a theorem, in Markdown. A cell has a line a claim.
func TheoremTable(list []TheoremRow) string { return theoremText("theorems", list) }

// String is the check on one line.
func (c Check) String() string { return theoremText("check", c) }

func theoremText(name string, about any) string {
	var text strings.Builder
	if err := theoremWords.ExecuteTemplate(&text, name, about); err != nil {
		panic(err) // into memory, of structs that the templates know
	}
	return text.String()
}
