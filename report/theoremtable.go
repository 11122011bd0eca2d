package report

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"strings"

	"mercer/internal/claims"
)

// Check is a claim of an experiment that checks a theorem.
type Check struct {
	Experiment string `json:"experiment"`
	Claim      string `json:"claim"`
	// Verdict is that of the reference run: one outcome, or how often each came;
	// empty where no reference run is kept.
	Verdict string `json:"verdict,omitempty"`
	// Tightness is the least and the greatest measured/bound of its groups.
	Tightness []float64 `json:"tightness,omitempty"`
}

// notRun stands for the verdict of a claim without a reference run.
const notRun = "not run"

// CheckOf is what the verdicts on a claim say together. Those on another theorem
// are of an older spec and do not count.
func CheckOf(experiment, claim, theorem string, verdicts []claims.Verdict) Check {
	check := Check{Experiment: experiment, Claim: claim}
	var mine []claims.Verdict
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range verdicts {
		if v.Claim != claim || v.Theorem != theorem {
			continue
		}
		mine = append(mine, v)
		if v.Tightness != nil {
			low, high = math.Min(low, *v.Tightness), math.Max(high, *v.Tightness)
		}
	}
	if len(mine) == 0 {
		return check
	}
	if low <= high {
		check.Tightness = []float64{low, high}
	}
	counts := claims.Counts(mine)
	var words []string
	for _, o := range []claims.Outcome{claims.Holds, claims.Violated, claims.Inconclusive, claims.NotApplicable} {
		switch counts[o] {
		case 0:
		case len(mine):
			check.Verdict = string(o)
			return check
		default:
			words = append(words, fmt.Sprintf("%s in %d", o, counts[o]))
		}
	}
	check.Verdict = fmt.Sprintf("%s of %d groups", strings.Join(words, ", "), len(mine))
	return check
}

func (c Check) verdict() string { return cmp.Or(c.Verdict, notRun) }

func (c Check) tightness() string {
	switch {
	case c.Tightness == nil:
		return ""
	case fmt.Sprintf("%.2g", c.Tightness[0]) == fmt.Sprintf("%.2g", c.Tightness[1]):
		return fmt.Sprintf("%.2g", c.Tightness[0])
	}
	return fmt.Sprintf("%.2g to %.2g", c.Tightness[0], c.Tightness[1])
}

// String is the check on one line.
func (c Check) String() string {
	text := fmt.Sprintf("%s of %s: %s", c.Claim, c.Experiment, c.verdict())
	if c.Tightness != nil {
		text += ", measured/bound " + c.tightness()
	}
	return text
}

// TheoremRow is a theorem with the claims that check it.
type TheoremRow struct {
	Key, Reference, Says string
	Checks               []Check
}

// TheoremTable writes a row a theorem, in Markdown.
func TheoremTable(w io.Writer, list []TheoremRow) error {
	var text strings.Builder
	text.WriteString("| Theorem | Says | Checked by | Verdict | Measured / bound |\n| :-- | :-- | :-- | :-- | :-- |\n")
	for _, i := range list {
		var by, verdicts, tightness []string
		for _, c := range i.Checks {
			by = append(by, fmt.Sprintf("`%s`: %s", c.Experiment, c.Claim))
			verdicts = append(verdicts, c.verdict())
			tightness = append(tightness, c.tightness())
		}
		fmt.Fprintf(&text, "| %s, `%s` | %s | %s | %s | %s |\n", i.Reference, i.Key, escapeMarkdown.Replace(i.Says),
			strings.Join(by, "<br>"), strings.Join(verdicts, "<br>"), strings.Join(tightness, "<br>"))
	}
	_, err := io.WriteString(w, text.String())
	return err
}

var escapeMarkdown = strings.NewReplacer(`\`, `\\`, `|`, `\|`, `*`, `\*`, `_`, `\_`, "`", "\\`", `<`, `\<`)
