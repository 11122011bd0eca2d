package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/olekukonko/tablewriter/pkg/twwidth"

	"mercer/internal/claims"
	"mercer/internal/lists"
	"mercer/internal/plain"
	"mercer/report/figure"
	"mercer/report/format"
	"mercer/results"
)

// TableOptions steer [VerdictTable].
type TableOptions struct {
	Width int  // columns of the terminal; less than 60 counts as 60
	Color bool // colour the outcomes: green, red, yellow

	labels  figure.Labels
	several map[string]bool // "dataset" and "kernel" where there are several
	repeats int             // of the run
}

// For are the options for tables of a run, with its labels; they name the data set and the
// kernel only where it has several.
func (o TableOptions) For(run results.Run) TableOptions {
	o.labels, o.several, o.repeats = figure.LabelsOf(run), format.Several(run.Rows), run.Repeats()
	return o
}

// where writes a group with labels, in few columns.
func (o TableOptions) where(group results.Key) string {
	return format.ShortWhere(o.labels.Where(format.Told(group, o.several)))
}

const (
	minWidth = 60 // of a table; in less there are lines
	minLine  = 20
	wideName = 16 // columns that names keep as long as anything else can give way
)

// VerdictTable is a row a verdict, with bound/trivial where the width allows, the ids of checks and controls that are as they must be, which true values the
// claims would reject, then the reasons of those that do not hold, or say nothing, and what
// would settle them. Its own signs are ASCII but for the minus sign; texts of the spec
// are shown as they are, without characters that steer a terminal.
func VerdictTable(verdicts []claims.Verdict, o TableOptions) string {
	o.Width = max(o.Width, minLine)
	var out strings.Builder
	verdicts, folded := claims.Fold(verdicts)
	common := format.Setting(verdicts)
	if on := format.Told(common, o.several); len(on.Names()) > 0 {
		writeWrapped(&out, "", "on "+plain.Text(format.PlainWhere(o.labels.Where(on))), o.Width)
	}
	rows := [][]string{{"claim", "where", "estimate [interval]", "claimed", "verdict"}}
	for _, v := range verdicts {
		rows = append(rows, []string{format.ClaimName(v), o.where(format.Without(v.Group, common)), plainEstimate(v), plainClaimed(v), v.Words()})
	}
	rows = o.withTrivial(rows, verdicts)
	if o.Width >= minWidth && len(verdicts) > 0 {
		out.WriteString(o.table(rows))
	}
	if ids := folded.Checks; len(ids) > 0 {
		writeWrapped(&out, "", format.ChecksHold(len(ids))+": "+plain.Text(strings.Join(ids, ", ")), o.Width)
	}
	if ids := folded.Controls; len(ids) > 0 {
		writeWrapped(&out, "", format.ControlsViolated(len(ids))+": "+plain.Text(strings.Join(ids, ", ")), o.Width)
	}
	o.sure(&out, verdicts)
	o.earlier(&out, verdicts)
	if o.Width >= minWidth {
		o.rejects(&out, verdicts, common)
	}
	for i, v := range verdicts {
		row := rows[i+1]
		if o.Width < minWidth {
			o.headed(&out, v.Words(), row[0], row[1])
			text := row[2] + ", claimed " + row[3]
			if ends := format.Rejects(v); ends != "" {
				text += "; would reject with 80 % power: " + ends
			}
			writeWrapped(&out, "  ", text, o.Width)
		}
		if v.CountsAs() == claims.Holds && !v.Vacuous {
			continue
		}
		if o.Width >= minWidth {
			out.WriteString("\n")
			o.headed(&out, v.Words(), row[0], row[1])
		}
		writeWrapped(&out, "  ", plain.Text(format.Negatives(v.Reason)), o.Width)
		if v.Settle != "" {
			writeWrapped(&out, "  ", "what would settle it: "+plain.Text(v.Settle), o.Width)
		}
	}
	if family := claims.FamilyOf(verdicts).String(); family != "" {
		out.WriteString("\n")
		writeWrapped(&out, "", family, o.Width)
	}
	return out.String()
}

