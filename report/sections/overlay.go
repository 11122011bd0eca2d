package sections

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"mercer/internal/claims"
	"mercer/internal/lists"
	"mercer/internal/plain"
	"mercer/internal/selection"
	"mercer/report/figure"
	"mercer/report/format"
	"mercer/report/page"
	"mercer/results"
)

// Overlay is the page of several runs: what they are, their figures, their verdicts side by
// side and their means of some metrics.
func Overlay(runs []NamedRun, figures []figure.PlotFigure, metrics []string) page.Page {
	together := joined(runs)
	p := newDocument(together)
	p.order["method"] = columnOrder(runs)
	p.exact, p.run = nil, map[string]string{}
	for _, r := range runs {
		labels, exact := figure.LabelsOf(r.Run.Manifest), figure.References(r.Run.Manifest)
		for _, record := range r.Run.Records {
			p.run[r.column(labels, record.Method)] = r.Name
		}
		for _, method := range exact {
			p.exact = append(p.exact, r.column(labels, method))
		}
	}
	p.Heading(1, page.Escape(overlayTitle(runs)))
	best := bestFigure(figures, nil, nil, "")
	p.Lead(func() {
		p.Para("%s", strings.TrimSpace(sameSpec(runs)+" "+differences(runs)))
		if question := runs[0].Run.Manifest.Question; question != "" && together.Manifest.Question == question {
			p.Para("%s %s", page.Strong("Question:"), page.Escape(question))
		}
	}, best)
	p.Heading(2, "Runs")
	p.runsTable(runs)
	p.plots(figures)
	p.verdictsOfRuns(runs)
	if len(metrics) > 0 {
		p.Heading(2, "Means by run")
		p.Para("Mean over repeats ± half-width of its %s t interval, in the unit given; a column for each method and run. Methods are compared within a run. %s", format.Percent(results.DefaultLevel), BoldRule)
		p.metricTables(together, metrics)
	}
	return p.Page
}

// joined are the records of all runs in one, with the run in the name of the method, so
// that tables have a column for each.
func joined(runs []NamedRun) results.Run {
	out := runs[0].Run
	out.Records = nil
	out.Manifest.Variables, out.Manifest.Labels, out.Manifest.Datasets = nil, map[string]string{}, map[string]results.DatasetInfo{}
	for _, r := range runs {
		m := r.Run.Manifest
		out.Manifest.Variables = lists.Once(slices.Concat(out.Manifest.Variables, m.Variables))
		maps.Copy(out.Manifest.Labels, m.Labels)
		maps.Copy(out.Manifest.Datasets, m.Datasets)
		if m.Question != out.Manifest.Question {
			out.Manifest.Question = ""
		}
		labels := figure.LabelsOf(m)
		for _, record := range r.Run.Records {
			record.Method = r.column(labels, record.Method)
			out.Records = append(out.Records, record)
		}
	}
	out.Records = results.Sorted(out.Records, out.Manifest.Variables)
	return out
}

// column is the name of a method's column in tables of several runs.
func (r NamedRun) column(labels figure.Labels, method string) string {
	return cmp.Or(labels.Of(method), method) + ", " + r.Name
}

// columnOrder is that of the columns: methods as the specs list them, the runs of each
// beside each other.
func columnOrder(runs []NamedRun) map[string]int {
	var methods []string
	for _, r := range runs {
		own := map[string]bool{}
		for _, record := range r.Run.Records {
			own[record.Method] = true
		}
		order := selection.OrderOf(r.Run.Manifest)
		methods = append(methods, slices.SortedStableFunc(slices.Values(slices.Sorted(maps.Keys(own))), func(a, b string) int { return order.Compare("method", a, b) })...)
	}
	columns := map[string]int{}
	for _, method := range lists.Once(methods) {
		for _, r := range runs {
			columns[r.column(figure.LabelsOf(r.Run.Manifest), method)] = len(columns)
		}
	}
	return columns
}

func overlayTitle(runs []NamedRun) string {
	titles := lists.Once(lists.Map(runs, func(r NamedRun) string { return cmp.Or(r.Run.Manifest.Title, r.Run.Manifest.Experiment) }))
	if len(titles) == 1 {
		return titles[0] + ": " + plain.Count(len(runs), "run")
	}
	return plain.Count(len(runs), "run") + ": " + strings.Join(titles, "; ")
}

