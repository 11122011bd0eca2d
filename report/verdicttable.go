package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/pkg/twwidth"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"

	"mercer/internal/claims"
	"mercer/report/format"
)

// TableOptions steer [VerdictTable].
type TableOptions struct {
	Width int  // columns of the terminal; less than 60 counts as 60
	Color bool // colour the outcomes: green, red, yellow
}

// DefaultTableOptions is a table for 100 columns without colour.
func DefaultTableOptions() TableOptions { return TableOptions{Width: 100} }

const (
	minWidth = 60 // of a table; in less there are lines
	minLine  = 20
	wideName = 16 // columns that names keep as long as anything else can give way
)

// VerdictTable prints a row a verdict, then the reasons of those that do not
// hold and what would settle them. Its own signs are ASCII; texts of the spec
// are shown as they are, without characters that steer a terminal. It fails only
// when w does.
func VerdictTable(w io.Writer, verdicts []claims.Verdict, o TableOptions) error {
	o.Width = max(o.Width, minLine)
	out := &stickyWriter{w: w}
	if len(verdicts) == 0 {
		fmt.Fprintln(out, "no claims, no verdicts")
		return out.failure()
	}
	common := format.Setting(verdicts)
	if len(common) > 0 {
		writeWrapped(out, "", "on "+format.Printable(format.PlainWhere(common)), o.Width)
	}
	header := []string{"claim", "where", "estimate [interval]", "claimed", "verdict"}
	rows := make([][]string, len(verdicts))
	for i, v := range verdicts {
		rows[i] = []string{format.Printable(v.Claim), format.ShortWhere(format.Without(v.Group, common)), plainEstimate(v), plainClaimed(v), string(v.Outcome)}
	}
	if o.Width < minWidth {
		o.list(out, rows)
	} else if err := o.render(out, header, rows); err != nil && out.err == nil {
		return fmt.Errorf("report: verdict table: %w", err)
	}
	o.explain(out, verdicts, common)
	return out.failure()
}

// list prints rows as lines, the outcome first, for a terminal that is too narrow for
// the table.
func (o TableOptions) list(w io.Writer, rows [][]string) {
	for _, row := range rows {
		claim, where, estimate, claimed, outcome := row[0], row[1], row[2], row[3], row[4]
		if where != "" {
			claim += " (" + where + ")"
		}
		lines := wrap(outcome+": "+claim, o.Width)
		lines[0] = strings.Replace(lines[0], outcome, o.paint(claims.Outcome(outcome), outcome), 1)
		fmt.Fprintln(w, strings.Join(lines, "\n"))
		writeWrapped(w, "  ", estimate+", claimed "+claimed, o.Width)
	}
}

// render draws the table. Cells are wrapped here, because the widths of columns
// hang on each other.
func (o TableOptions) render(w io.Writer, header []string, rows [][]string) error {
	widths := columnWidths(append([][]string{header}, rows...), o.Width-3*len(header)-1)
	wrapRow := func(cells []string) []string {
		wrapped := make([]string, len(cells))
		for i, cell := range cells {
			wrapped[i] = strings.Join(wrap(cell, widths[i]), "\n")
		}
		return wrapped
	}
	cell := tw.CellConfig{
		Formatting: tw.CellFormatting{AutoWrap: tw.WrapNone, AutoFormat: tw.Off},
		Alignment:  tw.CellAlignment{Global: tw.AlignLeft},
		Padding:    tw.CellPadding{Global: tw.PaddingDefault},
	}
	table := tablewriter.NewTable(w,
		tablewriter.WithRenderer(renderer.NewBlueprint(tw.Rendition{Symbols: tw.NewSymbols(tw.StyleASCII)})),
		tablewriter.WithEastAsian(tw.Off),
		tablewriter.WithHeaderConfig(cell), tablewriter.WithRowConfig(cell))
	table.Header(wrapRow(header))
	for _, row := range rows {
		cells := wrapRow(row)
		last := len(cells) - 1
		cells[last] = o.paint(claims.Outcome(row[last]), cells[last])
		if err := table.Append(cells); err != nil {
			return err
		}
	}
	return table.Render()
}

