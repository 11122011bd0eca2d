package figure

import (
	"encoding/json"
	"math"
	"slices"
	"strings"

	"mercer/report/format"
)

// reading is a mark of a panel and the numbers that it stands for, all digits of
// them, for readers that point at it.
type reading struct {
	x0, x1, y0, y1 float64 // in the coordinates of the axes
	text           string  // lines
}

// readingAt is a reading at a point.
func readingAt(x, y float64, lines ...string) reading {
	lines = slices.DeleteFunc(lines, func(line string) bool { return line == "" })
	return reading{x, x, y, y, strings.Join(lines, "\n")}
}

// Placed is where in the SVG a reading is, in the units of its viewBox, from its
// upper left corner.
type Placed struct {
	x, y, width, height float64
	text                string
}

// MarshalJSON writes an array, to a hundredth of a point.
func (p Placed) MarshalJSON() ([]byte, error) {
	round := func(v float64) float64 { return math.Round(100*v) / 100 }
	return json.Marshal([]any{round(p.x), round(p.y), round(p.width), round(p.height), p.text})
}

// equation is "name = value", with its band where there is one.
func equation(name string, v, low, high float64) string {
	if !format.Finite(v) {
		return ""
	}
	text := format.Printable(name) + " = " + format.Value(v)
	if format.Finite(low) && format.Finite(high) && low != high {
		text += " [" + format.Value(low) + ", " + format.Value(high) + "]"
	}
	return text
}
