package plain

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"
)

// Table draws rows below a header in ASCII, flush left. Cells are as wide as their
// longest line.
func Table(header []string, rows [][]string) string {
	var out strings.Builder
	cell := tw.CellConfig{
		Formatting: tw.CellFormatting{AutoWrap: tw.WrapNone, AutoFormat: tw.Off},
		Alignment:  tw.CellAlignment{Global: tw.AlignLeft},
		Padding:    tw.CellPadding{Global: tw.PaddingDefault},
	}
	table := tablewriter.NewTable(&out,
		tablewriter.WithRenderer(renderer.NewBlueprint(tw.Rendition{Symbols: tw.NewSymbols(tw.StyleASCII)})),
		tablewriter.WithEastAsian(tw.Off), tablewriter.WithHeaderConfig(cell), tablewriter.WithRowConfig(cell))
	table.Header(header)
	if err := cmp.Or(table.Bulk(rows), table.Render()); err != nil {
		panic(err) // a table of texts in memory always can
	}
	return out.String()
}

// Colour is one of a terminal's.
type Colour int

// Colours of outcomes: what is wrong, what is well and what to look at.
const (
	Red    Colour = 31
	Green  Colour = 32
	Yellow Colour = 33
)

// Paint gives text a colour; 0 is none.
func Paint(text string, c Colour) string {
	if c == 0 {
		return text
	}
	return fmt.Sprintf("\x1b[%dm%s\x1b[0m", c, text)
}
