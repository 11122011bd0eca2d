package report

import (
	"slices"

	"mercer/internal/compare"
	"mercer/report/figure"
	"mercer/report/sections"
)

// WriteHistory renders how metrics went over runs, which are in order of time,
// into dir: report.md and index.html, which say the same, a figure for each series,
// those with changes first, and tables/history.csv, all values. level is the
// probability of a false alarm that the series were made with.
func WriteHistory(dir string, runs []compare.Side, series []compare.Series, level float64) (Files, error) {
	w := newWriter(dir)
	shown := slices.Clone(series)
	slices.SortStableFunc(shown, func(a, b compare.Series) int { return min(1, len(b.Steps)) - min(1, len(a.Steps)) })
	var figures []figure.Figure
	for i, s := range shown[:min(len(shown), sections.MostHistoryFigures)] {
		figures = append(figures, figure.OfHistory(runs, s, i))
	}
	w.figures(figures)
	w.table(sections.HistoryTable, sections.HistoryCSV(runs, series))
	p := sections.History(runs, series, figures, level)
	return w.finish(p)
}
