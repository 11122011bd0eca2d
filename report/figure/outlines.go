package figure

import (
	"fmt"
	"regexp"
	"strings"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/font/liberation"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Marks in a text: outlines raises what stands between raise and lower, and sinks what
// stands between sink and lower. They are of Unicode's private use, so no text of a spec has
// them.
const (
	raise = "\uE000"
	lower = "\uE001"
	sink  = "\uE002"
)

const (
	tickSize   = 7.0  // points; the smallest text of a figure
	raisedSize = 0.86 // size of raised and sunk text, relative to the text it belongs to: 6 points at ticks
	raisedBy   = 0.36 // the baseline of raised text, in sizes of the text
	sunkBy     = 0.14 // that of sunk text, below
)

// outlines draws text as filled outlines of the embedded Liberation fonts. A
// figure then needs no font where it is shown, and text has the widths that its
// layout was made for. It differs from text.Plain in that and in raised text.
type outlines struct{ text.Plain }

// plotText is the text handler of all figures.
var plotText = outlines{text.Plain{Fonts: font.NewCache(liberation.Collection())}}

func textStyle(size float64) text.Style {
	f := font.Font{Typeface: plot.DefaultFont.Typeface, Variant: "Sans", Size: vg.Points(size)}
	return text.Style{Color: black, Font: f, Handler: plotText}
}

// run is a stretch of a line at one height.
type run struct {
	text string
	rise vg.Length // of its baseline, in sizes of the text; 0 in the line
}

var shifted = regexp.MustCompile(`([` + raise + sink + `])([^` + lower + `]*)(?:` + lower + `|$)`)

func runsOf(line string) []run {
	var runs []run
	from := 0
	for _, at := range shifted.FindAllStringSubmatchIndex(line, -1) {
		rise := map[string]vg.Length{raise: raisedBy, sink: -sunkBy}[line[at[2]:at[3]]]
		runs = append(runs, run{text: line[from:at[0]]}, run{line[at[4]:at[5]], rise})
		from = at[1]
	}
	return append(runs, run{text: line[from:]})
}

func (o outlines) face(f font.Font, shifted bool) font.Face {
	if shifted {
		f.Size *= raisedSize
	}
	return o.Fonts.Lookup(f, f.Size)
}

// Box returns the bounding box of one line: width, height above the baseline,
// and depth below it.
func (o outlines) Box(line string, f font.Font) (width, height, depth vg.Length) {
	extents := o.Extents(f)
	for _, r := range runsOf(line) {
		face := o.face(f, r.rise != 0)
		width += face.Width(r.text)
	}
	return width, extents.Ascent, extents.Descent
}

// Draw fills the outlines of txt at pt, aligned and rotated as sty says.
func (o outlines) Draw(c vg.Canvas, txt string, sty text.Style, pt vg.Point) {
	txt = strings.TrimRight(txt, "\n")
	if txt == "" {
		return
	}
	c.Push()
	defer c.Pop()
	c.SetColor(sty.Color)
	c.Translate(pt)
	if sty.Rotation != 0 {
		c.Rotate(sty.Rotation)
	}
	lines := o.Lines(txt)
	base := sty.Height(txt)*vg.Length(sty.YAlign) - o.Extents(sty.Font).Ascent
	for i, line := range lines {
		width, _, _ := o.Box(line, sty.Font)
		at := vg.Point{X: vg.Length(sty.XAlign) * width, Y: base + vg.Length(len(lines)-i)*sty.Font.Size}
		var path vg.Path
		for _, r := range runsOf(line) {
			face := o.face(sty.Font, r.rise != 0)
			from := at
			from.Y += r.rise * sty.Font.Size
			path = appendOutline(path, face, r.text, from)
			at.X += face.Width(r.text)
		}
		if len(path) > 0 {
			c.Fill(path)
		}
	}
}

// appendOutline adds the glyphs of s from baseline point at on. A rune that the
// font lacks shows as the font's empty box. The embedded font has all that is
// asked of it, so an error there is a mistake of this program.
func appendOutline(path vg.Path, face font.Face, s string, at vg.Point) vg.Path {
	var buf sfnt.Buffer
	em := fixed.Int26_6(face.Face.UnitsPerEm()) // coordinates come in font units
	scale := face.Font.Size / vg.Length(em)
	must := func(err error) {
		if err != nil {
			panic(fmt.Sprintf("report: embedded font: %v", err))
		}
	}
	var previous sfnt.GlyphIndex
	for i, r := range s {
		glyph, err := face.Face.GlyphIndex(&buf, r)
		must(err)
		if i > 0 {
			if kern, err := face.Face.Kern(&buf, previous, glyph, em, 0); err == nil {
				at.X += vg.Length(kern) * scale
			}
		}
		segments, err := face.Face.LoadGlyph(&buf, glyph, em, nil)
		must(err)
		path = appendGlyph(path, segments, at, scale)
		advance, err := face.Face.GlyphAdvance(&buf, glyph, em, 0)
		must(err)
		at.X += vg.Length(advance) * scale
		previous = glyph
	}
	return path
}

// appendGlyph adds one glyph's contours; those of a font point downwards.
func appendGlyph(path vg.Path, segments sfnt.Segments, at vg.Point, scale vg.Length) vg.Path {
	place := func(p fixed.Point26_6) vg.Point {
		return vg.Point{X: at.X + vg.Length(p.X)*scale, Y: at.Y - vg.Length(p.Y)*scale}
	}
	for i, s := range segments {
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			if i > 0 {
				path.Close()
			}
			path.Move(place(s.Args[0]))
		case sfnt.SegmentOpLineTo:
			path.Line(place(s.Args[0]))
		case sfnt.SegmentOpQuadTo:
			path.QuadTo(place(s.Args[0]), place(s.Args[1]))
		case sfnt.SegmentOpCubeTo:
			path.CubeTo(place(s.Args[0]), place(s.Args[1]), place(s.Args[2]))
		}
	}
	if len(segments) > 0 {
		path.Close()
	}
	return path
}

// fit shortens txt to a width. An ellipsis replaces its middle: names begin with what
// they are and end with the value that tells them apart.
func fit(txt string, style draw.TextStyle, width vg.Length) string {
	if style.Width(txt) <= width {
		return txt
	}
	runes := []rune(txt)
	for n := len(runes) - 1; n > 0; n-- {
		head, tail := string(runes[:n-n/2]), string(runes[len(runes)-n/2:])
		if short := strings.TrimRight(head, " ") + "…" + strings.TrimLeft(tail, " "); style.Width(short) <= width {
			return short
		}
	}
	return "…"
}
