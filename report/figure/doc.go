// Package figure draws: the slopes and estimates of claims (slope.go, forest.go), the plots
// of a spec (plot*.go) and histories, as SVG and PNG.
//
//  1. [OfClaim], [OfPlots] and [OfHistory] read verdicts, records or series, and give each
//     figure a name that no other has.
//  2. A [Chart] is panels below a legend; a panel is a pair of axes and layers that draw in
//     their coordinates (chart.go). axis.go and ticks.go choose where axes are labelled.
//  3. Text is drawn as outlines (outlines.go), so that a figure looks the same where its font
//     is missing. Series differ by colour and by shape (palette.go).
//  4. The marks of a chart keep their numbers (reading.go), which the HTML report shows
//     under the pointer.
package figure
