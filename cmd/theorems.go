package cmd

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"

	"mercer/experiments"
	"mercer/internal/claims"
	"mercer/internal/theory"
	"mercer/results"
)

// check is a claim of an experiment that checks a theorem.
type check struct {
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

// theoremItems lists the theorems in the order of the papers.
func theoremItems() []item {
	checks := map[string][]check{}
	for _, name := range experiments.Names() {
		if err := addChecks(checks, name); err != nil {
			panic(err) // compiled in and tested
		}
	}
	var list []item
	for _, key := range theory.Keys() {
		t := theory.Registry[key]
		list = append(list, item{Name: key, Doc: t.Says, Reference: t.Reference,
			About: t.Metric + " of " + strings.Join(t.Methods, ", "), Checks: checks[key]})
	}
	return list
}

// addChecks adds an experiment's claims on theorems, by theorem.
func addChecks(checks map[string][]check, experiment string) error {
	spec, err := readExperiment(experiment)
	if err != nil {
		return err
	}
	var verdicts []claims.Verdict
	if text, ok := results.ReferenceVerdicts(experiment); ok {
		if err := json.Unmarshal(text, &verdicts); err != nil {
			return fmt.Errorf("reference verdicts of %s: %w", experiment, err)
		}
	}
	for _, c := range spec.Claims {
		if key := c.Checks().Value; key != "" {
			one := check{Experiment: experiment, Claim: c.ID}
			one.Verdict, one.Tightness = summary(verdicts, c.ID, key)
			checks[key] = append(checks[key], one)
		}
	}
	return nil
}

// summary is what the verdicts on a claim say together. Those on another theorem
// are of an older spec and do not count.
func summary(verdicts []claims.Verdict, claim, theorem string) (verdict string, tightness []float64) {
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
		return "", nil
	}
	if low <= high {
		tightness = []float64{low, high}
	}
	counts := claims.Counts(mine)
	var words []string
	for _, o := range []claims.Outcome{claims.Holds, claims.Violated, claims.Inconclusive, claims.NotApplicable} {
		switch counts[o] {
		case 0:
		case len(mine):
			return string(o), tightness
		default:
			words = append(words, fmt.Sprintf("%s in %d", o, counts[o]))
		}
	}
	return fmt.Sprintf("%s of %d groups", strings.Join(words, ", "), len(mine)), tightness
}

func (c check) verdict() string {
	if c.Verdict == "" {
		return notRun
	}
	return c.Verdict
}

func (c check) tightness() string {
	switch {
	case c.Tightness == nil:
		return ""
	case fmt.Sprintf("%.2g", c.Tightness[0]) == fmt.Sprintf("%.2g", c.Tightness[1]):
		return fmt.Sprintf("%.2g", c.Tightness[0])
	}
	return fmt.Sprintf("%.2g to %.2g", c.Tightness[0], c.Tightness[1])
}

// String is the check on one line.
func (c check) String() string {
	text := fmt.Sprintf("%s of %s: %s", c.Claim, c.Experiment, c.verdict())
	if c.Tightness != nil {
		text += ", measured/bound " + c.tightness()
	}
	return text
}

// printTheoremTable writes a row a theorem, in Markdown.
func printTheoremTable(w io.Writer, list []item) error {
	var text strings.Builder
	text.WriteString("| Theorem | Says | Checked by | Verdict | Measured / bound |\n| :-- | :-- | :-- | :-- | :-- |\n")
	for _, i := range list {
		var by, verdicts, tightness []string
		for _, c := range i.Checks {
			by = append(by, fmt.Sprintf("`%s`: %s", c.Experiment, c.Claim))
			verdicts = append(verdicts, c.verdict())
			tightness = append(tightness, c.tightness())
		}
		fmt.Fprintf(&text, "| %s, `%s` | %s | %s | %s | %s |\n", i.Reference, i.Name, escapeMarkdown.Replace(i.Doc),
			strings.Join(by, "<br>"), strings.Join(verdicts, "<br>"), strings.Join(tightness, "<br>"))
	}
	_, err := io.WriteString(w, text.String())
	return err
}

var escapeMarkdown = strings.NewReplacer(`\`, `\\`, `|`, `\|`, `*`, `\*`, `_`, `\_`, "`", "\\`", `<`, `\<`)
