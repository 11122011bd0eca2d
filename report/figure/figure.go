package figure

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"mercer/report/format"
)

func (f Figure) PngPath() string { return strings.TrimSuffix(f.Path, ".svg") + ".png" }

func (f Figure) PdfPath() string { return strings.TrimSuffix(f.Path, ".svg") + ".pdf" }

// Figure is a chart and where it goes.
type Figure struct {
	Path  string // below the report's folder, with slashes
	Alt   string
	Says  string // in the words of the spec what it shows; "" where the spec has none
	Shows string // what its marks and intervals are, in sentences
	Note  string // what of the verdict the chart does not show
	Chart Chart
}

// FigurePath is a name for a figure that no other figure has, on file systems
// too that do not tell upper case from lower case.
func FigurePath(taken map[string]bool, claim, group string) string {
	const longest = 100
	name := format.Slug(claim)
	if g := format.Slug(group); g != "" {
		name += "-" + g
	}
	if name == "" || len(name) > longest {
		sum := sha256.Sum256([]byte(claim + "\x00" + group))
		name = strings.Trim(name[:min(len(name), longest-9)]+"-"+hex.EncodeToString(sum[:4]), "-")
	}
	unique := name
	for i := 2; taken[strings.ToLower(unique)]; i++ {
		unique = fmt.Sprintf("%s-%d", name, i)
	}
	taken[strings.ToLower(unique)] = true
	return format.FiguresFolder + "/" + unique + ".svg"
}
