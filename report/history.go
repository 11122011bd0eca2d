package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"mercer/internal/compare"
	"mercer/results"
)

// mostHistoryFigures is how many figures a page of history has: series with
// changes first.
const mostHistoryFigures = 60

// HistoryTable is the file with all values of a history.
const HistoryTable = TablesFolder + "/history.csv"

// WriteHistory renders how metrics went over runs, which are in order of time,
// into dir: report.md and index.html, which say the same, a figure for each series,
// those with changes first, and tables/history.csv, all values. level is the
// probability of a false alarm that the series were made with.
func WriteHistory(dir string, runs []compare.Side, series []compare.Series, level float64) (Files, error) {
	w := newWriter(dir)
	shown := slices.Clone(series)
	slices.SortStableFunc(shown, func(a, b compare.Series) int { return min(1, len(b.Steps)) - min(1, len(a.Steps)) })
	var figures []figure
	for i, s := range shown[:min(len(shown), mostHistoryFigures)] {
		figures = append(figures, historyFigure(runs, s, i))
	}
	w.figures(figures)
	w.table(HistoryTable, historyCSV(runs, series))
	p := historyPage(runs, series, figures, level)
	return w.finish(p)
}

func historyPage(runs []compare.Side, series []compare.Series, figures []figure, level float64) page {
	var p page
	p.heading(1, "History of "+count(len(runs), "run"))
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
				verdict, worse = strong("worse"), worse+1
			case s.On != "" || s.Better != compare.Neither:
				verdict = "better"
			}
			changes = append(changes, []string{runText(runs[s.Runs[step.At]]), verdict, code(s.Experiment), seriesText(s),
				signedPercent(step.Change()), number(step.Before) + " → " + number(step.After), stepText(s, step)})
		}
	}
	switch {
	case len(changes) == 0:
		p.para("%s No change was found.", strong("Answer:"))
	default:
		p.para("%s %s, %d of them for the worse.", strong("Answer:"), count(len(changes), "change"), worse)
	}
	p.para("%d series with the same seeds in all runs are compared number by number, so that each difference is one of code, data, versions or machine. "+
		"Of %d others, costs and runs with seeds of their own, changes are places at which the level moves, by E-divisive with a permutation test: "+
		"if nothing changed, and neighbouring runs are independent, any is found here with probability at most %s. "+
		"A change is found once three or four runs lie behind it; the newest run is what %s looks at.",
		exact, tested, percent(level), code("mercer compare"))
	if len(changes) > 0 {
		p.heading(2, "Changes")
		p.table("llllrll", []string{"Since run", "", "Experiment", "Series", "Change", "From → to", "How it is known"}, changes)
	}
	if len(figures) > 0 {
		p.heading(2, "Series")
		for _, f := range figures {
			p.figure(f)
		}
		if rest := len(series) - len(figures); rest > 0 {
			p.para("… and %d more series in %s.", rest, link(HistoryTable, "the table"))
		}
	}
	p.para("%s of all series.", link(HistoryTable, "All values"))
	p.heading(2, "Runs")
	var rows [][]string
	for i, r := range runs {
		m := r.Manifest
		rows = append(rows, []string{strconv.Itoa(i + 1), code(r.Name), code(m.Experiment), code(m.Profile), escape(m.Started), code(short(m.Commit)),
			escape(m.Versions["blas"]), escape(machineText(m.Machine))})
	}
	p.table("rlllllll", []string{"", "Run", "Experiment", "Profile", "Started", "Commit", "Back end", "Machine"}, rows)
	return p
}

func signedPercent(x float64) string {
	return fmt.Sprintf("%+.3g %%", 100*x)
}

func stepText(s compare.Series, step compare.Step) string {
	if s.Exact {
		return escape(step.Why)
	}
	return "p = " + number(step.P)
}

// short is the beginning of a commit's name, as git shows it.
func short(commit string) string { return commit[:min(len(commit), 10)] }

func runText(r compare.Side) string {
	if r.Manifest.Commit != "" {
		return code(short(r.Manifest.Commit)) + ", " + escape(r.Manifest.Started)
	}
	return code(r.Name) + ", " + escape(r.Manifest.Started)
}

