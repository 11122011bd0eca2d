package cmd

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"mercer/configs"
	"mercer/data"
	"mercer/experiments"
	"mercer/kernel"
	"mercer/methods"
	"mercer/metrics"
)

// item is one line of a listing.
type item struct {
	Name      string `json:"name"`
	Doc       string `json:"doc"`
	Reference string `json:"reference,omitempty"`
	Cost      string `json:"cost,omitempty"`
}

func newList() *cobra.Command {
	var asJSON bool
	kinds := map[string]*bool{}
	c := &cobra.Command{
		Use:   "list",
		Short: "List experiments, or what specs can name",
		Example: `  mercer list              the experiments that come with mercer
  mercer list --methods    estimators, with their papers and costs
  mercer list --measures   error measures`,
		Args: arguments(cobra.NoArgs),
		RunE: func(c *cobra.Command, _ []string) error {
			items, err := experimentItems()
			for kind, list := range listings() {
				if *kinds[kind] {
					items, err = list(), nil
				}
			}
			if err != nil {
				return err
			}
			return printItems(c.OutOrStdout(), items, asJSON)
		},
	}
	for kind := range listings() {
		kinds[kind] = c.Flags().Bool(kind, false, "list "+kind)
	}
	c.MarkFlagsMutuallyExclusive(slices.Collect(maps.Keys(listings()))...)
	c.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	return c
}

func listings() map[string]func() []item {
	return map[string]func() []item{
		"methods": func() []item {
			return items(methods.Registry, func(e methods.Entry) item { return item{Doc: e.Doc, Reference: e.Reference, Cost: e.Cost} })
		},
		"measures": func() []item {
			return items(metrics.Registry, func(m metrics.Measure) item { return item{Doc: m.Doc, Reference: m.Reference, Cost: m.Cost} })
		},
		"datasets": func() []item {
			return items(data.Registry, func(e data.Entry) item { return item{Doc: e.Doc} })
		},
		"kernels": func() []item {
			return items(kernel.Registry, func(e kernel.Entry) item { return item{Doc: e.Doc} })
		},
		"profiles": func() []item {
			var list []item
			for _, name := range configs.ProfileNames() {
				profile, err := configs.LoadProfile(name)
				if err != nil {
					panic(err) // compiled in and tested
				}
				list = append(list, item{Name: name, Doc: profile.Describe})
			}
			return list
		},
	}
}

func items[E any](registry map[string]E, describe func(E) item) []item {
	var list []item
	for _, name := range slices.Sorted(maps.Keys(registry)) {
		one := describe(registry[name])
		one.Name = name
		list = append(list, one)
	}
	return list
}

func experimentItems() ([]item, error) {
	var list []item
	for _, name := range experiments.Names() {
		s, err := readExperiment(name)
		if err != nil {
			return nil, err
		}
		list = append(list, item{Name: name, Doc: s.Title, Reference: s.Source})
	}
	return list, nil
}

func readExperiment(name string) (*configs.Spec, error) {
	text, _ := experiments.Text(name)
	return configs.Parse("experiments/"+name+".yaml", text)
}

func printItems(w io.Writer, list []item, asJSON bool) error {
	if asJSON {
		return printJSON(w, list)
	}
	width := 0
	for _, i := range list {
		width = max(width, len(i.Name))
	}
	var text strings.Builder
	for _, i := range list {
		fmt.Fprintf(&text, "%-*s  %s\n", width, i.Name, i.Doc)
		for _, more := range []struct{ label, text string }{{"from", i.Reference}, {"cost", i.Cost}} {
			if more.text != "" {
				fmt.Fprintf(&text, "%s  %s: %s\n", strings.Repeat(" ", width), more.label, more.text)
			}
		}
	}
	_, err := io.WriteString(w, text.String())
	return err
}