// withTrivial adds how bounds compare with what is trivial, where one was judged and the
// column has room beside names of wideName: the rows as they are else.
func (o TableOptions) withTrivial(rows [][]string, verdicts []claims.Verdict) [][]string {
	wide := [][]string{slices.Insert(slices.Clone(rows[0]), 4, "bound /\ntrivial")}
	judged := false
	for i, v := range verdicts {
		text := "-"
		if t := v.Trivial; t != nil && t.Low != nil {
			text, judged = rangeText([]float64{*t.Low, *t.High}), true
		}
		wide = append(wide, slices.Insert(slices.Clone(rows[i+1]), 4, text))
	}
	room := o.Width - frame(wide)
	for i, width := range naturalWidths(wide) {
		if i < 2 {
			width = min(width, wideName)
		}
		room -= width
	}
	if !judged || room < 0 {
		return rows
	}
	return wide
}

// earlier names the verdicts that rest on fewer repeats than the means beside them, those of
// the look that decided them, and those that ignore failures.
func (o TableOptions) earlier(out *strings.Builder, verdicts []claims.Verdict) {
	var fewer, ignoring []string
	for _, v := range verdicts {
		switch {
		case v.Ignored:
			ignoring = append(ignoring, fmt.Sprintf("%s (%s without a value)", format.ClaimName(v), plain.Count(v.Lost, "record")))
		case v.Lost == 0 && v.Answers == 0 && v.Repeats > 0 && v.Repeats < o.repeats:
			fewer = append(fewer, fmt.Sprintf("%s (%d)", format.ClaimName(v), v.Repeats))
		}
	}
	if len(ignoring) > 0 {
		writeWrapped(out, "", "failures are ignored, as the spec says: "+plain.Some(lists.Once(ignoring), mostNamed), o.Width)
	}
	if len(fewer) > 0 {
		text := fmt.Sprintf("on fewer than the run's %d repeats, as of the last look at each: ", o.repeats)
		writeWrapped(out, "", text+plain.Some(lists.Once(fewer), mostNamed), o.Width)
	}
}

// mostNamed is how many claims a line names.
const mostNamed = 10

// sure writes in how many runs verdicts like these are wrong; where an outcome has several
// rates, with the relations of each or, if claims of one relation differ, with their names.
func (o TableOptions) sure(out *strings.Builder, verdicts []claims.Verdict) {
	calls := lists.Where(verdicts, func(v claims.Verdict) bool { _, calls := v.WrongCall(); return calls })
	slices.SortStableFunc(calls, func(a, b claims.Verdict) int { return cmp.Compare(a.Outcome, b.Outcome) })
	var said []string
	for _, same := range lists.By(calls, func(v claims.Verdict) claims.Outcome { return v.Outcome }) {
		rates := lists.By(same, func(v claims.Verdict) string { rate, _ := v.WrongCall(); return format.Percent(rate) })
		which := toldBy(rates)
		for i, of := range rates {
			rate, _ := of[0].WrongCall()
			text := fmt.Sprintf("%q is wrong in at most %s of runs", of[0].Outcome, format.Percent(rate))
			if i > 0 {
				text = "in " + format.Percent(rate)
			}
			if len(rates) > 1 {
				text += which(of)
			}
			said = append(said, text)
		}
	}
	if len(said) > 0 {
		writeWrapped(out, "", "how sure: "+strings.Join(said, ", ")+format.Unseen(verdicts...), o.Width)
	}
}

// toldBy names claims of one rate of several: by their relations or, where claims of one
// relation have two rates, by themselves.
func toldBy(rates [][]claims.Verdict) func(of []claims.Verdict) string {
	relations := func(of []claims.Verdict) []string {
		return lists.Once(lists.Map(of, func(v claims.Verdict) string { return v.Relation }))
	}
	all := slices.Concat(lists.Map(rates, relations)...)
	if len(lists.Once(all)) == len(all) {
		return func(of []claims.Verdict) string { return " for claims with " + strings.Join(relations(of), ", ") }
	}
	return func(of []claims.Verdict) string {
		return " for " + plain.Some(lists.Once(lists.Map(of, format.ClaimName)), mostNamed)
	}
}

