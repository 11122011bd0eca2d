package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"mercer/configs"
	"mercer/internal/claims"
	"mercer/internal/plain"
	"mercer/internal/sizes"
	"mercer/internal/theory"
	"mercer/report/format"
	"mercer/results"
)

// Check is a claim, or a check, of an experiment on a theorem.
type Check struct {
	Experiment string `json:"experiment"`
	Claim      string `json:"claim"`
	OfCode     bool   `json:"check,omitempty"` // it tests the code, not the theorem
	Of         string `json:"of"`              // the quantity judged
	// Substitute says that the quantity is not the theorem's own metric.
	Substitute bool `json:"substitute,omitempty"`
	// Verdict is that of the reference run: one outcome, or how often each came;
	// empty where no reference run is kept.
	Verdict string `json:"verdict,omitempty"`
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
	// name. Of a parameter that a theorem leaves open, in how many cells it was sought.
	Estimate []float64 `json:"estimate,omitempty"`
	Noun     string    `json:"noun,omitempty"`
	Relation string    `json:"relation,omitempty"`
	Target   []float64 `json:"target,omitempty"`
	Factor   string    `json:"factor,omitempty"` // of a law: a power of the logarithm
	Over     string    `json:"over,omitempty"`
	Sizes    []float64 `json:"sizes,omitempty"`
	Sought   int       `json:"sought,omitempty"`
}

// notRun stands for the verdict of a claim without a reference run.
const notRun = "not run"

// CheckOf is what the verdicts on a claim say together of its theorem. Those on another
// theorem are of an older spec and do not count.
func CheckOf(experiment string, claim configs.Claim, t theory.Theorem, verdicts []claims.Verdict) Check {
	_, kind := claim.Kind()
	check := Check{Experiment: experiment, Claim: claim.ID, OfCode: claim.Check, Of: cmp.Or(kind.Quantity().Text, t.Metric), Substitute: !direct(kind.Quantity(), t.Metric)}
	counts, groups := map[string]int{}, 0
	for _, v := range verdicts {
		if v.Claim != claim.ID || v.Theorem != t.Key {
			continue
		}
		groups++
		counts[v.Words()]++
		check.add(v)
	}
	var words []string
	for _, o := range []string{string(claims.Holds), claims.HoldsVacuous, string(claims.Violated), string(claims.Inconclusive), string(claims.NotApplicable)} {
		switch counts[o] {
		case 0:
		case groups:
			check.Verdict = o
			return check
		default:
			words = append(words, fmt.Sprintf("%s in %d", claims.Counted(o), counts[o]))
		}
	}
	if groups > 0 {
		check.Verdict = fmt.Sprintf("%s of %d groups", strings.Join(words, ", "), groups)
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
	if v.Parameter != nil {
		c.Noun, c.Estimate = "smallest "+v.Parameter.Name, widened(c.Estimate, v.Parameter.Smallest)
		if v.Conditions != nil {
			c.Sought += v.Conditions.Applicable
		}
	}
	if v.Kind == "bound" || v.Outcome == claims.NotApplicable || !plain.Finite(v.Estimate) || !plain.Finite(v.Target) {
		return
	}
	c.Noun, c.Relation, c.Over, c.Factor = v.Noun(), v.Relation, v.Over, v.Factor()
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

// measured is what was found of a theorem: how tight its bound is, or the estimate beside
// what is claimed.
func (c Check) measured() string {
	switch {
	case c.Tightness != nil && c.Below:
		return "bound/measured " + rangeText(c.Tightness)
	case c.Tightness != nil:
		return "measured/bound " + rangeText(c.Tightness)
	case c.Estimate != nil && c.Target == nil:
		return c.Noun + " " + decimals(c.Estimate)
	case c.Estimate != nil:
		return fmt.Sprintf("%s %s, claimed %s %s%s", c.Noun, decimals(c.Estimate), format.RelationSign(c.Relation), decimals(c.Target), c.Factor)
	}
	return ""
}

// where is how far a bound says something, or the sizes of what else was judged.
func (c Check) where() string {
	switch {
	case c.Trivial != nil && c.Trivial[0] >= 1:
		return "bound/trivial " + rangeText(c.Trivial) + ": vacuous at all sizes"
	case c.Trivial != nil:
		return "bound/trivial " + rangeText(c.Trivial)
	case c.Cells > 0:
		return fmt.Sprintf("informative in %d of %d cells", c.Informative, c.Cells)
	case c.Sizes != nil:
		return c.Over + " " + decimals(c.Sizes)
	case c.Sought > 0:
		return fmt.Sprintf("%d cells", c.Sought)
	}
	return ""
}

// decimals is a range to three digits.
func decimals(interval []float64) string { return rangeIn("%.3g", interval) }

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

func (c Check) verdict() string { return cmp.Or(c.Verdict, notRun) }

// name is the claim's id, and that it is a check.
func (c Check) name() string {
	if c.OfCode {
		return "check " + c.Claim
	}
	return c.Claim
}

// quantity is what was judged, for the table.
func (c Check) quantity() string {
	text := "`" + strings.ReplaceAll(c.Of, "|", `\|`) + "`"
	if c.Substitute {
		text = "substitute " + text
	}
	return text
}

// rangeText is a range to two digits.
func rangeText(interval []float64) string { return rangeIn("%.2g", interval) }

func rangeIn(verb string, interval []float64) string {
	low, high := fmt.Sprintf(verb, interval[0]), fmt.Sprintf(verb, interval[1])
	if low == high {
		return low
	}
	return low + " to " + high
}

// String is the check on one line.
func (c Check) String() string {
	text := fmt.Sprintf("%s of %s, on %s: %s", c.name(), c.Experiment, c.Of, c.verdict())
	if c.Substitute {
		text = fmt.Sprintf("%s of %s, on a substitute, %s: %s", c.name(), c.Experiment, c.Of, c.verdict())
	}
	for _, more := range []string{c.measured(), c.where()} {
		if more != "" {
			text += ", " + more
		}
	}
	return text
}

// TheoremRow is a theorem with the claims that check it.
type TheoremRow struct {
	Key, Reference, Says string
	Checks               []Check
}

// TheoremTable is a row a theorem, in Markdown. A cell has a line a claim.
func TheoremTable(list []TheoremRow) string {
	var text strings.Builder
	text.WriteString("| Theorem | Says | Checked by | Quantity | Verdict | Measured | Bound/trivial, or sizes |\n| :-- | :-- | :-- | :-- | :-- | :-- | :-- |\n")
	for _, i := range list {
		var by, of, verdicts, measured, where []string
		for _, c := range i.Checks {
			by = append(by, fmt.Sprintf("`%s`: %s", c.Experiment, c.name()))
			of = append(of, c.quantity())
			verdicts = append(verdicts, c.verdict())
			measured = append(measured, c.measured())
			where = append(where, c.where())
		}
		fmt.Fprintf(&text, "| %s, `%s` | %s | %s | %s | %s | %s | %s |\n", i.Reference, i.Key, plain.Markdown(i.Says),
			strings.Join(by, "<br>"), strings.Join(of, "<br>"), strings.Join(verdicts, "<br>"), strings.Join(measured, "<br>"), strings.Join(where, "<br>"))
	}
	return text.String()
}
