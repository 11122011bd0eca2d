package data

import (
	"fmt"
	"image"
	"image/color"
	"math"

	"gonum.org/v1/gonum/mat"
)

// sourceImages is a Draw whose points are made of others.
type sourceImages interface {
	// original writes the point that point i of the sample is made of into dst.
	original(i int, dst []float64)
}

// sheetGap is the width of the lines between images, in pixels.
const sheetGap = 2

// ContactSheet is a picture of rows×columns points of a draw, from the given index of
// its sample on, read row by row. A point of D = s² numbers is an image of s×s
// pixels, the largest number of all white, 0 and less black. Where points are
// made of others, the original stands to the left of each. It fails where D is
// no square or there are no such points.
func ContactSheet(d Draw, from, rows, columns int) (image.Image, error) {
	if from < 0 || rows < 1 || columns < 1 {
		return nil, fmt.Errorf("a sheet of %d×%d images from index %d", rows, columns, from)
	}
	points, _, err := d.Rows(from + rows*columns)
	if err != nil {
		return nil, err
	}
	side := int(math.Sqrt(float64(points.Dim())))
	if side*side != points.Dim() {
		return nil, fmt.Errorf("points of %d coordinates are no square images", points.Dim())
	}
	indices := make([]int, rows*columns)
	for i := range indices {
		indices[i] = from + i
	}
	var x mat.Dense
	points.Rows(indices, &x)
	wide := 1
	source, made := d.(sourceImages)
	if made {
		wide = 2
	}
	sheet := image.NewGray(image.Rect(0, 0, columns*(wide*side+sheetGap)-sheetGap, rows*(side+sheetGap)-sheetGap))
	for i := range sheet.Pix {
		sheet.Pix[i] = 96
	}
	white := max(mat.Max(&x), math.SmallestNonzeroFloat64)
	paint := func(left, top int, pixels []float64) {
		for p, v := range pixels {
			grey := color.Gray{Y: uint8(math.Round(255 * min(max(v/white, 0), 1)))}
			sheet.SetGray(left+p%side, top+p/side, grey)
		}
	}
	before := make([]float64, points.Dim())
	for place, i := range indices {
		left, top := place%columns*(wide*side+sheetGap), place/columns*(side+sheetGap)
		if made {
			source.original(i, before)
			paint(left, top, before)
			left += side
		}
		paint(left, top, x.RawRowView(place))
	}
	return sheet, nil
}