func seriesText(s compare.Series) string {
	text := code(s.Metric) + " of " + code(s.Method) + " on " + code(s.Dataset)
	if s.Kernel != "" {
		text += ", " + code(s.Kernel)
	}
	if s.On != "" {
		text += ", " + escape(s.On)
	}
	return text
}

// historyFigure draws one series over its runs, with the level between changes.
func historyFigure(runs []compare.Side, s compare.Series, number int) figure {
	log := slices.Min(s.Values) > 0
	y := extentOf{log: log}
	y.include(s.Values...)
	var p panel
	levels := func(c *draw.Canvas, x, y func(float64) vg.Length) {
		var marks []vg.Point
		for i, v := range s.Values {
			at := vg.Point{X: x(float64(s.Runs[i] + 1)), Y: y(v)}
			marks = append(marks, at)
			c.DrawGlyph(draw.GlyphStyle{Color: looks[0].colour, Radius: radius, Shape: looks[0].shape}, at)
		}
		c.StrokeLines(draw.LineStyle{Color: translucent(looks[0].colour), Width: lineWidth}, marks)
		from := 0
		for k := range len(s.Steps) + 1 {
			to := len(s.Values)
			if k < len(s.Steps) {
				to = s.Steps[k].At
				between := x(float64(s.Runs[to]+1+s.Runs[to-1]+1) / 2)
				c.StrokeLine2(draw.LineStyle{Color: red, Width: 0.8, Dashes: dashes}, between, c.Min.Y, between, c.Max.Y)
			}
			level := results.Summarize(s.Values[from:to], results.DefaultLevel).Median
			c.StrokeLine2(draw.LineStyle{Color: black, Width: lineWidth}, x(float64(s.Runs[from]+1)), y(level), x(float64(s.Runs[to-1]+1)), y(level))
			from = to
		}
	}
	p.layers = []layer{levels}
	for i, v := range s.Values {
		r := runs[s.Runs[i]]
		p.readings = append(p.readings, readingAt(float64(s.Runs[i]+1), v, fmt.Sprintf("run %d, %s", s.Runs[i]+1, r.Manifest.Started), short(r.Manifest.Commit),
			equation(s.Metric, v, math.NaN(), math.NaN())))
	}
	first, last := float64(s.Runs[0]+1), float64(s.Runs[len(s.Runs)-1]+1)
	across := span{first - 0.5, last + 0.5}
	whole := slices.DeleteFunc(linearTicks(across, nil, 8), func(t plot.Tick) bool { return t.Value != math.Trunc(t.Value) })
	p.x = axis{label: "run", span: across, ticks: whole}
	unit := s.Metric
	if s.Unit != "" {
		unit += " (" + s.Unit + ")"
	}
	up := y.span()
	if log {
		p.y = axis{label: unit, span: up.pad(0.08), log: true, ticks: logTicks(up.pad(0.08), 6)}
	} else {
		room := math.Max(0.08*(up.high-up.low), 1e-12)
		up = span{up.low - room, up.high + room}
		p.y = axis{label: unit, span: up, ticks: linearTicks(up, nil, 6)}
	}
	title := fmt.Sprintf("%s of %s on %s, %s", s.Metric, s.Method, s.Dataset, s.Experiment)
	describe := fmt.Sprintf("%s over %s: a mark for each run, a line at the median between changes, dashed lines at changes.", s.Metric, count(len(s.Runs), "run"))
	note := title + "; pooled over " + count(s.Records, "record")
	if s.On != "" {
		note += "; " + s.On
	}
	name := fmt.Sprintf("%s/history-%d-%s.svg", FiguresFolder, number+1, slug(s.Experiment+" "+s.Dataset+" "+s.Method+" "+s.Metric))
	return figure{path: name, alt: title, note: note + ".", chart: single(title, describe, p, nil)}
}

func historyCSV(runs []compare.Side, series []compare.Series) []byte {
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
	return csvText(rows)
}
