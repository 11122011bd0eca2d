package report

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"

	"mercer/configs"
	"mercer/internal/claims"
	"mercer/results"
)

// plotFigure is a plot ready for the report: its figure, caption and numbers.
type plotFigure struct {
	id, title string
	figure    // empty path where nothing can be drawn
	trouble   string
	caption   []string // sentences
	table     string   // path of its numbers
	numbers   [][]string
}

// plotFigures reads and lays out the plots of a run, under names that are not
// taken.
func plotFigures(run results.Run, plots []configs.Plot, taken map[string]bool) []plotFigure {
	reader := claims.NewReader(run)
	var figures []plotFigure
	for _, p := range plots {
		f := plotFigure{id: p.ID, title: p.Title}
		drawn := figure{}
		var notes []string
		if p.Kind == configs.PlotScatter {
			s := readScatter(run.Dir, p, reader)
			f.trouble, notes, f.numbers = s.trouble, s.notes, s.numbers()
			if f.trouble == "" {
				drawn.chart = s.chart()
				f.caption = s.caption()
			}
		} else {
			d := readPlot(p, reader)
			f.trouble, notes, f.numbers = d.trouble, d.notes, d.numbers()
			if f.trouble == "" {
				drawn.chart = d.chart()
				f.caption = d.caption()
			}
		}
		f.caption = append(f.caption, notes...)
		if f.trouble == "" {
			drawn.path = figurePath(taken, "plot", p.ID)
			drawn.alt = cmp.Or(p.Title, p.ID) + ": " + drawn.chart.describe
			f.figure = drawn
			name := strings.TrimSuffix(strings.TrimPrefix(drawn.path, FiguresFolder+"/"), ".svg")
			f.table = TablesFolder + "/" + name + ".csv"
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
	repeats := count(d.most, "repeat")
	if d.least < d.most {
		repeats = fmt.Sprintf("%d to %s", d.least, repeats)
	}
	y, x := printable(d.Y), printable(d.X)
	var what string
	switch d.Kind {
	case configs.PlotLine:
		what = fmt.Sprintf("Mean of %s over %s against %s", y, repeats, x)
	case configs.PlotTrajectory:
		what = fmt.Sprintf("Mean of %s against that of %s, each over %s, in the order of %s", y, x, repeats, printable(d.Along))
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
		if d.Band == "t" && (d.Axes.X == "log" || d.Axes.Y == "log") {
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
	return []string{fmt.Sprintf("The first %s of the sample of repeat 0 (all of a smaller one), and the first two coordinates that each result gives them; in each panel both axes span the same length.", count(most, "point"))}
}

// plots writes the figures of the spec's plots.
func (p *document) plots(figures []plotFigure) {
	if len(figures) == 0 {
		return
	}
	p.heading(2, "Figures")
	for _, f := range figures {
		title := code(f.id)
		if f.title != "" {
			title = escape(f.title)
		}
		p.heading(3, title)
		if f.trouble != "" {
			p.para("%s %s.", emphasis("Plot "+code(f.id)+" is not drawn:"), strings.TrimSuffix(escape(f.trouble), "."))
			for _, sentence := range f.caption {
				p.para("%s", escape(sentence))
			}
			continue
		}
		p.figure(f.figure)
		sentences := make([]string, len(f.caption))
		for i, sentence := range f.caption {
			sentences[i] = escape(sentence)
		}
		p.para("%s %s, %s.", strings.Join(sentences, " "), link(f.table, "Numbers"), link(f.pngPath(), "PNG"))
	}
}

func (f figure) pngPath() string { return strings.TrimSuffix(f.path, ".svg") + ".png" }

// numbers has a row for each point that is drawn, tidy: what it is in column
// role (measured, theory, floor, mark), and the panel and series that it is in.
func (d plotted) numbers() [][]string {
	if d.Kind == configs.PlotBox {
		return d.boxNumbers()
	}
	rows := [][]string{{"plot", "role", "panel", "series", "row", "cell", "label", "x", "x_low", "x_high", "y", "y_low", "y_high", "repeats", "front"}}
	row := func(role string, p plotPanel, series, place, cell, label string, x, y estimate, rest ...string) {
		rows = append(rows, append([]string{d.ID, role, pairs(p.at), series, place, cell, label,
			value(x.value), value(x.low), value(x.high), value(y.value), value(y.low), value(y.high)}, append(rest, "", "")[:2]...))
	}
	for _, p := range d.panels {
		for _, l := range p.lines {
			series := pairs(l.at)
			for _, q := range l.points {
				place, x, front := "", q.x, ""
				if d.Rows() {
					place, x = d.X+"="+p.rows[q.row], nowhere
				}
				if d.Kind == configs.PlotPareto {
					front = map[bool]string{true: "yes", false: "no"}[q.front]
				}
				row("measured", p, series, place, pairs(q.cell), "", x, q.y, strconv.Itoa(len(q.values)), front)
			}
			for _, c := range l.theory {
				for _, q := range c.points {
					row("theory", p, series, "", "", d.theories[c.number], exactly(q.x), exactly(q.y))
				}
			}
			for _, q := range l.floor {
				row("floor", p, series, "", "", d.Floor, exactly(q.x), exactly(q.y))
			}
		}
		for _, m := range p.marks {
			x, y := nowhere, nowhere
			if m.x != nil {
				x = exactly(*m.x)
			}
			if m.y != nil {
				y = exactly(*m.y)
			}
			row("mark", p, "", d.rowsOf(p, m), "", m.label, x, y)
		}
	}
	return rows
}

// nowhere is an estimate of nothing.
var nowhere = exactly(math.NaN())

// exactly is a value without a band.
func exactly(v float64) estimate { return estimate{v, math.NaN(), math.NaN()} }

func (d plotted) rowsOf(p plotPanel, m plotMark) string {
	var words []string
	for _, i := range m.rows {
		words = append(words, d.X+"="+p.rows[i])
	}
	return strings.Join(words, " ")
}

// boxNumbers has a row for each box.
func (d plotted) boxNumbers() [][]string {
	rows := [][]string{{"plot", "role", "panel", "series", "row", "label", "y", "low", "q1", "median", "q3", "high", "outliers", "repeats"}}
	for _, p := range d.panels {
		for _, l := range p.lines {
			for _, q := range l.points {
				b := box(q.values)
				rows = append(rows, []string{d.ID, "measured", pairs(p.at), pairs(l.at), d.X + "=" + p.rows[q.row], "", value(q.y.value),
					value(b.low), value(b.q1), value(b.median), value(b.q3), value(b.high), strconv.Itoa(len(b.outliers)), strconv.Itoa(len(q.values))})
			}
		}
		for _, m := range p.marks {
			rows = append(rows, []string{d.ID, "mark", pairs(p.at), "", d.rowsOf(p, m), m.label, value(*m.y), "", "", "", "", "", "", ""})
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
			rows = append(rows, []string{s.ID, pairs(c.at), space, value(p[0]), value(p[1]), class})
		}
	}
	return rows
}
