package figure

import (
	"slices"
	"strings"

	"mercer/configs"
	"mercer/internal/selection"
	"mercer/results"
)

// OfRuns draws the plots of several runs, each by its name, over each other: a line for each
// run and series, or, where those could not be told apart, a panel for each run. Plots of a
// single run's points, heat maps and comparisons over problems are left out. Trouble with one run is a note.
func OfRuns(names []string, runs []results.Run, plots []configs.Plot, taken map[string]bool) []PlotFigure {
	manifests := make([]results.Manifest, len(runs))
	all := make([]*selection.Records, len(runs))
	for i, run := range runs {
		all[i], manifests[i] = selection.New(run, nil), run.Manifest
	}
	var figures []PlotFigure
	for _, p := range plots {
		if p.Kind == configs.PlotScatter || p.Kind == configs.PlotHeatmap || p.Problems() {
			continue
		}
		readers := make([]*plotReader, len(runs))
		for i := range runs {
			readers[i] = newReader(p, all[i])
			readers[i].read()
		}
		r := overlaid(names, readers, false)
		if len(r.names) > maxSeries {
			r = overlaid(names, readers, true)
		}
		figures = append(figures, figureOf(p, r.plotted, r, taken, LabelsOf(manifests...)))
	}
	return figures
}

// overlaid are the panels of all readers in one, with the run as a coordinate of the
// series, or of the panels.
func overlaid(names []string, readers []*plotReader, apart bool) *plotReader {
	all := *readers[0]
	all.panels, all.names, all.notes, all.trouble = nil, nil, nil, ""
	all.dropped, all.lost, all.cut = nil, nil, false // notes say it, by run
	for i, r := range readers {
		for _, text := range append(slices.Clone(r.notes), r.trouble) {
			if text != "" {
				all.note("%s: %s.", names[i], strings.TrimSuffix(text, "."))
			}
		}
		if r.trouble != "" {
			continue
		}
		if len(all.panels) == 0 {
			all.xName, all.yName, all.theories, all.least = r.xName, r.yName, r.theories, r.least
		}
		all.least, all.most = min(all.least, r.least), max(all.most, r.most)
		run := selection.Coordinate{Name: runColumn, Value: names[i]}
		for _, p := range r.panels {
			all.overlay(p, run, apart)
		}
	}
	all.name()
	all.finish()
	return &all
}

// overlay adds the panel of a run to the one of the same data, kernel and facet.
func (r *plotReader) overlay(p plotPanel, run selection.Coordinate, apart bool) {
	p.series = slices.Clone(p.series)
	if apart {
		p.at = append(slices.Clone(p.at), run)
	}
	i := slices.IndexFunc(r.panels, func(q plotPanel) bool { return slices.Equal(q.at, p.at) })
	if i < 0 {
		i = len(r.panels)
		r.panels = append(r.panels, plotPanel{at: p.at})
	}
	to := &r.panels[i]
	var rows []int // of the panel, by those of the run
	for _, name := range p.rows {
		if !slices.Contains(to.rows, name) {
			to.rows = append(to.rows, name)
		}
		rows = append(rows, slices.Index(to.rows, name))
	}
	for _, s := range p.series {
		if s.role != mark && !apart {
			s.at = append(slices.Clone(s.at), run)
		}
		if s.role == mark && slices.ContainsFunc(to.series, func(t plotSeries) bool { return t.role == mark && t.label == s.label }) {
			continue
		}
		s.points = slices.Clone(s.points)
		for j, q := range s.points {
			s.points[j].rows = make([]int, len(q.rows))
			for k, row := range q.rows {
				s.points[j].rows[k] = rows[row]
			}
			if q.rows == nil {
				s.points[j].rows = nil
			}
		}
		to.series = append(to.series, s)
	}
}
