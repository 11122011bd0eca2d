package compare

import (
	"fmt"
	"strings"

	"mercer/internal/lists"
	"mercer/internal/plain"
)

var columns = []string{"experiment", "cells", "numbers", "tests", "verdicts", "result"}

// row is one experiment in few columns.
func (e Experiment) row() []string {
	with := func(n int, format string, of any, so bool) string {
		if !so {
			return fmt.Sprint(n)
		}
		return fmt.Sprint(n) + fmt.Sprintf(" ("+format+")", of)
	}
	n := e.Numbers
	numbers := with(n.Compared, "within %.0e", n.Largest, n.Compared > 0)
	switch {
	case n.Drifted > 0:
		numbers = with(n.Compared, "%d drifted", n.Drifted, true)
	case n.Compared > 0 && n.Identical == n.Compared:
		numbers = fmt.Sprint(n.Compared, " (identical)")
	}
	worse := len(lists.Where(e.Tests, func(t Test) bool { return t.Outcome == IsWorse }))
	result := "ok"
	if len(e.Findings) > 0 && e.Findings[0].Severity != Note { // the gravest is first
		result = string(e.Findings[0].Severity)
	}
	return []string{e.Experiment, fmt.Sprint(e.Cells), numbers, with(len(e.Tests), "%d worse", worse, worse > 0),
		with(e.Verdicts.Same+e.Verdicts.Changed, "%d changed", e.Verdicts.Changed, e.Verdicts.Changed > 0), result}
}

// String is a finding on one line.
func (f Finding) String() string {
	head := lists.Where([]string{f.Experiment, f.Where, f.Metric, f.Text}, func(word string) bool { return word != "" })
	text := strings.Join(head, ": ")
	if f.Do != "" {
		text += "; " + f.Do
	}
	return text
}

// Table is a row an experiment, a line a finding and a sentence on all, for a terminal.
func (c Comparison) Table(color bool) string {
	paint := func(word string) string {
		if !color {
			return word
		}
		return plain.Paint(word, map[string]plain.Colour{"regression": plain.Red, "undecided": plain.Red, "warning": plain.Yellow, "ok": plain.Green}[word])
	}
	text := ""
	if len(c.Experiments) > 0 {
		text = plain.Table(columns, lists.Map(c.Experiments, func(e Experiment) []string {
			row := e.row()
			row[len(row)-1] = paint(row[len(row)-1])
			return row
		}))
	}
	for _, f := range c.All() {
		text += fmt.Sprintf("%s: %s\n", paint(string(f.Severity)), plain.Text(f.String()))
	}
	regressions := "no regression"
	if n := c.Count(Regression); n > 0 {
		regressions = plain.Count(n, "regression")
	}
	return text + fmt.Sprintf("%s in %s, %d undecided, %s\n", regressions, plain.Count(len(c.Experiments), "experiment"), c.Count(Undecided), plain.Count(c.Count(Warning), "warning"))
}
