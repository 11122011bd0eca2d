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
var Formats = []string{"table", "markdown", "json", "junit"}

// FormatOf is the format of a file, by the end of its name; "" for no format.
func FormatOf(file string) string {
	return map[string]string{".md": "markdown", ".json": "json", ".xml": "junit"}[filepath.Ext(file)]
}

// Text is the comparison in one of [Formats]; color is for the table.
func (c Comparison) Text(format string, color bool) (string, error) {
	switch format {
	case "markdown":
		return c.markdown(), nil
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
	worse, better := 0, 0
	for _, t := range e.Tests {
		switch t.Outcome {
		case IsWorse:
			worse++
		case IsBetter:
			better++
		}
	}
	tests := fmt.Sprintf("%d", len(e.Tests))
	if worse+better > 0 {
		tests += fmt.Sprintf(" (%d worse, %d better)", worse, better)
	}
	n := e.Numbers
	numbers := fmt.Sprintf("%d", n.Compared)
	switch {
	case n.Drifted > 0:
		numbers += fmt.Sprintf(" (%d drifted)", n.Drifted)
	case n.Compared > 0 && n.Identical == n.Compared:
		numbers += " (identical)"
	case n.Compared > 0:
		numbers += fmt.Sprintf(" (within %.0e)", n.Largest)
	}
	verdicts := fmt.Sprintf("%d", e.Verdicts.Same+len(e.Verdicts.Changed))
	if len(e.Verdicts.Changed) > 0 {
		verdicts += fmt.Sprintf(" (%d changed)", len(e.Verdicts.Changed))
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

// table is a row an experiment and a line a finding, for a terminal.
func (c Comparison) table(color bool) string {
	var text strings.Builder
	var rows [][]string
	for _, e := range c.Experiments {
		row := e.row()
		row[len(row)-1] = paint(row[len(row)-1], color)
		rows = append(rows, row)
	}
	if len(rows) > 0 {
		text.WriteString(plain.Table(columns, rows))
	}
	for _, f := range c.All() {
		fmt.Fprintf(&text, "%s: %s\n", paint(string(f.Severity), color), plain.Text(f.String()))
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

// shownFindings of each severity are shown in a comment on a pull request.
const shownFindings = 30

// markdown is the comparison as a comment on a pull request: the answer
// first, regressions, what is undecided and warnings listed, the rest folded.
func (c Comparison) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "### mercer compare: %s\n\n", c.Summary())
	titles := map[Severity]string{Regression: "Regressions", Undecided: "Undecided", Warning: "Warnings", Note: "Notes"}
	for _, severity := range severities {
		shown, total := 0, c.Count(severity)
		if total == 0 {
			continue
		}
		if severity == Note {
			fmt.Fprintf(&b, "<details><summary>%s</summary>\n\n", plain.Count(total, "note"))
		} else {
			fmt.Fprintf(&b, "**%s**\n\n", titles[severity])
		}
		for _, f := range c.All() {
			if f.Severity != severity {
				continue
			}
			if shown++; shown <= shownFindings {
				fmt.Fprintf(&b, "- %s\n", plain.Markdown(f.String()))
			}
		}
		if shown > shownFindings {
			fmt.Fprintf(&b, "- and %d more\n", shown-shownFindings)
		}
		if severity == Note {
			b.WriteString("\n</details>\n")
		}
		b.WriteString("\n")
	}
	markdownTable(&b, columns, lists.Map(c.Experiments, Experiment.row))
	return b.String()
}

func markdownTable(b *strings.Builder, header []string, rows [][]string) {
	if len(rows) == 0 {
		return
	}
	fmt.Fprintf(b, "| %s |\n|%s\n", strings.Join(header, " | "), strings.Repeat(" :-- |", len(header)))
	for _, row := range rows {
		for i := range row {
			row[i] = plain.Markdown(row[i])
		}
		fmt.Fprintf(b, "| %s |\n", strings.Join(row, " | "))
	}
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
	var all []junitSuite
	add := func(name string, findings []Finding) {
		s := junitSuite{Name: name}
		failed := map[Kind]bool{}
		for _, f := range findings {
			one := junitCase{Class: "mercer." + name, Name: strings.Join(strings.Fields(strings.Join([]string{string(f.Kind), f.Where, f.Metric}, " ")), " ")}
			switch {
			case f.Severity == Regression:
				failed[f.Kind] = true
				one.Failure = &junitMessage{f.String(), string(f.Kind)}
			case f.Severity == Undecided:
				failed[f.Kind] = true
				one.Error = &junitMessage{f.String(), string(f.Kind)}
			case f.Kind == Skipped:
				one.Name, one.Skipped = string(f.Kind)+" "+f.Where, &junitMessage{Message: f.Text}
			default:
				s.Out += string(f.Severity) + ": " + plain.Text(f.String()) + "\n"
				continue
			}
			s.Cases = append(s.Cases, one)
		}
		for _, k := range []Kind{Drift, Worse, Open, Slower, Dropped, Status, Verdict} {
			if !failed[k] {
				s.Cases = append(s.Cases, junitCase{Class: "mercer." + name, Name: "no " + string(k)})
			}
		}
		all = append(all, s)
	}
	for _, e := range c.Experiments {
		add(e.Experiment, e.Findings)
	}
	if len(c.Findings) > 0 {
		add("runs", c.Findings)
	}
	return suitesText(all)
}

// RefusedJUnit is one test case, an error that says why nothing was compared.
func RefusedJUnit(why error) string {
	refused := junitCase{Class: "mercer.compare", Name: "refused", Error: &junitMessage{why.Error(), "refused"}}
	return suitesText([]junitSuite{{Name: "compare", Cases: []junitCase{refused}}})
}

// suitesText counts the cases of suites and writes them.
func suitesText(suites []junitSuite) string {
	all := junitSuites{Name: "mercer compare", Suites: suites}
	for i := range suites {
		s := &suites[i]
		s.Tests = len(s.Cases)
		for _, one := range s.Cases {
			switch {
			case one.Failure != nil:
				s.Failures++
			case one.Error != nil:
				s.Errors++
			case one.Skipped != nil:
				s.Skipped++
			}
		}
		all.Tests, all.Failures, all.Errors = all.Tests+s.Tests, all.Failures+s.Failures, all.Errors+s.Errors
	}
	text, err := xml.MarshalIndent(all, "", "  ")
	if err != nil {
		panic(err) // of texts and counts there is none
	}
	return xml.Header + string(text) + "\n"
}

// Workflow commands end a message at a line feed, a property also at , and :.
var (
	escapeMessage  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	escapeProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// Annotations are workflow commands of GitHub Actions, one an experiment, of
// its gravest severity, with a line a finding: what one cause makes worse stays
// together. Notes are not among them.
func (c Comparison) Annotations() string {
	var text strings.Builder
	told := lists.Where(c.All(), func(f Finding) bool { return f.Severity != Note })
	for _, own := range lists.By(told, func(f Finding) string { return f.Experiment }) {
		f := own[0] // the gravest
		command := map[Severity]string{Regression: "error", Undecided: "error", Warning: "warning"}[f.Severity]
		title := escapeProperty.Replace(strings.TrimSpace("mercer " + f.Experiment + " " + string(f.Kind)))
		fmt.Fprintf(&text, "::%s title=%s::%s\n", command, title, escapeMessage.Replace(strings.Join(lists.Map(own, Finding.String), "\n")))
	}
	return text.String()
}

// RefusedAnnotation is a workflow command of GitHub Actions, an error that says
// why nothing was compared.
func RefusedAnnotation(why error) string {
	return fmt.Sprintf("::error title=mercer compare refused::%s\n", escapeMessage.Replace(why.Error()))
}
