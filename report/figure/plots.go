package figure

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"

	"mercer/configs"
	"mercer/internal/claims"
	"mercer/internal/lists"
	"mercer/report/format"
	"mercer/results"
)

// PlotFigure is a plot ready for the report: its figure, caption and numbers.
type PlotFigure struct {
	ID, Title string
	Figure    // empty path where nothing can be drawn
	Problem   string
	Caption   []string // sentences
	Table     string   // path of its numbers
	Numbers   [][]string
}

// drawing is what becomes of a plot.
type drawing interface {
	chart() Chart
	caption(Labels) []string
	numbers() [][]string
}

// OfPlots reads and lays out the plots of a run with its verdicts, under names that are
// not taken.
func OfPlots(run results.Run, plots []configs.Plot, verdicts []claims.Verdict, taken map[string]bool) []PlotFigure {
	labels := LabelsOf(run)
	var figures []PlotFigure
	for _, p := range plots {
		r := newReader(p, run)
		var d drawing
		switch p.Kind {
		case configs.PlotScatter:
			d = r.scatter(run.Dir)
		case configs.PlotHeatmap:
			d = r.heatmap(verdicts)
		case configs.PlotRanks:
			d = r.ranked()
		default:
			d = r.read()
		}
		figures = append(figures, figureOf(p, d, r, taken, labels))
	}
	return figures
}

// figureOf is a plot that was read as a figure of the report.
func figureOf(p configs.Plot, d drawing, r *plotReader, taken map[string]bool, l Labels) PlotFigure {
	f := PlotFigure{ID: p.ID, Title: p.Title, Problem: r.trouble, Numbers: d.numbers()}
	if f.Problem == "" {
		c := d.chart().labelled(l)
		f.Caption = d.caption(l)
		c.Describe = f.Caption[0]
		f.Figure = Figure{Path: FigurePath(taken, "plot", p.ID), Alt: cmp.Or(p.Title, p.ID) + ": " + c.Describe, Says: l.Sentence(p.Title), Shows: strings.Join(f.Caption[:min(2, len(f.Caption))], " "), Chart: c}
		name := strings.TrimSuffix(strings.TrimPrefix(f.Path, format.FiguresFolder+"/"), ".svg")
		f.Table = format.TablesFolder + "/" + name + ".csv"
	}
	f.Caption = append(f.Caption, r.notes...)
	return f
}

// caption says what is drawn, in sentences.
func (d plotted) caption(l Labels) []string {
	repeats := d.repeats()
	y, x := l.named(d.Y.Text), l.named(d.X.Text)
	what := map[string]string{
		configs.PlotLine:       fmt.Sprintf("Mean of %s over %s against %s", y, repeats, x),
		configs.PlotTrajectory: fmt.Sprintf("Mean of %s against that of %s, each over %s, in the order of %s", y, x, repeats, l.named(d.Along.Value)),
		configs.PlotPareto:     fmt.Sprintf("Mean of %s against that of %s, each over %s, a mark for each cell; no other mark is below those on the front in both, by the means alone", y, x, repeats),
		configs.PlotBar:        fmt.Sprintf("Mean of %s over %s", y, repeats),
	}[d.Kind]
	caption := []string{what + "."}
	switch text := map[string]string{"sd": "one standard deviation over repeats to either side", "t": "95 % t intervals of each mean"}[d.Band]; {
	case text == "":
	case d.bandText() == "":
		caption = append(caption, "A single repeat has no band.")
	default:
		if d.Band == "t" && (d.Axes.X == "log" || d.Axes.Y == "log") {
			text += ", on log axes of its logarithm"
		}
		text = "Bands and whiskers are " + text + "."
		if d.Band == "t" && d.paired() {
			text += " Methods share their samples: paired differences can be clear where intervals overlap."
		}
		caption = append(caption, text)
	}
	if slices.ContainsFunc(d.Theory, func(c configs.TheoryCurve) bool { return c.Anchor != "none" }) {
		caption = append(caption, "Curves of the theory have the constant factor that takes them through a point of their line.")
	}
	return caption
}

// paired says whether several methods are drawn. They share the samples of a repeat.
func (d plotted) paired() bool {
	methods := map[string]bool{}
	for _, s := range d.series() {
		methods[s.at.Text("method")] = true
	}
	delete(methods, "")
	return len(methods) > 1 || d.X.Text == "method"
}

// numbers has a row for each point that is drawn, tidy: what it is in column
// role (measured, theory, floor, mark), and the panel and series that it is in.
func (d plotted) numbers() [][]string {
	rows := [][]string{{"plot", "role", "panel", "series", "row", "cell", "label", "x", "x_low", "x_high", "y", "y_low", "y_high", "repeats", "front"}}
	for p, s := range d.series() {
		for _, q := range s.points {
			repeats, front, x := "", "", q.x
			if s.role == measured {
				repeats = strconv.Itoa(len(q.values))
				if d.Rows() {
					x = exactly(math.NaN())
				}
				if d.Kind == configs.PlotPareto {
					front = map[bool]string{true: "yes", false: "no"}[q.front]
				}
			}
			rows = append(rows, []string{d.ID, string(s.role), p.at.String(), s.at.String(), d.rowsOf(p, q), q.cell.String(), s.label,
				format.Value(x.value), format.Value(x.low), format.Value(x.high), format.Value(q.y.value), format.Value(q.y.low), format.Value(q.y.high), repeats, front})
		}
	}
	return rows
}

// series are those of all panels.
func (d plotted) series() iter.Seq2[plotPanel, plotSeries] {
	return func(yield func(plotPanel, plotSeries) bool) {
		for _, p := range d.panels {
			for _, s := range p.series {
				if !yield(p, s) {
					return
				}
			}
		}
	}
}

func (d plotted) rowsOf(p plotPanel, q plotPoint) string {
	return strings.Join(lists.Map(q.rows, func(row int) string { return d.X.Text + "=" + p.rows[row] }), " ")
}
