package figure

import (
	"regexp"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

const (
	labelSize   = 8.0
	margin      = vg.Length(3)
	titleHeight = vg.Length(12)
	labelRow    = vg.Length(10) // of an axis's label, below or beside the first
)

// labelLines are the lines of a text along a side of a panel.
func labelLines(txt string, side vg.Length) []string {
	return wrapped(txt, textStyle(labelSize), side-2*margin)
}

// further is the room for lines of a label after the first.
func further(lines int) vg.Length { return vg.Length(max(0, lines-1)) * labelRow }

// centred is the middle of a text around center, moved aside where it would leave the
// panel, which is from low to high.
func centred(length, center, low, high vg.Length) vg.Length {
	return min(max(center, low+margin+length/2), high-margin-length/2)
}

// breaks are where a line may end, the best first: between coordinates, at spaces, after
// punctuation, between letters. Raised and sunk text stays in one piece.
var breaks = []*regexp.Regexp{
	regexp.MustCompile(`(?s).*?(?:, |$)`),
	regexp.MustCompile(`\S+\s*`),
	regexp.MustCompile(`(?:` + raisedPart + `|[^\pP\pS])*(?:[\pP\pS]+|$)`),
	regexp.MustCompile(raisedPart + `|(?s:.)`),
}

const raisedPart = `[` + raise + sink + `][^` + lower + `]*` + lower

// wrapped breaks txt into lines of a width, so that nothing is cut.
func wrapped(txt string, style draw.TextStyle, width vg.Length) []string {
	fits := func(line string) bool { return style.Width(strings.TrimSpace(line)) <= width }
	var lines []string
	for _, part := range pieces(txt, fits, breaks) {
		if last := len(lines) - 1; last >= 0 && fits(lines[last]+part) {
			lines[last] += part
		} else {
			lines = append(lines, part)
		}
	}
	for i, line := range lines {
		lines[i] = strings.TrimSpace(line)
	}
	return lines
}

// pieces cuts txt at the best breaks that leave pieces that fit.
func pieces(txt string, fits func(string) bool, at []*regexp.Regexp) []string {
	switch {
	case txt == "":
		return nil
	case len(at) == 0 || fits(txt):
		return []string{txt}
	}
	var all []string
	for _, part := range at[0].FindAllString(txt, -1) {
		all = append(all, pieces(part, fits, at[1:])...)
	}
	return all
}
