package compare

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"path/filepath"
	"strings"

	"mercer/internal/lists"
	"mercer/internal/plain"
)

// Formats are what [Comparison.Text] knows.
var Formats = []string{"table", "json", "junit"}

// FormatOf is the format of a file, by the end of its name; "" for no format.
func FormatOf(file string) string {
	return map[string]string{".json": "json", ".xml": "junit"}[filepath.Ext(file)]
}

// Text is the comparison in one of [Formats]; color is for the table.
func (c Comparison) Text(format string, color bool) (string, error) {
	switch format {
	case "json":
		var out strings.Builder
		enc := json.NewEncoder(&out)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		err := enc.Encode(c)
		return out.String(), err
	case "junit":
		return c.junit(), nil
	}
	return c.table(color), nil
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

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Cases    []junitCase `xml:"testcase"`
	Out      string      `xml:"system-out,omitempty"`
}

type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Failure *junitMessage `xml:"failure,omitempty"`
	Error   *junitMessage `xml:"error,omitempty"`
	Skipped *junitMessage `xml:"skipped,omitempty"`
}

type junitMessage struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr,omitempty"`
}

// junit is a test suite an experiment and in it a test case a kind of
// regression, which failed for each regression of that kind; what is undecided is an
// error, data that could not be read or fetched are skipped cases, warnings and notes the suite's
// output.
func (c Comparison) junit() string {
	all := junitSuites{Name: "mercer compare"}
	add := func(name string, findings []Finding) {
		s := suiteOf(name, findings)
		all.Suites = append(all.Suites, s)
		all.Tests, all.Failures, all.Errors = all.Tests+s.Tests, all.Failures+s.Failures, all.Errors+s.Errors
	}
	for _, e := range c.Experiments {
		add(e.Experiment, e.Findings)
	}
	if len(c.Findings) > 0 {
		add("runs", c.Findings)
	}
	text, err := xml.MarshalIndent(all, "", "  ")
	if err != nil {
		panic(err) // of texts and counts there is none
	}
	return xml.Header + string(text) + "\n"
}

func suiteOf(name string, findings []Finding) junitSuite {
	s := junitSuite{Name: name}
	failed := map[Kind]bool{}
	for _, f := range findings {
		one := junitCase{Class: "mercer." + name, Name: strings.Join(strings.Fields(strings.Join([]string{string(f.Kind), f.Where, f.Metric}, " ")), " ")}
		switch {
		case f.Severity == Regression:
			s.Failures++
			failed[f.Kind] = true
			one.Failure = &junitMessage{f.String(), string(f.Kind)}
		case f.Severity == Undecided:
			s.Errors++
			failed[f.Kind] = true
			one.Error = &junitMessage{f.String(), string(f.Kind)}
		case f.Kind == Skipped:
			s.Skipped++
			one.Skipped = &junitMessage{Message: f.Text}
		default:
			s.Out += string(f.Severity) + ": " + plain.Text(f.String()) + "\n"
			continue
		}
		s.Cases = append(s.Cases, one)
	}
	for _, k := range []Kind{Drift, Worse, Slower, Untested, Dropped, Status, Verdict, Answer} {
		if !failed[k] {
			s.Cases = append(s.Cases, junitCase{Class: "mercer." + name, Name: "no " + string(k)})
		}
	}
	s.Tests = len(s.Cases)
	return s
}
