// Package report renders a run: an HTML page, a Markdown report, tidy CSV tables
// and figures. It works from records and verdicts alone: it averages what was measured and
// never computes an error of an estimator.
//
// # Rooms
//
//	report     what is called: [Write], [WriteLatex], [Terminal]
//	templates  all words: report.md.tmpl, terminal.txt.tmpl, measurements.tex.tmpl
//	views      what a report shows, as plain data: a view a file
//	page       Markdown as one HTML file
//	figure     charts of claims and plots, as SVG, PNG and PDF
//	format     numbers, names and coordinates as text
//
// # Steps
//
//  1. views.New groups the verdicts by claim; Report.Draw lays out the figures.
//  2. Figures are drawn, as SVG, PNG and PDF, and the tables are written: tables/verdicts.csv,
//     tables/summary.csv and the numbers of each plot and budget.
//  3. report.md.tmpl is executed over the views twice: for report.md with few rows of long
//     tables, for the page with more. page.Html makes index.html of the second text; in it,
//     sections fold, tables are sorted and filtered, and the marks of figures give their numbers.
//  4. Each file is written beside its place and renamed into it; report.md comes
//     last, so that it never points to a figure that is not there yet.
//
// Start with views/report.go and templates/report.md.tmpl.
//
// # Words
//
//	n, m, d, ℓ      columns n, m, d, ell: sizes of a cell
//	mean ± h        mean over repeats, h the half-width of its 95 % t interval
//	[a, b]          interval of a verdict's estimate, at the level beside it
//	floor           exact lower end of an error, as the records give it
//	local slope     slope on log–log axes from the point before
//
// The same run and verdicts give the same bytes: no clock, no map order, no
// address of this machine but what the manifest says.
package report