// rejects writes a line a claim: the true values that it would reject with 80 % power, of
// each group by what only that has.
func (o TableOptions) rejects(out *strings.Builder, verdicts []claims.Verdict, common results.Key) {
	var lines []string
	for _, of := range lists.By(verdicts, format.ClaimName) {
		shared := format.SharedBy(of).Join(common)
		var groups []string
		for _, v := range of {
			if ends := format.Rejects(v); ends != "" {
				groups = append(groups, strings.TrimSpace(o.where(format.Without(v.Group, shared))+" "+ends))
			}
		}
		if len(groups) > 0 {
			lines = append(lines, format.ClaimName(of[0])+": "+strings.Join(groups, "; "))
		}
	}
	if len(lines) > 0 {
		out.WriteString("\n")
		writeWrapped(out, "", "true values that are rejected with 80 % power, at these repeats and this spread:", o.Width)
	}
	for _, line := range lines {
		writeWrapped(out, "  ", line, o.Width)
	}
}

// headed writes the line that an explanation begins with, the outcome first.
func (o TableOptions) headed(out *strings.Builder, outcome, claim, where string) {
	if where != "" {
		claim += " (" + where + ")"
	}
	lines := plain.Wrap(outcome+": "+claim, o.Width)
	lines[0] = strings.Replace(lines[0], outcome, o.paint(outcome, outcome), 1)
	fmt.Fprintln(out, strings.Join(lines, "\n"))
}

// table draws rows below a header. Cells are wrapped here, since the widths of columns
// depend on each other.
func (o TableOptions) table(rows [][]string) string {
	widths := columnWidths(rows, o.Width-frame(rows))
	wrapped := make([][]string, len(rows))
	for i, row := range rows {
		for k, text := range row {
			wrapped[i] = append(wrapped[i], strings.Join(plain.Wrap(text, widths[k]), "\n"))
		}
		if last := len(row) - 1; i > 0 {
			wrapped[i][last] = o.paint(row[last], wrapped[i][last])
		}
	}
	return plain.Table(wrapped[0], wrapped[1:])
}

// frame is how many columns of the terminal the lines of a table take.
func frame(rows [][]string) int { return 3*len(rows[0]) + 1 }

// naturalWidths are those of the widest cells.
func naturalWidths(rows [][]string) []int {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			for line := range strings.Lines(cell) {
				widths[i] = max(widths[i], twwidth.Width(strings.TrimSuffix(line, "\n")))
			}
		}
	}
	return widths
}

// columnWidths shares out total columns: each column gets what it needs, and where that
// is too much, the names give way before the numbers do, and then the widest; the
// outcome stays whole.
func columnWidths(rows [][]string, total int) []int {
	widths := naturalWidths(rows)
	for _, width := range widths {
		total -= width
	}
	for ; total < 0; total++ {
		widest := 0
		if widths[1] > widths[0] {
			widest = 1
		}
		for i, width := range widths[:len(widths)-1] {
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

// paint colours a text by an outcome in words: what holds and says nothing is yellow.
func (o TableOptions) paint(outcome, text string) string {
	if !o.Color {
		return text
	}
	return plain.Paint(text, map[string]plain.Colour{string(claims.Holds): plain.Green, string(claims.Violated): plain.Red, claims.ControlHolds: plain.Red,
		string(claims.Inconclusive): plain.Yellow, claims.HoldsVacuous: plain.Yellow}[outcome])
}

func plainEstimate(v claims.Verdict) string {
	return strings.ReplaceAll(format.Estimate(v), format.None, "-")
}

func plainClaimed(v claims.Verdict) string {
	if !plain.Finite(v.Target) || v.Relation == "" {
		return "-"
	}
	return v.Relation + " " + strings.ReplaceAll(format.Claimed(v), "±", "+/-") + format.Negatives(v.Factor())
}

func writeWrapped(out *strings.Builder, indent, text string, width int) {
	for _, line := range plain.Wrap(text, width-len(indent)) {
		fmt.Fprintln(out, indent+line)
	}
}