// sameSpec says what of the runs' specs is the same, since a difference of means may be one
// of specs.
func sameSpec(runs []NamedRun) string {
	hashes, names := map[string]bool{}, map[string]bool{}
	for _, r := range runs {
		hashes[r.Run.Manifest.SpecHash], names[r.Run.Manifest.Experiment] = true, true
	}
	switch {
	case len(hashes) == 1:
		return "All runs have the same spec."
	case len(names) == 1:
		return page.Strong("The specs of the runs differ") + ", under the same name: what is beside each other may not be the same computation."
	}
	return page.Strong("The runs are of different experiments") + ": what is beside each other may not be the same computation."
}

func (p *document) runsTable(runs []NamedRun) {
	var rows [][]string
	for _, r := range runs {
		m := r.Run.Manifest
		records := strconv.Itoa(len(r.Run.Records))
		if missing := r.Run.Missing(); missing > 0 {
			records += fmt.Sprintf(" of %d", missing+len(r.Run.Records))
		}
		rows = append(rows, []string{page.Code(r.Name), cmp.Or(outcomeCounts(r.Verdicts), format.None), page.Code(m.Experiment), page.Code(m.Profile), page.Code(format.Short(m.Commit)), page.Escape(m.Started), records})
	}
	p.Table("llllllr", []string{"Run", "Verdicts", "Experiment", "Profile", "Commit", "Started", "Records"}, rows)
}

// outcomeCounts are the numbers of verdicts by outcome; "" of none.
func outcomeCounts(verdicts []claims.Verdict) string {
	counts := claims.Counts(verdicts)
	var words []string
	for _, o := range []claims.Outcome{claims.Violated, claims.Inconclusive, claims.NotApplicable, claims.Holds} {
		if counts[o] > 0 {
			words = append(words, fmt.Sprintf("%s %d", page.Outcome(string(o)), counts[o]))
		}
	}
	return strings.Join(words, " · ")
}

// verdictsOfRuns has a row for each claim and group, and a column for each run.
func (p *document) verdictsOfRuns(runs []NamedRun) {
	type place struct{ claim, group string }
	var places []place
	said := map[place]map[string]string{}
	for _, r := range runs {
		for _, v := range r.Verdicts {
			at := place{format.ClaimName(v), selection.Describe(v.Group)}
			if said[at] == nil {
				places, said[at] = append(places, at), map[string]string{}
			}
			text := page.Outcome(v.Words())
			if estimate := estimateText(v); estimate != "" && estimate != format.None {
				text += " " + estimate
			}
			said[at][r.Name] = text
		}
	}
	if len(places) == 0 {
		return
	}
	p.Heading(2, "Verdicts side by side")
	header := []string{"Claim", "Where"}
	for _, r := range runs {
		header = append(header, page.Code(r.Name))
	}
	var rows [][]string
	for _, at := range places {
		row := []string{page.Code(at.claim), cmp.Or(page.Escape(at.group), format.None)}
		for _, r := range runs {
			row = append(row, cmp.Or(said[at][r.Name], format.None))
		}
		rows = append(rows, row)
	}
	p.CutTable(page.Table{Align: strings.Repeat("l", len(header)), Header: header, Rows: rows, Most: maxRows, Noun: "verdict", Where: format.VerdictsTable})
}

// OverlayVerdictsCSV is [VerdictsCSV] of several runs, with the name of the run in front.
func OverlayVerdictsCSV(runs []NamedRun) []byte {
	var all [][]string
	for _, r := range runs {
		for i, row := range verdictRows(r.Verdicts) {
			switch {
			case i > 0:
				all = append(all, append([]string{r.Name}, row...))
			case len(all) == 0:
				all = append(all, append([]string{"run"}, row...))
			}
		}
	}
	return CSVText(all)
}

// OverlaySummaryCSV is [SummaryCSV] of several runs, with the run in the name of the method.
func OverlaySummaryCSV(runs []NamedRun) []byte { return SummaryCSV(joined(runs)) }
