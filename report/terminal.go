package report

import (
	"slices"
	"strings"

	"github.com/olekukonko/tablewriter/pkg/twwidth"

	"mercer/internal/claims"
	"mercer/internal/lists"
	"mercer/internal/plain"
	"mercer/report/format"
	"mercer/report/views"
)

// TableOptions steer what a terminal shows.
type TableOptions struct {
	Width int  // columns of the terminal
	Color bool // colour the outcomes: green, red, yellow
}

const (
	minLine = 20 // columns
	minCell = 12 // of a name in a table
)

// Terminal is what a terminal shows of a run: the answer, means, verdicts with the reasons of those
// that do not hold, answers to targets and failures. Its own signs are ASCII but for the minus
// sign.
func Terminal(r *views.Report, o TableOptions) string {
	o.Width = max(o.Width, minLine)
	f := form{text: ascii.Replace, code: ascii.Replace, outcome: func(words string) string { return o.paint(words, words) }}
	var text strings.Builder
	if err := words(r, f, o.drawn).ExecuteTemplate(&text, "terminal", r); err != nil {
		panic(err) // into memory, of a struct that the template knows
	}
	var out strings.Builder
	fenced := false // code, which is not wrapped
	for line := range strings.Lines(text.String()) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
			continue
		}
		if fenced {
			out.WriteString("    " + line + "\n")
			continue
		}
		if strings.HasPrefix(line, "+") || strings.HasPrefix(line, "|") {
			out.WriteString(line + "\n") // of a table
			continue
		}
		content := strings.TrimLeft(line, " ")
		indent := line[:len(line)-len(content)]
		for _, part := range plain.Wrap(content, o.Width-len(indent)) {
			out.WriteString(strings.TrimRight(indent+part, " ") + "\n")
		}
	}
	return out.String()
}

var ascii = strings.NewReplacer("±", "+/-", "≤", "<=", "≥", ">=", "“", `"`, "”", `"`, "–", "-")

// drawn is a table. Names are wrapped until it is as narrow as the terminal; a table that is wider
// still is written in lines.
func (o TableOptions) drawn(t views.Table) string {
	texts := func(cells []views.Cell) []string {
		return lists.Map(cells, func(c views.Cell) string {
			text := ascii.Replace(plain.Text(c.Text))
			switch c.Mark {
			case views.Best:
				text += " *"
			case views.Outcome:
				text = o.paint(c.Text, text)
			}
			return text
		})
	}
	rows := append([][]string{texts(lists.Map(t.Columns, func(c views.Column) views.Cell { return c.Head }))}, lists.Map(t.Rows, texts)...)

	for most := o.Width; most >= minCell; most-- {
		if narrow := wrapped(t, rows, most); width(narrow) <= o.Width {
			return plain.Table(narrow[0], narrow[1:])
		}
	}
	return inLines(t, rows)
}

// wrapped are rows whose names have at most so many columns; numbers and outcomes stay on one line.
func wrapped(t views.Table, rows [][]string, most int) [][]string {
	return lists.Map(rows, func(row []string) []string {
		row = slices.Clone(row)
		for k, text := range row {
			if !t.Columns[k].Right && t.Rows[0][k].Mark != views.Outcome {
				row[k] = strings.Join(plain.Wrap(text, most), "\n")
			}
		}
		return row
	})
}

// width is how many columns of a terminal a table of rows has.
func width(rows [][]string) int {
	total := 1
	for k := range rows[0] {
		widest := 0
		for _, row := range rows {
			for line := range strings.SplitSeq(row[k], "\n") {
				widest = max(widest, twwidth.Width(line))
			}
		}
		total += widest + 3
	}
	return total
}

// inLines has a line of the names of each row, the first of which are the heads, and below it one of
// its numbers: "  m 20; recon_h 0.12 +/- 0.01".
func inLines(t views.Table, rows [][]string) string {
	text := ""
	for i, row := range rows[1:] {
		var names, numbers []string
		for k, cell := range row {
			switch {
			case t.Rows[i][k].Text == format.None:
			case t.Columns[k].Right:
				numbers = append(numbers, rows[0][k]+" "+cell)
			default:
				names = append(names, cell)
			}
		}
		text += strings.Join(names, ", ") + "\n"
		if len(numbers) > 0 {
			text += "  " + strings.Join(numbers, "; ") + "\n"
		}
	}
	return text
}

// paint colours a text by an outcome in words: what holds and says nothing is yellow.
func (o TableOptions) paint(outcome, text string) string {
	if !o.Color {
		return text
	}
	return plain.Paint(text, map[string]plain.Colour{string(claims.Holds): plain.Green, string(claims.Violated): plain.Red, claims.ControlHolds: plain.Red,
		string(claims.Inconclusive): plain.Yellow, claims.HoldsVacuous: plain.Yellow}[outcome])
}
