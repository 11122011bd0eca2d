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
	minLine  = 20 // columns
	minTable = 60 // of a terminal; with less each row is a few lines
	minCell  = 12 // of a name in a table
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
	for line := range strings.Lines(text.String()) {
		line = strings.TrimSuffix(line, "\n")
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

// drawn is a table. Names share what numbers and outcomes leave of the width of the terminal, and
// have some columns in any case.
func (o TableOptions) drawn(t views.Table) string {
	texts := func(cells []views.Cell) []string {
		return lists.Map(cells, func(c views.Cell) string {
			text := ascii.Replace(plain.Text(c.Text))
			if c.Mark == views.Best {
				text += " *"
			}
			return text
		})
	}
	rows := append([][]string{texts(lists.Map(t.Columns, func(c views.Column) views.Cell { return c.Head }))}, lists.Map(t.Rows, texts)...)

	if o.Width < minTable {
		return inLines(t, rows)
	}

	room, names := o.Width-3*len(t.Columns)-1, 0
	isName := func(k int) bool { return !t.Columns[k].Right && t.Rows[0][k].Mark != views.Outcome }
	for k := range t.Columns {
		if isName(k) {
			names++
			continue
		}
		room -= slices.Max(lists.Map(rows, func(row []string) int { return twwidth.Width(row[k]) }))
	}
	for i, row := range rows {
		for k, text := range row {
			switch {
			case isName(k):
				row[k] = strings.Join(plain.Wrap(text, max(minCell, room/names)), "\n")
			case i > 0 && t.Rows[i-1][k].Mark == views.Outcome:
				row[k] = o.paint(t.Rows[i-1][k].Text, text)
			}
		}
	}
	return plain.Table(rows[0], rows[1:])
}

// inLines has of each row, the first of which are the heads, a line for its first name, and the other
// cells in lines below it: "  m 20".
func inLines(t views.Table, rows [][]string) string {
	name := max(0, slices.IndexFunc(t.Columns, func(c views.Column) bool { return !c.Right }))
	text := ""
	for i, row := range rows[1:] {
		text += row[name] + "\n"
		for k, cell := range row {
			if k != name && t.Rows[i][k].Text != format.None {
				text += "  " + rows[0][k] + " " + cell + "\n"
			}
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
