package report

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"mercer/configs"
	"mercer/internal/claims"
	"mercer/internal/lists"
	"mercer/report/figure"
	"mercer/report/format"
	"mercer/report/sections"
	"mercer/results"
)

// Judged is a run with the spec and the verdicts that it has.
type Judged struct {
	Run      results.Run
	Spec     *configs.Spec
	Verdicts []claims.Verdict
	Answers  []claims.Answer // those of a site alone
}

// WriteOverlay renders several runs over each other into dir: report.md and index.html,
// which say the same, the plots of all their specs with a line for each run, the verdicts
// side by side, the means of the main metrics by run, and the tables of [Write]. A plot that
// several specs have under one id is that of the first.
func WriteOverlay(dir string, judged []Judged) (Files, error) {
	names := runNames(judged)
	var runs []results.Run
	var named []sections.NamedRun
	var plots []configs.Plot
	var metrics []string
	for i, j := range judged {
		runs = append(runs, j.Run)
		named = append(named, sections.NamedRun{Name: names[i], Run: j.Run, Verdicts: j.Verdicts})
		for _, p := range j.Spec.Plots {
			if !slices.ContainsFunc(plots, func(q configs.Plot) bool { return q.ID == p.ID }) {
				plots = append(plots, p)
			}
		}
		metrics = append(metrics, MainMetrics(j.Run, j.Spec, j.Verdicts)...)
	}
	figures := figure.OfRuns(names, runs, plots, map[string]bool{})
	w := newWriter(dir)
	w.figures(drawn(figures))
	w.numbers(figures)
	w.table(format.VerdictsTable, sections.OverlayVerdictsCSV(named))
	w.table(format.SummaryTable, sections.OverlaySummaryCSV(named))
	return w.finish(sections.Overlay(named, figures, lists.Once(metrics)))
}

// runNames are names of runs that differ: of their folders, else of their commits, else as
// much of their paths as it takes.
func runNames(judged []Judged) []string {
	tail := func(j Judged, most int) string {
		dir := j.Run.Dir
		if full, err := filepath.Abs(dir); err == nil {
			dir = full
		}
		parts := strings.Split(filepath.ToSlash(dir), "/")
		return strings.Join(parts[max(0, len(parts)-most):], "/")
	}
	name := func(of func(Judged) string) (names []string, differ bool) {
		for _, j := range judged {
			names = append(names, of(j))
		}
		sorted := slices.Sorted(slices.Values(names))
		return names, sorted[0] != "" && len(slices.Compact(sorted)) == len(names)
	}
	if names, differ := name(func(j Judged) string { return tail(j, 1) }); differ {
		return names
	}
	if names, differ := name(func(j Judged) string { return format.Short(j.Run.Manifest.Commit) }); differ {
		return names
	}
	const deep = 100
	for most := 2; most < deep; most++ {
		if names, differ := name(func(j Judged) string { return tail(j, most) }); differ {
			return names
		}
	}
	names, _ := name(func(j Judged) string { return cmp.Or(j.Run.Dir, ".") })
	return names
}
