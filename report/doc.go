// Package report renders a run: an HTML page, a Markdown report, tidy CSV tables
// and figures. It works from records and verdicts alone: it averages what was measured and
// never computes an error of an estimator.
//
// # Rooms
//
//	report    what is called: [Write], [WriteLatex], [VerdictTable]
//	sections  what is written about a run: a file a section of the report
//	page      blocks, and how Markdown, HTML and LaTeX write them
//	figure    charts of claims and plots, as SVG, PNG and PDF
//	format    numbers, names and coordinates as text
//
// Each imports only those below it.
//
// # Steps
//
//  1. [Write] groups the verdicts by claim (sections.Claims). A figure is named for each
//     slope verdict with points, and one more for claims with several such groups; of
//     other claims one of the estimates of all verdicts, or of their cells.
//  2. The plots of the spec get their numbers (figure.OfPlots): means over the repeats of a
//     cell, never over different cells, or points that the run has kept.
//  3. Figures are drawn, as SVG, PNG and PDF, and the tables are written: tables/verdicts.csv,
//     tables/summary.csv and the numbers of each plot and budget.
//  4. sections.Report puts together what the report says, from what is asked first to what
//     is asked last: the answer, methods at equal cost, the verdicts, the plots, a section
//     a claim, the measurements, what failed or is missing, the caveats, where it all
//     comes from.
//  5. report.md and index.html are written from that page, so they say the same. In the
//     HTML, tables show more of their rows and can be sorted and filtered, and the marks
//     of figures give their numbers.
//  6. Each file is written beside its place and renamed into it; report.md comes
//     last, so that it never points to a figure that is not there yet. Figures
//     that an older report.md shows and this one does not are removed.
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
