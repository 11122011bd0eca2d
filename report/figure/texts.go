package figure

import (
	"strings"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/font/liberation"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

const (
	labelSize = 8.0
	tickSize  = 7.0 // points; the smallest text of a figure
)

// plotText draws the text of all figures.
var plotText = text.Plain{Fonts: font.NewCache(liberation.Collection())}

func textStyle(size float64) text.Style {
	return text.Style{Color: black, Font: font.Font{Typeface: "Liberation", Variant: "Sans", Size: vg.Points(size)}, Handler: plotText}
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
