package report

import (
	"slices"
	"strings"
	"text/template"
	"unicode"
	"unicode/utf8"

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
	minWidth = 60 // of a table; in less there are lines
	minLine  = 20
	minCell  = 7
)

// Terminal is what a terminal shows of a run: the answer, means, verdicts with the reasons of those
// that do not hold, answers to targets and failures. Its own signs are ASCII but for the minus
// sign.
func Terminal(r *views.Report, o TableOptions) string { return o.written(r, "terminal") }

var ascii = strings.NewReplacer("±", "+/-", "≤", "<=", "≥", ">=", "“", `"`, "”", `"`, "–", "-")

// written is a template of terminal.txt.tmpl, its lines wrapped but for those of tables.
func (o TableOptions) written(r *views.Report, name string) string {
	o.Width = max(o.Width, minLine)
	shown := func(s string) string { return ascii.Replace(s) }
	f := form{text: shown, code: shown, outcome: func(words string) string { return o.paint(words, words) }, most: func(views.Table) int { return 0 }}
	var text strings.Builder
	if err := words(r, f, template.FuncMap{"drawn": o.drawn}).ExecuteTemplate(&text, name, r); err != nil {
		panic(err) // into memory, of a struct that the template knows
	}
	var out strings.Builder
	for line := range strings.Lines(text.String()) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "+") || strings.HasPrefix(line, "|") {
			out.WriteString(line + "\n")
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

// drawn is a table; in a terminal without room for it, of each row a line for its first name, with the
// other cells in lines below it.
func (o TableOptions) drawn(t views.Table) string {
	texts := func(cells []views.Cell) []string {
		return lists.Map(cells, func(c views.Cell) string {
			text := ascii.Replace(plain.Text(c.Text + c.After))
			if c.Mark == views.Best {
				text += " *"
			}
			return text
		})
	}
	heads := texts(lists.Map(t.Columns, func(c views.Column) views.Cell { return c.Head }))
	for i, head := range heads {
		if t.Columns[i].Head.Mark == views.Plain {
			first, size := utf8.DecodeRuneInString(head)
			heads[i] = string(unicode.ToLower(first)) + head[size:]
		}
	}
	rows := lists.Map(t.Rows, texts)
	widths := o.widths(t, append([][]string{heads}, rows...))
	if widths == nil {
		var out strings.Builder
		title := max(0, slices.IndexFunc(t.Columns, func(c views.Column) bool { return !c.Right }))
		for i, row := range rows {
			out.WriteString(row[title] + "\n")
			for k, text := range row {
				if k != title && t.Rows[i][k].Text != format.None {
					out.WriteString("  " + heads[k] + " " + text + "\n")
				}
			}
		}
		return out.String()
	}
	wrap := func(row []string) []string {
		wrapped := slices.Clone(row)
		for k, text := range row {
			wrapped[k] = strings.Join(plain.Wrap(text, widths[k]), "\n")
		}
		return wrapped
	}
	for i, row := range rows {
		rows[i] = wrap(row)
		for k, cell := range t.Rows[i] {
			if cell.Mark == views.Outcome {
				rows[i][k] = o.paint(cell.Text, rows[i][k])
			}
		}
	}
	return plain.Table(wrap(heads), rows)
}

// widths shares out the width of the terminal: each column gets what it needs, and where that is
// too much, the widest names give way. Numbers and outcomes stay whole. It is nil where
// there is no room for a table.
func (o TableOptions) widths(t views.Table, rows [][]string) []int {
	widths := make([]int, len(t.Columns))
	room := o.Width - 3*len(widths) - 1
	for i := range widths {
		for _, row := range rows {
			widths[i] = max(widths[i], twwidth.Width(row[i]))
		}
		room -= widths[i]
	}
	for ; room < 0; room++ {
		widest := -1
		for i, width := range widths {
			outcome := len(t.Rows) > 0 && t.Rows[0][i].Mark == views.Outcome
			if !t.Columns[i].Right && !outcome && (widest < 0 || width > widths[widest]) {
				widest = i
			}
		}
		if widest < 0 || widths[widest] <= minCell {
			return nil
		}
		widths[widest]--
	}
	if o.Width < minWidth {
		return nil
	}
	return widths
}

// paint colours a text by an outcome in words: what holds and says nothing is yellow.
func (o TableOptions) paint(outcome, text string) string {
	if !o.Color {
		return text
	}
	return plain.Paint(text, map[string]plain.Colour{string(claims.Holds): plain.Green, string(claims.Violated): plain.Red, claims.ControlHolds: plain.Red,
		string(claims.Inconclusive): plain.Yellow, claims.HoldsVacuous: plain.Yellow}[outcome])
}
