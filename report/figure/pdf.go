package figure

import (
	"bytes"
	"fmt"
	"image/color"
	"sync"
	"time"

	"codeberg.org/go-pdf/fpdf"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgpdf"
)

// undated makes the same chart give the same bytes at any time.
var undated = sync.OnceFunc(func() {
	fpdf.SetDefaultCatalogSort(true)
	fpdf.SetDefaultCreationDate(time.Unix(0, 0).UTC())
	fpdf.SetDefaultModificationDate(time.Unix(0, 0).UTC())
})

// Pdf renders the chart, with its letters as outlines.
func (c chart) Pdf() ([]byte, error) {
	undated()
	canvas := vgpdf.New(c.width, c.height)
	c.draw(draw.New(pdfCanvas{canvas}))
	var file bytes.Buffer
	if _, err := canvas.WriteTo(&file); err != nil {
		return nil, fmt.Errorf("report: figure: %w", err)
	}
	return file.Bytes(), nil
}

// pdfCanvas draws in colours that are not multiplied by their opacity, which vgpdf takes
// for theirs and applies once more.
type pdfCanvas struct{ *vgpdf.Canvas }

func (c pdfCanvas) SetColor(drawn color.Color) {
	c.Canvas.SetColor(opaque(color.NRGBAModel.Convert(drawn).(color.NRGBA)))
}

// opaque is a colour whose components are those of the opaque one, beside its opacity.
type opaque color.NRGBA

func (c opaque) RGBA() (r, g, b, a uint32) {
	return uint32(c.R) * 0x101, uint32(c.G) * 0x101, uint32(c.B) * 0x101, uint32(c.A) * 0x101
}
