// Package templates writes the first spec of a user, for points of a CSV file or for a program as a
// method. The spec has comments that say what to change, a plot, and a smoke profile that takes
// seconds. Its text is spec.yaml.tmpl.
package templates

import (
	_ "embed"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"text/template"
)

//go:embed spec.yaml.tmpl
var text string

var filled = template.Must(template.New("spec").Funcs(template.FuncMap{"quote": strconv.Quote}).Parse(text))

// Request is what a spec is to ask.
type Request struct {
	Name    string   // of the experiment
	CSV     string   // file of points, relative to the spec; "" for generated points
	Label   string   // column of the classes in it; "" for none
	Command []string // of the program; empty for none
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
