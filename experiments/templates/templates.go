// Package templates writes the first spec of a user, for points of a CSV file or for a program as a
// method. Request.Look sees what the columns of the file are, and Request.Spec writes the spec. It
// has comments that say what to change, a plot, and a smoke profile that takes seconds. Its text is
// spec.yaml.tmpl. Advice asks how many landmarks or features the approximations of a task need; its
// text is advise.yaml.tmpl.
package templates

import (
	_ "embed"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/template"
)

//go:embed spec.yaml.tmpl
var text string

var functions = template.FuncMap{"quote": strconv.Quote, "has": slices.Contains[[]string], "replace": strings.ReplaceAll, "args": func(list ...any) []any { return list }}

var filled = template.Must(template.New("spec").Funcs(functions).Parse(text))

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
func (r Request) Spec() (string, error) {
	var out strings.Builder
	err := filled.Execute(&out, r)
	return out.String(), err
}

// NameOf is a name for the experiment of a file.
func NameOf(file string) string {
	base := strings.ToLower(strings.TrimSuffix(filepath.Base(file), filepath.Ext(file)))
	return strings.Trim(regexp.MustCompile(`[^a-z0-9]+`).ReplaceAllString(base, "-"), "-")
}
