package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"mercer/configs"
	"mercer/internal/claims"
	"mercer/internal/plain"
	"mercer/internal/theory"
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
	// Tightness is the least and the greatest measured/bound of its groups, Trivial
	// bound/trivial of their cells.
	Tightness []float64 `json:"tightness,omitempty"`
	Trivial   []float64 `json:"trivial,omitempty"`
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
		if v.Tightness != nil {
			check.Tightness = widened(check.Tightness, *v.Tightness)
		}
		if v.Trivial != nil && v.Trivial.Low != nil {
			check.Trivial = widened(widened(check.Trivial, *v.Trivial.Low), *v.Trivial.High)
		}
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

// direct says whether a quantity is about a theorem's metric: an expression over it and
// its exact floor alone. That of a bound is empty, and is the metric.
func direct(q configs.Quantity, metric string) bool {
	return !slices.ContainsFunc(q.Names(), func(name string) bool { return name != metric && name != metric+"_floor" })
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
func rangeText(interval []float64) string {
	if interval == nil {
		return ""
	}
	low, high := fmt.Sprintf("%.2g", interval[0]), fmt.Sprintf("%.2g", interval[1])
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
	if c.Tightness != nil {
		text += ", measured/bound " + rangeText(c.Tightness)
	}
	if c.Trivial != nil {
		text += ", bound/trivial " + rangeText(c.Trivial)
	}
	return text
}

// TheoremRow is a theorem with the claims that check it.
type TheoremRow struct {
	Key, Reference, Says string
	Checks               []Check
}

// TheoremTable writes a row a theorem, in Markdown. A cell has a line a claim.
func TheoremTable(w io.Writer, list []TheoremRow) error {
	var text strings.Builder
	text.WriteString("| Theorem | Says | Checked by | Quantity | Verdict | Measured / bound | Bound / trivial |\n| :-- | :-- | :-- | :-- | :-- | :-- | :-- |\n")
	for _, i := range list {
		var by, of, verdicts, tightness, trivial []string
		for _, c := range i.Checks {
			by = append(by, fmt.Sprintf("`%s`: %s", c.Experiment, c.name()))
			of = append(of, c.quantity())
			verdicts = append(verdicts, c.verdict())
			tightness = append(tightness, rangeText(c.Tightness))
			trivial = append(trivial, rangeText(c.Trivial))
		}
		fmt.Fprintf(&text, "| %s, `%s` | %s | %s | %s | %s | %s | %s |\n", i.Reference, i.Key, plain.Markdown(i.Says),
			strings.Join(by, "<br>"), strings.Join(of, "<br>"), strings.Join(verdicts, "<br>"), strings.Join(tightness, "<br>"), strings.Join(trivial, "<br>"))
	}
	_, err := io.WriteString(w, text.String())
	return err
}
