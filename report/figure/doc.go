// Package figure draws, with gonum.org/v1/plot: the slopes and estimates of claims (slope.go,
// forest.go), the answers of targets (answers.go) and the plots of a spec (plots.go), as SVG, PNG
// and PDF. Start with chart.go.
//
//  1. [OfClaim], [OfAnswers] and [OfPlots] read verdicts, answers or records, and give each
//     figure a name that no other has. plot.go, plotcells.go and plotdata.go average over the
//     repeats of a cell, heatmap.go takes medians, ranks.go ranks.
//  2. What a figure shows is data: a [Chart] is panels below a legend, a [Panel] is two axes
//     and series, a [Series] is points with intervals (chart.go). A bar is a series on an axis
//     of names, an estimate of a forest a point with its interval. A heat map has fields below
//     its series (heat.go).
//  3. newChart gives the axes their spans. What is there for comparison widens them only so far.
//  4. draw.go hands panels to gonum/plot. Ticks are of this package (ticks.go);
//     texts have raised and sunk parts (texts.go); series differ by colour and by shape
//     (palette.go).
//  5. The HTML report draws the same series from the JSON of the chart (report/page). Heat maps
//     stay an SVG, of which it reads fields (Chart.Readings).
package figure
