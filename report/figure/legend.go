package figure

import (
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

const (
	legendRow = vg.Length(10)
	iconWidth = vg.Length(18)
	iconGap   = vg.Length(4)
)

// entry is a line of the legend.
type entry struct {
	text   string
	layers []layer // its icon
}

// lineEntry explains a line that is drawn.
func lineEntry(text string, l layer) []entry {
	if len(l.points) < 2 {
		return nil
	}
	return []entry{{text, []layer{l}}}
}

// legendStyle is that of the legend's text.
func legendStyle() draw.TextStyle {
	style := textStyle(tickSize)
	style.YAlign = draw.YCenter
	return style
}

// legendLine is one row of a legend's block.
type legendLine struct {
	entries []entry
	columns int // of the whole block
}

// arranged puts as many entries of a block in a row as there is room for, in columns
// of equal width.
func arranged(block []entry, width vg.Length) []legendLine {
	widest := vg.Length(0)
	for _, e := range block {
		widest = max(widest, legendStyle().Width(e.text))
	}
	columns := max(1, int((width-2*margin)/(iconWidth+iconGap+widest+iconGap)))
	var rows []legendLine
	for part := range slices.Chunk(block, columns) {
		rows = append(rows, legendLine{part, columns})
	}
	return rows
}

// drawLegend draws rows on top of a canvas.
func drawLegend(canvas draw.Canvas, rows []legendLine) {
	style := legendStyle()
	for i, row := range rows {
		column := (canvas.Size().X - 2*margin) / vg.Length(row.columns)
		top := canvas.Max.Y - margin - vg.Length(i)*legendRow
		for j, e := range row.entries {
			left := canvas.Min.X + margin + vg.Length(j)*column
			icon := draw.Canvas{Canvas: canvas.Canvas, Rectangle: vg.Rectangle{
				Min: vg.Point{X: left, Y: top - legendRow},
				Max: vg.Point{X: left + iconWidth, Y: top},
			}}
			for _, l := range e.layers {
				l.icon(icon)
			}
			at := vg.Point{X: left + iconWidth + iconGap, Y: top - legendRow/2 + style.FontExtents().Descent}
			canvas.FillText(style, at, fit(e.text, style, column-iconWidth-iconGap))
		}
	}
}
