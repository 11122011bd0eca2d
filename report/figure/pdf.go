package figure

import (
	"bytes"
	"fmt"
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
	c.draw(draw.New(canvas))
	var file bytes.Buffer
	if _, err := canvas.WriteTo(&file); err != nil {
		return nil, fmt.Errorf("report: figure: %w", err)
	}
	return file.Bytes(), nil
}
