package figure

import (
	"cmp"
	"slices"
	"strings"

	"mercer/configs"
	"mercer/internal/claims"
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

// OfPlots reads and lays out the plots of a run with its verdicts, under names that are
// not taken.
func OfPlots(run results.Run, plots []configs.Plot, verdicts []claims.Verdict, taken map[string]bool, labels Labels) []PlotFigure {
	var figures []PlotFigure
	for _, p := range plots {
		figures = append(figures, newReader(p, run, labels).figure(verdicts, taken))
	}
	return figures
}

// figure draws the plot, or says why it cannot be drawn.
func (r *reader) figure(verdicts []claims.Verdict, taken map[string]bool) PlotFigure {
	c, caption := r.draw(verdicts)
	f := PlotFigure{ID: r.ID, Title: r.Title, Problem: r.trouble, Numbers: r.table}
	if f.Problem == "" {
		f.Figure = Figure{
			Path: FigurePath(taken, "plot-"+r.ID), Alt: cmp.Or(r.Title, r.ID) + ": " + caption[0],
			Says: r.labels.Sentence(r.Title), Shows: strings.Join(caption, " "), Chart: c.labelled(r.labels),
		}
		f.Caption = caption
		name := strings.TrimSuffix(strings.TrimPrefix(f.Path, format.FiguresFolder+"/"), ".svg")
		f.Table = format.TablesFolder + "/" + name + ".csv"
	}
	f.Caption = append(slices.Clone(f.Caption), r.notes...)
	return f
}

// draw reads the chart of the plot and its table, and says in sentences what is drawn.
func (r *reader) draw(verdicts []claims.Verdict) (Chart, []string) {
	switch {
	case r.trouble != "":
		return Chart{}, nil
	case r.Kind == configs.PlotScatter:
		return r.scatter()
	case r.Kind == configs.PlotHeatmap:
		return r.heatmap(verdicts)
	}
	return r.lines()
}
