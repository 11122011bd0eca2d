// Package figure draws, with gonum.org/v1/plot: the plots of a spec (plots.go), the slopes of
// claims and the answers of targets (verdicts.go), as SVG, PNG and PDF. Start with chart.go.
//
//  1. [OfClaim], [OfAnswers] and [OfPlots] make charts of verdicts, answers and rows, and give
//     each figure a name that no other has.
//  2. What a figure shows is data: a [Chart] is panels below a legend, a [Panel] is two axes
//     and series, a [Series] is points with intervals (chart.go). An axis may have names. A heat
//     map has fields besides (heatmap.go).
//  3. A plot of a spec goes in one pass from rows to a chart and to its table: reader.go picks
//     rows and splits them into panels, series and places; lines.go takes means, with references
//     beside them (references.go), heatmap.go the cells of a bound, scatter.go points.
//  4. newChart gives the axes their spans. Curves for comparison widen them only so far.
//  5. draw.go hands panels to the plotters of gonum/plot. Ticks are of this package (ticks.go);
//     series differ by colour and by shape (palette.go), fields by the colours of a scale.
//  6. The HTML report draws the same series from the JSON of the chart (report/page). Heat maps
//     stay an SVG.
package figure
