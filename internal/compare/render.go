package compare

import (
	"encoding/json"
	"fmt"
	"strings"

	"mercer/internal/lists"
	"mercer/internal/plain"
)

// Formats are what [Comparison.Text] knows.
var Formats = []string{"table", "json"}

// Text is the comparison in one of [Formats]; color is for the table.
func (c Comparison) Text(format string, color bool) (string, error) {
	if format != "json" {
		return c.table(color), nil
	}
	var out strings.Builder
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(c)
	return out.String(), err
}

// row is one experiment in few columns.
func (e Experiment) row() []string {
	tests := fmt.Sprint(len(e.Tests))
	worse := len(lists.Where(e.Tests, func(t Test) bool { return t.Outcome == IsWorse }))
	better := len(lists.Where(e.Tests, func(t Test) bool { return t.Outcome == IsBetter }))
	if worse+better > 0 {
		tests += fmt.Sprintf(" (%d worse, %d better)", worse, better)
	}
	n := e.Numbers
	numbers := fmt.Sprint(n.Compared)
	switch {
	case n.Drifted > 0:
		numbers += fmt.Sprintf(" (%d drifted)", n.Drifted)
	case n.Compared > 0 && n.Identical == n.Compared:
		numbers += " (identical)"
	case n.Compared > 0:
		numbers += fmt.Sprintf(" (within %.0e)", n.Largest)
	}
	verdicts := fmt.Sprint(e.Verdicts.Same + e.Verdicts.Changed)
	if e.Verdicts.Changed > 0 {
		verdicts += fmt.Sprintf(" (%d changed)", e.Verdicts.Changed)
	}
	return []string{e.Experiment, fmt.Sprint(e.Cells), numbers, tests, verdicts, e.result()}
}

var columns = []string{"experiment", "cells", "numbers", "tests", "verdicts", "result"}

// result is the gravest thing found: "regression", "undecided", "warnings" or "ok".
func (e Experiment) result() string {
	for _, f := range e.Findings { // regressions first
		switch f.Severity {
		case Regression, Undecided:
			return string(f.Severity)
		case Warning:
			return "warnings"
		}
	}
	return "ok"
}

// Summary is the comparison in one sentence.
func (c Comparison) Summary() string {
	regressions, undecided, warnings := c.Count(Regression), c.Count(Undecided), c.Count(Warning)
	var parts []string
	if regressions > 0 {
		parts = append(parts, plain.Count(regressions, "regression"))
	}
	if undecided > 0 {
		parts = append(parts, fmt.Sprintf("%d undecided", undecided))
	}
	if regressions+undecided == 0 {
		parts = append(parts, "no regression")
	}
	if warnings > 0 {
		parts = append(parts, plain.Count(warnings, "warning"))
	}
	return strings.Join(parts, ", ") + " in " + plain.Count(len(c.Experiments), "experiment")
}

// String is a finding on one line.
func (f Finding) String() string {
	head := lists.Where([]string{f.Experiment, f.Where, f.Metric}, func(word string) bool { return word != "" })
	text := f.Text
	if len(head) > 0 {
		text = strings.Join(head, ": ") + ": " + text
	}
	if f.Do != "" {
		text += "; " + f.Do
	}
	return text
}

// shownOfAKind is how many findings of a kind the table has of an experiment.
const shownOfAKind = 10

// table is a row an experiment and a line a finding, for a terminal.
func (c Comparison) table(color bool) string {
	var text strings.Builder
	if len(c.Experiments) > 0 {
		text.WriteString(plain.Table(columns, lists.Map(c.Experiments, func(e Experiment) []string {
			row := e.row()
			row[len(row)-1] = paint(row[len(row)-1], color)
			return row
		})))
	}
	type kind struct {
		severity   Severity
		kind       Kind
		experiment string
	}
	for _, same := range lists.By(c.All(), func(f Finding) kind { return kind{f.Severity, f.Kind, f.Experiment} }) {
		for _, f := range same[:min(len(same), shownOfAKind)] {
			fmt.Fprintf(&text, "%s: %s\n", paint(string(f.Severity), color), plain.Text(f.String()))
		}
		if more := len(same) - shownOfAKind; more > 0 {
			fmt.Fprintf(&text, "%s: %s: %d more of %s; --json has them all\n", paint(string(same[0].Severity), color), same[0].Experiment, more, same[0].Kind)
		}
	}
	return text.String() + c.Summary() + "\n"
}

// paint gives a severity or a result its colour.
func paint(word string, color bool) string {
	if !color {
		return word
	}
	return plain.Paint(word, map[string]plain.Colour{"regression": plain.Red, "undecided": plain.Red, "warning": plain.Yellow, "warnings": plain.Yellow, "ok": plain.Green}[word])
}
