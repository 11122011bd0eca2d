package report

import (
	"fmt"
	"strings"

	"mercer/configs"
	"mercer/internal/budget"
	"mercer/internal/claims"
	"mercer/internal/plain"
	"mercer/report/sections"
	"mercer/results"
)

// rows draws rows below a header as a table whose first column is wrapped; where that has
// no room, as lines.
func (o TableOptions) rows(rows [][]string) string {
	room := o.Width - frame(rows)
	for _, width := range naturalWidths(rows)[1:] {
		room -= width
	}
	if o.Width >= minWidth && room >= wideName {
		for _, row := range rows {
			row[0] = strings.Join(plain.Wrap(row[0], room), "\n")
		}
		return plain.Table(rows[0], rows[1:])
	}
	var out strings.Builder
	for _, row := range rows[1:] {
		writeWrapped(&out, "", row[0], o.Width)
		for k, text := range row[1:] {
			writeWrapped(&out, "  ", rows[0][k+1]+" "+text, o.Width)
		}
	}
	return out.String()
}

// Said is the answer to the question of a run in plain words, "" where there is none. plots
// say which metric matters.
func Said(run results.Run, verdicts []claims.Verdict, plots []configs.Plot, answers []claims.Answer, budgets []budget.Comparison) string {
	return strings.Join(sections.Said(run, verdicts, plots, answers, budgets), " ")
}

// AnswerLine is the answer to the question of a run, see [sections.Said], a sentence and
// below it what is to be read after it; nothing where there is none.
func AnswerLine(run results.Run, verdicts []claims.Verdict, plots []configs.Plot, answers []claims.Answer, budgets []budget.Comparison, o TableOptions) string {
	said := sections.Said(run, verdicts, plots, answers, budgets)
	var out strings.Builder
	for i, text := range said {
		text = strings.NewReplacer("±", "+/-", "≤", "<=", "“", `"`, "”", `"`).Replace(plain.Text(text))
		if i == 0 {
			writeWrapped(&out, "", "answer: "+text, max(o.Width, minLine))
			continue
		}
		for k, line := range plain.Wrap(text, max(o.Width, minLine)-len("  - ")) {
			fmt.Fprintln(&out, map[bool]string{true: "  - ", false: "    "}[k == 0]+line)
		}
	}
	return out.String()
}

// mostFailures is how many reasons of failures the terminal shows.
const mostFailures = 3

// FailureLines say why records failed, a reason a line; nothing where none did.
func FailureLines(run results.Run, o TableOptions) string {
	lines := sections.Failures(run)
	var out strings.Builder
	for _, line := range lines[:min(len(lines), mostFailures)] {
		writeWrapped(&out, "", plain.Text(line), max(o.Width, minLine))
	}
	if more := len(lines) - mostFailures; more > 0 {
		fmt.Fprintf(&out, "%s in the report\n", plain.Count(more, "more reason is", "more reasons are"))
	}
	return out.String()
}
