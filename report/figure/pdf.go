package figure

import (
	"fmt"
	"sync"
	"time"

	"codeberg.org/go-pdf/fpdf"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgpdf"
)

// undated makes the same chart give the same bytes at any time.
var undated = sync.OnceFunc(func() {
	fpdf.SetDefaultCatalogSort(true)
	fpdf.SetDefaultCreationDate(time.Unix(0, 0).UTC())
	fpdf.SetDefaultModificationDate(time.Unix(0, 0).UTC())
})

// Pdf renders the chart.
func (c Chart) Pdf() ([]byte, error) {
	undated()
	canvas := vgpdf.New(c.Width, c.height())
	return c.drawn(pdfCanvas{canvas}, canvas)
}

// pdfCanvas draws text as outlines: vgpdf embeds whole fonts, and of their letters only those
// of code page 1252, without λ and −.
type pdfCanvas struct{ *vgpdf.Canvas }

// FillString fills the outlines of a text. A letter that the font lacks is its empty box.
func (c pdfCanvas) FillString(face font.Face, at vg.Point, text string) {
	var buf sfnt.Buffer
	var path vg.Path
	em := fixed.Int26_6(face.Face.UnitsPerEm()) // coordinates come in font units, downwards
	scale := face.Font.Size / vg.Length(em)
	place := func(p fixed.Point26_6) vg.Point {
		return vg.Point{X: at.X + vg.Length(p.X)*scale, Y: at.Y - vg.Length(p.Y)*scale}
	}
	for _, r := range text {
		glyph := embedded(face.Face.GlyphIndex(&buf, r))
		for _, s := range embedded(face.Face.LoadGlyph(&buf, glyph, em, nil)) {
			switch s.Op {
			case sfnt.SegmentOpMoveTo:
				path.Move(place(s.Args[0]))
			case sfnt.SegmentOpLineTo:
				path.Line(place(s.Args[0]))
			case sfnt.SegmentOpQuadTo: // the font is TrueType, which has no cubic curves
				path.QuadTo(place(s.Args[0]), place(s.Args[1]))
			}
		}
		at.X += vg.Length(embedded(face.Face.GlyphAdvance(&buf, glyph, em, 0))) * scale
	}
	if len(path) > 0 {
		c.Fill(path)
	}
}

// embedded is what an embedded font has. An error of it is a mistake of this program.
func embedded[T any](value T, err error) T {
	if err != nil {
		panic(fmt.Sprintf("report: embedded font: %v", err))
	}
	return value
}
