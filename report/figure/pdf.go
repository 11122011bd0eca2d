package figure

import (
	"bytes"
	"fmt"
	"image/color"
	"sync"
	"time"

	"codeberg.org/go-pdf/fpdf"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
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
	c.draw(draw.New(pdfCanvas{canvas}))
	var file bytes.Buffer
	if _, err := canvas.WriteTo(&file); err != nil {
		return nil, fmt.Errorf("report: figure: %w", err)
	}
	return file.Bytes(), nil
}

// pdfCanvas draws text as outlines: vgpdf embeds whole fonts, and of their letters only those
// of code page 1252, without λ and −. It draws in colours that are not multiplied by their opacity, which vgpdf takes for
// theirs and applies once more.
type pdfCanvas struct{ *vgpdf.Canvas }

func (c pdfCanvas) SetColor(drawn color.Color) {
	n := color.NRGBAModel.Convert(drawn).(color.NRGBA)
	c.Canvas.SetColor(straight(n))
}

// straight is a colour beside its opacity.
type straight color.NRGBA

func (c straight) RGBA() (r, g, b, a uint32) {
	return uint32(c.R) * 0x101, uint32(c.G) * 0x101, uint32(c.B) * 0x101, uint32(c.A) * 0x101
}

// FillString fills the outlines of a text. A letter that the font lacks is its empty box. An
// error of the embedded font is a mistake of this program.
func (c pdfCanvas) FillString(face font.Face, at vg.Point, text string) {
	must := func(err error) {
		if err != nil {
			panic(fmt.Sprintf("report: embedded font: %v", err))
		}
	}
	var buf sfnt.Buffer
	var path vg.Path
	em := fixed.Int26_6(face.Face.UnitsPerEm()) // coordinates come in font units, downwards
	scale := face.Font.Size / vg.Length(em)
	place := func(p fixed.Point26_6) vg.Point {
		return vg.Point{X: at.X + vg.Length(p.X)*scale, Y: at.Y - vg.Length(p.Y)*scale}
	}
	for _, r := range text {
		glyph, err := face.Face.GlyphIndex(&buf, r)
		must(err)
		segments, err := face.Face.LoadGlyph(&buf, glyph, em, nil)
		must(err)
		for i, s := range segments {
			switch {
			case s.Op == sfnt.SegmentOpMoveTo && i > 0:
				path.Close()
				path.Move(place(s.Args[0]))
			case s.Op == sfnt.SegmentOpMoveTo:
				path.Move(place(s.Args[0]))
			case s.Op == sfnt.SegmentOpLineTo:
				path.Line(place(s.Args[0]))
			case s.Op == sfnt.SegmentOpQuadTo: // the font is TrueType, which has no cubic curves
				path.QuadTo(place(s.Args[0]), place(s.Args[1]))
			}
		}
		if len(segments) > 0 {
			path.Close()
		}
		advance, err := face.Face.GlyphAdvance(&buf, glyph, em, 0)
		must(err)
		at.X += vg.Length(advance) * scale
	}
	if len(path) > 0 {
		c.Fill(path)
	}
}
