package sections

import (
	"fmt"
	"strconv"

	"mercer/internal/compare"
	"mercer/internal/plain"
	"mercer/report/figure"
	"mercer/report/format"
	"mercer/report/page"
)

// MostHistoryFigures is how many figures a page of history has: those with changes
// first.
const MostHistoryFigures = 60

// HistoryTable is the file with all values of a history.
const HistoryTable = format.TablesFolder + "/history.csv"

// NothingCompared is the answer of a history without series.
const NothingCompared = "Nothing was compared: no two runs of one experiment and profile have cells in common."

// History is the page; so many of the series are left out of its figures.
func History(runs []compare.Side, series []compare.Series, figures []figure.Figure, left int, level float64) page.Page {
	var p page.Page
	p.Heading(1, "History of "+plain.Count(len(runs), "run"))
	exact, tested, worse := 0, 0, 0
	var changes [][]string
	for _, s := range series {
		if s.Exact {
			exact++
		} else {
			tested++
		}
		for _, step := range s.Steps {
			verdict := "changed"
			switch {
			case step.Worse:
				verdict, worse = page.Strong("worse"), worse+1
			case s.On != "" || s.Better != compare.Neither:
				verdict = "better"
			}
			changes = append(changes, []string{runText(runs[s.Runs[step.At]]), verdict, page.Code(s.Experiment), seriesText(s),
				signedPercent(step.Change()), format.Number(step.Before) + " → " + format.Number(step.After), stepText(s, step)})
		}
	}
	switch {
	case len(series) == 0:
		p.Para("%s %s", page.Strong("Answer:"), NothingCompared)
	case len(changes) == 0:
		p.Para("%s No change was found.", page.Strong("Answer:"))
	default:
		p.Para("%s %s, %d of them for the worse.", page.Strong("Answer:"), plain.Count(len(changes), "change"), worse)
	}
	if len(series) > 0 {
		p.Para("%d series with the same seeds in all runs are compared number by number, so that each difference is one of code, data, versions or machine. "+
			"Of %d others, costs and runs with seeds of their own, changes are places at which the level moves, by E-divisive with a permutation test: "+
			"if nothing changed, and neighbouring runs are independent, any is found here with probability at most %s. "+
			"A change is found once three or four runs lie behind it; the newest run is what %s looks at.",
			exact, tested, format.Percent(level), page.Code("mercer compare"))
	}
	if len(changes) > 0 {
		p.Heading(2, "Changes")
		p.Table("llllrll", []string{"Since run", "", "Experiment", "Series", "Change", "From → to", "How it is known"}, changes)
	}
	if len(figures) > 0 {
		p.Heading(2, "Series")
		for _, f := range figures {
			p.Figure(f)
		}
		if left > 0 {
			p.Para("… and %d more series in %s.", left, page.Link(HistoryTable, "the table"))
		}
	}
	p.Para("%s of all series.", page.Link(HistoryTable, "All values"))
	p.Heading(2, "Runs")
	var rows [][]string
	for i, r := range runs {
		m := r.Manifest
		rows = append(rows, []string{strconv.Itoa(i + 1), page.Code(r.Name), page.Code(m.Experiment), page.Code(m.Profile), page.Escape(m.Started), page.Code(format.Short(m.Commit)),
			page.Escape(m.Versions["blas"]), page.Escape(m.Machine.String())})
	}
	p.Table("rlllllll", []string{"", "Run", "Experiment", "Profile", "Started", "Commit", "Back end", "Machine"}, rows)
	return p
}

func signedPercent(x float64) string {
	return fmt.Sprintf("%+.3g %%", 100*x)
}

func stepText(s compare.Series, step compare.Step) string {
	if s.Exact {
		return page.Escape(step.Why)
	}
	return "p = " + format.Number(step.P)
}

func runText(r compare.Side) string {
	if r.Manifest.Commit != "" {
		return page.Code(format.Short(r.Manifest.Commit)) + ", " + page.Escape(r.Manifest.Started)
	}
	return page.Code(r.Name) + ", " + page.Escape(r.Manifest.Started)
}

func seriesText(s compare.Series) string {
	text := page.Code(s.Metric) + " of " + page.Code(s.Method) + " on " + page.Code(s.Dataset)
	if s.Kernel != "" {
		text += ", " + page.Code(s.Kernel)
	}
	if s.On != "" {
		text += ", " + page.Escape(s.On)
	}
	return text
}

func HistoryCSV(runs []compare.Side, series []compare.Series) []byte {
	rows := [][]string{{"experiment", "profile", "dataset", "kernel", "method", "metric", "unit", "run", "started", "commit", "value", "changed"}}
	for _, s := range series {
		changed := map[int]bool{}
		for _, step := range s.Steps {
			changed[step.At] = true
		}
		for i, v := range s.Values {
			r := runs[s.Runs[i]]
			rows = append(rows, []string{s.Experiment, s.Profile, s.Dataset, s.Kernel, s.Method, s.Metric, s.Unit,
				r.Name, r.Manifest.Started, r.Manifest.Commit, strconv.FormatFloat(v, 'g', -1, 64), strconv.FormatBool(changed[i])})
		}
	}
	return CSVText(rows)
}
