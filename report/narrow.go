package report

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/olekukonko/tablewriter/pkg/twwidth"

	"mercer/configs"
	"mercer/internal/budget"
	"mercer/internal/claims"
	"mercer/internal/plain"
	"mercer/report/sections"
	"mercer/results"
)

// rows draws rows below a header as a table whose first column is wrapped; where that has
// no room, as lines.
func (o TableOptions) rows(out *bytes.Buffer, rows [][]string) error {
	room := o.Width - 3*len(rows[0]) - 1
	for k := range rows[0][1:] {
		widest := 0
		for _, row := range rows {
			widest = max(widest, twwidth.Width(row[k+1]))
		}
		room -= widest
	}
	if o.Width >= minWidth && room >= wideName {
		for _, row := range rows {
			row[0] = strings.Join(plain.Wrap(row[0], room), "\n")
		}
		return plain.Table(out, rows[0], rows[1:])
	}
	for _, row := range rows[1:] {
		writeWrapped(out, "", row[0], o.Width)
		for k, text := range row[1:] {
			writeWrapped(out, "  ", rows[0][k+1]+" "+text, o.Width)
		}
	}
	return nil
}

// Said is the answer to the question of a run in plain words, "" where there is none. plots
// say which metric matters.
func Said(run results.Run, verdicts []claims.Verdict, plots []configs.Plot, answers []claims.Answer, budgets []budget.Comparison) string {
	return strings.Join(sections.Said(run, verdicts, plots, answers, budgets), " ")
}

// AnswerLine prints the answer to the question of a run, see [sections.Said], a sentence and
// below it what is to be read after it; nothing where there is none.
func AnswerLine(w io.Writer, run results.Run, verdicts []claims.Verdict, plots []configs.Plot, answers []claims.Answer, budgets []budget.Comparison, o TableOptions) error {
	said := sections.Said(run, verdicts, plots, answers, budgets)
	var out bytes.Buffer
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
	if _, err := w.Write(out.Bytes()); err != nil {
		return fmt.Errorf("report: answer: %w", err)
	}
	return nil
}

// mostFailures is how many reasons of failures the terminal shows.
const mostFailures = 3

// FailureLines prints why records failed, a reason a line; nothing where none did.
func FailureLines(w io.Writer, run results.Run, o TableOptions) error {
	lines := sections.Failures(run)
	var out bytes.Buffer
	for _, line := range lines[:min(len(lines), mostFailures)] {
		writeWrapped(&out, "", plain.Text(line), max(o.Width, minLine))
	}
	if more := len(lines) - mostFailures; more > 0 {
		fmt.Fprintf(&out, "%s in the report\n", plain.Count(more, "more reason is", "more reasons are"))
	}
	if _, err := w.Write(out.Bytes()); err != nil {
		return fmt.Errorf("report: failures: %w", err)
	}
	return nil
}
