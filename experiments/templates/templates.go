// Package templates writes the first spec of a user, for points of a CSV file or for a program as a
// method. Request.Look sees what the columns of the file are, and Request.Spec writes the spec. It
// has comments that say what to change, a plot, and a smoke profile that takes seconds. Its text is
// spec.yaml.tmpl. Advice asks how many landmarks or features the approximations of a task need; its
// text is advise.yaml.tmpl.
package templates

import (
	"embed"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/template"

	"mercer/internal/lists"
)

//go:embed *.tmpl
var folder embed.FS

var texts = template.Must(template.New("").Funcs(template.FuncMap{
	"quote": strconv.Quote, "has": slices.Contains[[]string], "replace": strings.ReplaceAll, "args": func(list ...any) []any { return list },
	"quoted": listed[string], "sizes": listed[int], "values": listed[float64], "largest": slices.Max[[]int],
}).ParseFS(folder, "*.tmpl"))

// listed is a list in a spec, between its brackets.
func listed[T string | int | float64](items []T) string {
	return strings.Join(lists.Map(items, func(item T) string {
		if text, ok := any(item).(string); ok {
			return strconv.Quote(text)
		}
		return fmt.Sprint(item)
	}), ", ")
}

// filled is the text of a template for a request.
func filled(name string, request any) (string, error) {
	var out strings.Builder
	err := texts.ExecuteTemplate(&out, name, request)
	return out.String(), err
}

// Kinds of requests: what the methods find.
const (
	Components = "components"
	Clusters   = "clusters"
	Regression = "regression"
)

// Request is what a spec is to ask.
type Request struct {
	Name     string              // of the experiment
	CSV      string              // file of points, relative to the spec; "" for generated points
	Label    string              // column of the classes in it; "" for none
	Response string              // column of the numbers to predict; "" for none
	Drop     []string            // further columns that are no coordinates; Look adds to them
	Words    bool                // columns of words are coordinates, one for each word
	OneHot   map[string][]string // these, by Look
	Command  []string            // of the program; empty for none
	Kind     string
	Methods  []string // to be compared, the keys of each as in a spec; empty for the usual ones
	Sizes    []string // that these depend on

	Rows        int      // of the file, by Look
	Classes     int      // of its column Label, 0 without
	Coordinates []string // columns that are some
	Left        []string // columns that Look left out, and why
}

// Spec is the text for a request.
func (r Request) Spec() (string, error) { return filled("spec.yaml.tmpl", r) }

// NameOf is a name for the experiment of a file.
func NameOf(file string) string {
	base := strings.ToLower(strings.TrimSuffix(filepath.Base(file), filepath.Ext(file)))
	return strings.Trim(regexp.MustCompile(`[^a-z0-9]+`).ReplaceAllString(base, "-"), "-")
}
