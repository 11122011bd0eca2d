// Package report renders a run: an HTML page, a Markdown report, tidy CSV tables
// and figures. It works from records and verdicts alone: it averages what was measured and
// never computes an error of an estimator.
//
// # Steps
//
//  1. [Write] groups the verdicts by claim and names a figure for each slope
//     verdict with points, and one more for claims with several such groups; of
//     other claims one of the estimates of all verdicts, or of their cells.
//  2. The plots of the spec get their numbers: means over the repeats of a cell,
//     never over different cells (plot.go, plotcells.go), or points that the run has kept
//     (plotpoints.go).
//  3. Figures are drawn (figure.go: slopes; forest.go: estimates; plotlines.go: line, trajectory and
//     pareto plots; plotrows.go: box and bar plots; chart.go: how panels and legend
//     are laid out; axis.go, ticks.go: where the axes are labelled; outlines.go:
//     text as outlines, so that a figure looks the same where its font is missing),
//     as SVG and PNG.
//  4. tables/verdicts.csv, tables/summary.csv and the numbers of each plot and
//     budget are written (csv.go, plotpage.go, budget.go).
//  5. What the report says is put together as a page of blocks (page.go), from what
//     is asked first to what is asked last: the answer (answer.go), the verdicts, methods at
//     equal cost (budget.go, and in a paragraph budgetanswer.go), the plots
//     (plotpage.go), a section a claim (claim.go),
//     the measurements (measurements.go, grid.go), what failed or is missing
//     (losses.go), the caveats (caveats.go), where it all comes from
//     (provenance.go).
//  6. report.md and index.html are written from that page (markdown.go, html.go,
//     assets/), so they say the same. In the HTML, tables show more of their rows
//     and can be sorted and filtered, and the marks of figures give their numbers
//     (reading.go).
//  7. Each file is written beside its place and renamed into it; report.md comes
//     last, so that it never points to a figure that is not there yet. Figures
//     that an older report.md shows and this one does not are removed.
//
// [VerdictTable] prints the verdicts for a terminal.
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
