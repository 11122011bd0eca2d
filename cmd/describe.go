package cmd

import (
	"fmt"
	"strings"

	"mercer/configs"
	"mercer/data"
	"mercer/internal/kernel"
	"mercer/internal/metrics"
	"mercer/methods"
)

// describe gives a page for each registry that has the name.
func describe(name string) []string {
	var pages []string
	if e, ok := methods.Registry[name]; ok {
		pages = append(pages, page("method", name, e.Doc, e.New(), "from: "+e.Reference, "cost: "+e.Cost, "version: "+e.Version))
	}
	if m, ok := metrics.Registry[name]; ok {
		pages = append(pages, page("measure", name, m.Doc, nil, "from: "+m.Reference, "cost: "+m.Cost, "unit: "+m.Unit, "gives: "+strings.Join(m.Outputs, ", "), "for: "+strings.Join(m.Shapes, ", ")))
	}
	if e, ok := data.Registry[name]; ok {
		pages = append(pages, page("data set", name, e.Doc, e.New(), "constants in expressions: "+strings.Join(e.Constants, ", ")))
	}
	if e, ok := kernel.Registry[name]; ok {
		pages = append(pages, page("kernel", name, e.Doc, e.New(), spectral(e)))
	}
	return pages
}

func spectral(e kernel.Entry) string {
	if e.Fourier {
		return "has a spectral measure: rff with features: fourier can draw from it"
	}
	return "has no spectral measure: "
}

func page(kind, name, doc string, options any, lines ...string) string {
	text := fmt.Sprintf("%s %s: %s", kind, name, doc)
	for _, line := range lines {
		if !strings.HasSuffix(line, ": ") {
			text += "\n  " + line
		}
	}
	if options != nil {
		for _, key := range configs.Describe(options) {
			text += "\n    " + key
		}
	}
	return text
}
