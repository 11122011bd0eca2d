package figure

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"strconv"
	"strings"

	"mercer/configs"
	"mercer/internal/selection"
	"mercer/report/format"
	"mercer/results"
)

// PlotFigure is a plot ready for the report: its figure, caption and numbers.
type PlotFigure struct {
	ID, Title string
	Figure    // empty path where nothing can be drawn
	Trouble   string
	Caption   []string // sentences
	Table     string   // path of its numbers
	Numbers   [][]string
}

// OfPlots reads and lays out the plots of a run, under names that are not
// taken.
func OfPlots(run results.Run, plots []configs.Plot, taken map[string]bool) []PlotFigure {
	records := selection.New(run, nil)
	var figures []PlotFigure
	for _, p := range plots {
		f := PlotFigure{ID: p.ID, Title: p.Title}
		drawn := Figure{}
		var notes []string
		if p.Kind == configs.PlotScatter {
			s := readScatter(run.Dir, p, records)
			f.Trouble, notes, f.Numbers = s.trouble, s.notes, s.numbers()
			if f.Trouble == "" {
				drawn.Chart = s.chart()
				f.Caption = s.caption()
			}
		} else {
			d := readPlot(p, records)
			f.Trouble, notes, f.Numbers = d.trouble, d.notes, d.numbers()
			if f.Trouble == "" {
				drawn.Chart = d.chart()
				f.Caption = d.caption()
			}
		}
		f.Caption = append(f.Caption, notes...)
		if f.Trouble == "" {
			drawn.Path = FigurePath(taken, "plot", p.ID)
			drawn.Alt = cmp.Or(p.Title, p.ID) + ": " + drawn.Chart.describe
			f.Figure = drawn
			name := strings.TrimSuffix(strings.TrimPrefix(drawn.Path, format.FiguresFolder+"/"), ".svg")
			f.Table = format.TablesFolder + "/" + name + ".csv"
		}
		figures = append(figures, f)
	}
	return figures
}

func (d plotted) chart() chart {
	if d.Rows() {
		return d.rowChart()
	}
	return d.lineChart()
}

// caption says what is drawn, in sentences.
func (d plotted) caption() []string {
	repeats := format.Count(d.most, "repeat")
	if d.least < d.most {
		repeats = fmt.Sprintf("%d to %s", d.least, repeats)
	}
	y, x := format.Printable(d.Y.Text), format.Printable(d.X.Text)
	var what string
	switch d.Kind {
	case configs.PlotLine:
		what = fmt.Sprintf("Mean of %s over %s against %s", y, repeats, x)
	case configs.PlotTrajectory:
		what = fmt.Sprintf("Mean of %s against that of %s, each over %s, in the order of %s", y, x, repeats, format.Printable(d.Along.Value))
	case configs.PlotPareto:
		what = fmt.Sprintf("Mean of %s against that of %s, each over %s, a mark for each cell; on the front are those that no other mark is below in both, by the means alone", y, x, repeats)
	case configs.PlotBar:
		what = fmt.Sprintf("Mean of %s over %s", y, repeats)
	case configs.PlotBox:
		what = fmt.Sprintf("%s over %s: median, quartiles, and the farthest values within 1.5 times the distance of the quartiles; the others by themselves", y, repeats)
		if d.least < fewValues {
			what = fmt.Sprintf("%s over %s: each value where there are fewer than %d, else median, quartiles, and the farthest values within 1.5 times the distance of the quartiles", y, repeats, fewValues)
		}
	}
	caption := []string{what + "."}
	if band := d.bandText(); band != "" {
		noun := "Bands are"
		if d.Kind == configs.PlotPareto || d.Kind == configs.PlotBar {
			noun = "Whiskers are"
		}
		text := map[string]string{"sd": "one standard deviation over repeats to either side", "t": "95 % t intervals of the mean, each by itself"}[d.Band]
		if d.Band == "t" && (d.Axes.X == "log" || d.Axes.Y.Value == "log") {
			text += "; on log axes, of its logarithm"
		}
		caption = append(caption, noun+" "+text+".")
	} else if d.Band != "none" && d.Band != "" {
		caption = append(caption, "A single repeat has no band.")
	}
	for _, c := range d.Theory {
		if c.Anchor != "none" {
			caption = append(caption, "Curves of the theory have the constant factor that takes them through a point of their line.")
			break
		}
	}
	return caption
}

func (s scattered) caption() []string {
	most := 0
	for _, c := range s.clouds {
		most = max(most, len(c.points))
	}
	return []string{fmt.Sprintf("The first %s of the sample of repeat 0 (all of a smaller one), and the first two coordinates that each result gives them; in each panel both axes span the same length.", format.Count(most, "point"))}
}

// numbers has a row for each point that is drawn, tidy: what it is in column
// role (measured, theory, floor, mark), and the panel and series that it is in.
func (d plotted) numbers() [][]string {
	if d.Kind == configs.PlotBox {
		return d.boxNumbers()
	}
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
			rows = append(rows, []string{d.ID, string(s.role), format.Pairs(p.at), format.Pairs(s.at), d.rowsOf(p, q), format.Pairs(q.cell), s.label,
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
	words := make([]string, len(q.rows))
	for i, row := range q.rows {
		words[i] = d.X.Text + "=" + p.rows[row]
	}
	return strings.Join(words, " ")
}

// boxNumbers has a row for each box.
func (d plotted) boxNumbers() [][]string {
	rows := [][]string{{"plot", "role", "panel", "series", "row", "label", "y", "low", "q1", "median", "q3", "high", "outliers", "repeats"}}
	for p, s := range d.series() {
		for _, q := range s.points {
			row := []string{d.ID, string(s.role), format.Pairs(p.at), format.Pairs(s.at), d.rowsOf(p, q), s.label, format.Value(q.y.value)}
			if s.role == mark {
				row = append(row, make([]string, 7)...)
			} else {
				b := box(q.values)
				row = append(row, format.Value(b.low), format.Value(b.q1), format.Value(b.median), format.Value(b.q3), format.Value(b.high), strconv.Itoa(len(b.outliers)), strconv.Itoa(len(q.values)))
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// numbers has a row for each point of each panel.
func (s scattered) numbers() [][]string {
	rows := [][]string{{"plot", "panel", "space", "x", "y", "class"}}
	for _, c := range s.clouds {
		space := "image"
		if c.input {
			space = "input"
		}
		for i, p := range c.points {
			class := ""
			if c.class != nil {
				class = strconv.Itoa(c.class[i])
			}
			rows = append(rows, []string{s.ID, format.Pairs(c.at), space, format.Value(p[0]), format.Value(p[1]), class})
		}
	}
	return rows
}
