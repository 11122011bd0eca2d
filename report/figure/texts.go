package figure

import (
	"regexp"
	"strings"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/font/liberation"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"

	"mercer/internal/plain"
)

// Marks in a text: what stands between raise and lower is raised, between sink and lower sunk.
// They are of Unicode's private use, so no text of a spec has them.
const (
	raise = "\uE000"
	lower = "\uE001"
	sink  = "\uE002"
)

var shifted = regexp.MustCompile(`([` + raise + sink + `])([^` + lower + `]*)(?:` + lower + `|$)`)

const (
	labelSize  = 8.0
	tickSize   = 7.0 // points; the smallest text of a figure
	raisedSize = 0.86
)

func textStyle(size float64) text.Style {
	return text.Style{Color: black, Font: font.Font{Typeface: "Liberation", Variant: "Sans", Size: vg.Points(size)}, Handler: plotText}
}

// plotText draws the text of all figures.
var plotText = scripts{text.Plain{Fonts: font.NewCache(liberation.Collection())}}

// scripts draws text with raised and sunk parts.
type scripts struct{ text.Plain }

// parts are the stretches of a line with how far each is raised, in sizes of the text.
func parts(line string, each func(text string, rise vg.Length)) {
	from := 0
	for _, at := range shifted.FindAllStringSubmatchIndex(line, -1) {
		each(line[from:at[0]], 0)
		each(line[at[4]:at[5]], map[string]vg.Length{raise: 0.36, sink: -0.14}[line[at[2]:at[3]]])
		from = at[1]
	}
	each(line[from:], 0)
}

func (s scripts) face(f font.Font, rise vg.Length) font.Face {
	if rise != 0 {
		f.Size *= raisedSize
	}
	return s.Fonts.Lookup(f, f.Size)
}

// Box is the size of one line.
func (s scripts) Box(line string, f font.Font) (width, height, depth vg.Length) {
	parts(line, func(text string, rise vg.Length) {
		face := s.face(f, rise)
		width += face.Width(text)
	})
	extents := s.Extents(f)
	return width, extents.Ascent, extents.Descent
}

// Draw draws lines at a point, aligned and rotated by their style.
func (s scripts) Draw(c vg.Canvas, txt string, style text.Style, at vg.Point) {
	c.Push()
	defer c.Pop()
	c.SetColor(style.Color)
	c.Translate(at)
	c.Rotate(style.Rotation)
	lines := s.Lines(txt)
	y := style.Height(txt)*vg.Length(style.YAlign) - s.Extents(style.Font).Ascent
	for i, line := range lines {
		width, _, _ := s.Box(line, style.Font)
		x := vg.Length(style.XAlign) * width
		parts(line, func(text string, rise vg.Length) {
			face := s.face(style.Font, rise)
			c.FillString(face, vg.Point{X: x, Y: y + vg.Length(len(lines)-i)*style.Font.Size + rise*style.Font.Size}, text)
			x += face.Width(text)
		})
	}
}

// wrapped breaks a text at spaces into lines of a width.
func wrapped(txt string, style text.Style, width vg.Length) string {
	var lines []string
	for _, word := range strings.Fields(txt) {
		if last := len(lines) - 1; last >= 0 && style.Width(lines[last]+" "+word) <= width {
			lines[last] += " " + word
		} else {
			lines = append(lines, fit(word, style, width))
		}
	}
	return strings.Join(lines, "\n")
}

// fit shortens a text to a width. An ellipsis replaces its middle: names begin with what they
// are and end with the value that tells them apart.
func fit(txt string, style text.Style, width vg.Length) string {
	runes := []rune(txt)
	for n := len(runes); n > 1 && style.Width(txt) > width; n-- {
		txt = strings.TrimRight(string(runes[:n-n/2]), " ") + "…" + strings.TrimLeft(string(runes[len(runes)-n/2:]), " ")
	}
	return txt
}

// joined is the lines of what a reader reads of a point, but for empty ones.
func joined(texts ...string) string {
	var there []string
	for _, text := range texts {
		if text != "" {
			there = append(there, text)
		}
	}
	return strings.Join(there, "\n")
}

// equation is "name = value", with its interval where it has one, to six digits.
func equation(name string, e estimate) string {
	if !plain.Finite(e.value) {
		return ""
	}
	text := plain.Text(name) + " = " + plain.Six(e.value)
	if plain.Finite(e.low) && plain.Finite(e.high) && e.low != e.high {
		text += " [" + plain.Six(e.low) + ", " + plain.Six(e.high) + "]"
	}
	return text
}
