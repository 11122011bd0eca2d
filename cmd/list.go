package cmd

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"mercer/configs"
	"mercer/configs/source"
	"mercer/data"
	"mercer/data/fetch"
	"mercer/experiments"
	"mercer/internal/kernel"
	"mercer/internal/lists"
	"mercer/internal/metrics"
	"mercer/methods"
	"mercer/report"
)

// item is one entry of a listing.
type item struct {
	Name       string            `json:"name"`
	Doc        string            `json:"doc"`
	About      map[string]string `json:"about,omitempty"` // by the names of aspects
	Checks     []report.Check    `json:"checks,omitempty"`
	Parameters []string          `json:"parameters,omitempty"` // one a line
}

// aspects are what a listing says of an entry, in this order.
var aspects = []string{"from", "about", "cost", "accuracy", "version", "sizes", "streams",
	"constants in expressions", "gives", "unit", "for", "features", "needs"}

// listings are the registries by kind; the one without a name has the experiments.
var listings = map[string]func() ([]item, error){
	"":         experimentItems,
	"theorems": theoremItems,
	"methods": items(methods.Registry, func(e methods.Entry) item {
		traits := e.New().Traits()
		about := map[string]string{"from": e.Reference, "cost": e.Cost, "accuracy": e.Accuracy, "version": e.Version, "sizes": join(traits.Uses)}
		if traits.Streams != nil {
			about["streams"] = "samples too large for memory (docs/large-samples.md)"
		}
		return item{Doc: e.Doc, About: about, Parameters: configs.Describe(e.New())}
	}),
	"measures": items(metrics.Registry, func(m metrics.Measure) item {
		needs := slices.Clone(m.Needs)
		if m.Sample {
			needs = append(needs, "the sample's points in memory")
		}
		return item{Doc: m.Doc, About: map[string]string{"from": m.Reference, "cost": m.Cost, "gives": join(m.Metrics()), "unit": m.Unit, "for": join(m.Shapes), "needs": join(needs)}}
	}),
	"data": items(data.Registry, func(e data.Entry) item {
		return item{Doc: e.Doc, About: map[string]string{"constants in expressions": join(e.Constants)}, Parameters: configs.Describe(e.New())}
	}),
	"kernels": items(kernel.Registry, func(e kernel.Entry) item {
		features := map[bool]string{true: "fourier, drawn from its spectral measure"}[e.Fourier]
		return item{Doc: e.Doc, About: map[string]string{"features": features}, Parameters: configs.Describe(e.New())}
	}),
	"profiles": func() (list []item, err error) {
		for _, name := range configs.ProfileNames() {
			profile, err := configs.Profile(name)
			if err != nil {
				return nil, err
			}
			list = append(list, item{Name: name, Doc: profile.Describe})
		}
		return list, nil
	},
}

func join(words []string) string { return strings.Join(words, ", ") }

func items[E any](registry map[string]E, describe func(E) item) func() ([]item, error) {
	return func() (list []item, _ error) {
		for _, name := range slices.Sorted(maps.Keys(registry)) {
			one := describe(registry[name])
			one.Name = name
			maps.DeleteFunc(one.About, func(_, text string) bool { return text == "" })
			list = append(list, one)
		}
		return list, nil
	}
}

func newList() *cobra.Command {
	c := &cobra.Command{
		Use:   "list",
		Short: "List the built-in experiments, methods, measures, theorems, data sets, kernels or profiles",
		Example: `  mercer list              the built-in experiments
  mercer list --methods    methods, with their papers, costs and parameters
  mercer list --measures   measures, with their metrics
  mercer list --data       data sets, with their parameters and the constants that expressions may use
  mercer list --theorems   theorems, with the claims that check them and their verdicts`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 0 && listings[args[0]] != nil {
				return fmt.Errorf("mercer list %s is written mercer list --%[1]s", args[0])
			}
			return cobra.NoArgs(c, args)
		},
		RunE: func(c *cobra.Command, _ []string) error {
			kind := ""
			for name := range listings {
				if c.Flags().Changed(name) {
					kind = name
				}
			}
			list, err := listings[kind]()
			if err != nil {
				return err
			}
			return answer(c, list, func() string { return itemsText(list) })
		},
	}
	var kinds []string
	for kind := range listings {
		if kind != "" {
			c.Flags().Bool(kind, false, "list "+kind)
			kinds = append(kinds, kind)
		}
	}
	c.MarkFlagsMutuallyExclusive(kinds...)
	addJSON(c, "print JSON")
	return c
}

func experimentItems() ([]item, error) {
	var list []item
	for _, name := range experiments.Names() {
		s, err := readExperiment(name)
		if err != nil {
			return nil, err
		}
		smoke, err := source.Under(s, "smoke")
		if err != nil {
			return nil, err
		}
		one := item{Name: name, Doc: s.Title, About: map[string]string{}}
		if s.Source != "" {
			one.About["from"] = s.Source
		}
		if all := fetched(s); all != "" {
			one.About["needs"] = fmt.Sprintf("data that are fetched once: %s (profile smoke: %s)", all, cmp.Or(fetched(smoke), "none"))
		}
		list = append(list, one)
	}
	return list, nil
}

// fetched are the data sets of a spec that are fetched over the network, if $MERCER_DATA lacks them.
func fetched(s *configs.Spec) string {
	uses := lists.Once(lists.Map(s.Datasets, func(d configs.Component) string { return d.Use.Value }))
	return join(lists.Where(uses, func(use string) bool {
		return slices.ContainsFunc(fetch.All(), func(p fetch.Published) bool { return p.Name == use && !p.Own })
	}))
}

func readExperiment(name string) (*configs.Spec, error) {
	text, _ := experiments.Text(name)
	return source.Parse("experiments/"+name+".yaml", text)
}

func itemsText(list []item) string {
	width := 0
	for _, i := range list {
		width = max(width, len(i.Name))
	}
	var text strings.Builder
	line := func(name, prefix, what string) { fmt.Fprintf(&text, "%-*s  %s%s\n", width, name, prefix, what) }
	for _, i := range list {
		line(i.Name, "", i.Doc)
		for _, aspect := range aspects {
			if i.About[aspect] != "" {
				line("", aspect+": ", i.About[aspect])
			}
		}
		for _, c := range i.Checks {
			line("", "checked by ", c.String())
		}
		for _, p := range i.Parameters {
			line("", "- ", p)
		}
	}
	return text.String()
}