// columnWidths shares out total columns: each column gets what it needs, and
// where that is too much, the names give way before the numbers do, and then
// the widest.
func columnWidths(rows [][]string, total int) []int {
	widths := make([]int, len(rows[0]))
	sum := 0
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], twwidth.Width(cell))
		}
	}
	for _, width := range widths {
		sum += width
	}
	for ; sum > total; sum-- {
		widest := 0
		if widths[1] > widths[0] {
			widest = 1
		}
		for i, width := range widths[:len(widths)-1] { // the outcome stays whole
			if widths[widest] <= wideName && width > widths[widest] {
				widest = i
			}
		}
		if widths[widest] <= 7 { // five columns, the last "not applicable", in 60
			break
		}
		widths[widest]--
	}
	return widths
}

// explain writes why verdicts other than holds are what they are.
func (o TableOptions) explain(w io.Writer, verdicts []claims.Verdict, common []claims.Coordinate) {
	for _, v := range verdicts {
		if v.Outcome == claims.Holds {
			continue
		}
		where := format.ShortWhere(format.Without(v.Group, common))
		if where != "" {
			where = " (" + where + ")"
		}
		head := fmt.Sprintf("%s: %s%s", v.Outcome, format.Printable(v.Claim), where)
		lines := wrap(head, o.Width)
		lines[0] = strings.Replace(lines[0], string(v.Outcome), o.paint(v.Outcome, string(v.Outcome)), 1)
		fmt.Fprintf(w, "\n%s\n", strings.Join(lines, "\n"))
		writeWrapped(w, "  ", format.Printable(v.Reason), o.Width)
		if v.Settle != "" {
			writeWrapped(w, "  ", "what would settle it: "+format.Printable(v.Settle), o.Width)
		}
	}
}

func (o TableOptions) paint(outcome claims.Outcome, text string) string {
	code := map[claims.Outcome]string{claims.Holds: "32", claims.Violated: "31", claims.Inconclusive: "33"}[outcome]
	if !o.Color || code == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

func plainEstimate(v claims.Verdict) string {
	return strings.ReplaceAll(format.Interval(v.Estimate, v.Low, v.High), format.None, "-")
}

func plainClaimed(v claims.Verdict) string {
	if !format.Finite(v.Target) || v.Relation == "" {
		return "-"
	}
	text := v.Relation + " " + format.Number(v.Target)
	if v.Within > 0 {
		text += " +/- " + format.Number(v.Within)
	}
	return text
}

// wrap breaks text into lines of at most width columns, between words where it
// can. There is one line at least.
func wrap(text string, width int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		for twwidth.Width(word) > width { // too long for any line
			if line != "" {
				lines, line = append(lines, line), ""
			}
			head := twwidth.Truncate(word, width, "")
			if head == "" {
				break
			}
			lines, word = append(lines, head), strings.TrimPrefix(word, head)
		}
		switch {
		case line == "":
			line = word
		case twwidth.Width(line)+1+twwidth.Width(word) <= width:
			line += " " + word
		default:
			lines, line = append(lines, line), word
		}
	}
	if line != "" || len(lines) == 0 {
		lines = append(lines, line)
	}
	return lines
}

func writeWrapped(w io.Writer, indent, text string, width int) {
	for _, line := range wrap(text, width-len(indent)) {
		fmt.Fprintln(w, indent+line)
	}
}

// stickyWriter remembers the first error of w and writes nothing after it.
type stickyWriter struct {
	w   io.Writer
	err error
}

func (s *stickyWriter) Write(p []byte) (int, error) {
	if s.err != nil {
		return 0, s.err
	}
	n, err := s.w.Write(p)
	s.err = err
	return n, err
}

func (s *stickyWriter) failure() error {
	if s.err != nil {
		return fmt.Errorf("report: verdict table: %w", s.err)
	}
	return nil
}
