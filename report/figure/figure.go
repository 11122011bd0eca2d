package figure

import (
	"cmp"
	"fmt"
	"strings"

	"mercer/report/format"
)

// Figure is a chart and where it goes.
type Figure struct {
	Path  string // below the report's folder, with slashes
	Alt   string
	Says  string // in the words of the spec what it shows; "" where the spec has none
	Shows string // what its marks and intervals are, in sentences
	Chart Chart
}

// FigurePath is a name for a figure that no other figure has, on file systems
// too that do not tell upper case from lower case.
func FigurePath(taken map[string]bool, name string) string {
	name = format.Slug(name)
	name = cmp.Or(name[:min(len(name), 100)], "figure")
	unique := name
	for i := 2; taken[strings.ToLower(unique)]; i++ {
		unique = fmt.Sprintf("%s-%d", name, i)
	}
	taken[strings.ToLower(unique)] = true
	return format.FiguresFolder + "/" + unique + ".svg"
}

func (f Figure) PngPath() string { return strings.TrimSuffix(f.Path, ".svg") + ".png" }

func (f Figure) PdfPath() string { return strings.TrimSuffix(f.Path, ".svg") + ".pdf" }
