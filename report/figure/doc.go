// Package figure draws: the slopes and estimates of claims (slope.go, forest.go), the plots
// of a spec (plot*.go), as SVG and PNG.
//
//  1. [OfClaim] and [OfPlots] read verdicts or records, and give each figure a name that no
//     other has.
//  2. What a figure shows is data: a chart is panels below a legend, a panel is two axes
//     and layers, a layer is points with intervals, drawn in one of the forms of layer.go.
//  3. The axes get their ranges from the layers, and their ticks (axis.go, ticks.go).
//  4. Titles and axis labels take as many lines as they need (texts.go). Text is drawn as
//     outlines (outlines.go), so that a figure looks the same where its font is missing.
//     Series differ by colour and by shape (palette.go).
//  5. The points keep their numbers in words. A chart over two numbers becomes data
//     (data.go), which the HTML report draws anew for its reader; of the others it shows the
//     numbers under the pointer (chart.Readings).
package figure
