package cmd

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
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

// item is one line of a listing.
type item struct {
	Name      string `json:"name"`
	Doc       string `json:"doc"`
	Reference string `json:"reference,omitempty"`
	Cost      string `json:"cost,omitempty"`
	Accuracy  string `json:"accuracy,omitempty"` // of a method
	Rounding  string `json:"rounding,omitempty"` // what it does to a measure
	Version   string `json:"version,omitempty"`  // of a method
	// About is the metric that a theorem bounds, and the methods.
	About string `json:"about,omitempty"`
	// Checks are the claims of experiments that check a theorem.
	Checks []report.Check `json:"checks,omitempty"`
	// Sizes are those of the grid that a method uses.
	Sizes []string `json:"sizes,omitempty"`
	// Streams says that the method may read its sample in blocks.
	Streams bool `json:"streams,omitempty"`
	// Constants are what expressions may use of a data set.
	Constants []string `json:"constants,omitempty"`
	// Outputs are the metrics that a measure gives, Needs what it needs.
	Outputs []string `json:"outputs,omitempty"`
	Unit    string   `json:"unit,omitempty"`
	// Shapes are those of the models that a measure is defined for.
	Shapes []string `json:"shapes,omitempty"`
	Needs  []string `json:"needs,omitempty"`
	// Features are those that a kernel has by itself.
	Features string `json:"features,omitempty"`
	// Parameters are described a line each.
	Parameters []string `json:"parameters,omitempty"`
}

// listFormats are the values of --format.
var listFormats = []string{"text", "markdown", "json"}

func newList() *cobra.Command {
	var asMarkdown bool
	format := "text"
	kinds := map[string]*bool{}
	c := &cobra.Command{
		Use:   "list",
		Short: "List the built-in experiments, methods, measures, theorems, data sets, kernels or profiles",
		Example: `  mercer list              the built-in experiments
  mercer list --methods    methods, with their papers, costs and parameters
  mercer list --measures   measures, with their metrics
  mercer list --data       data sets, with their parameters and the constants that expressions may use
  mercer list --theorems   theorems, with the claims that check them and their verdicts`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 0 && c.Flags().Lookup(args[0]) != nil {
				return usage(fmt.Errorf("mercer list takes no arguments; write mercer list --%s", args[0]))
			}
			return arguments(cobra.NoArgs)(c, args)
		},
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
			switch {
			case forProgram(c) || format == "json":
				return printJSON(c.OutOrStdout(), items)
			case (asMarkdown || format == "markdown") && *kinds["theorems"]:
				return say(c, report.TheoremTable(theoremRows(items)))
			case asMarkdown || format == "markdown":
				return say(c, markdownText(items))
			case format == "text":
				return say(c, itemsText(items))
			}
			return usage(fmt.Errorf("--format: %s", configs.Unknown("format", format, "", listFormats)))
		},
	}
	for kind := range listings() {
		kinds[kind] = c.Flags().Bool(kind, false, "list "+kind)
	}
	c.MarkFlagsMutuallyExclusive(slices.Collect(maps.Keys(listings()))...)
	c.Flags().StringVar(&format, "format", format, "form of the list: "+strings.Join(listFormats, ", "))
	addJSON(c, "the same as --format json")
	c.Flags().BoolVar(&asMarkdown, "markdown", false, "the same as --format markdown")
	c.MarkFlagsMutuallyExclusive("json", "markdown", "format")
	complete(c, "format", listFormats)
	return c
}

func listings() map[string]func() []item {
	return map[string]func() []item{
		"theorems": theoremItems,
		"methods": func() []item {
			return items(methods.Registry, func(e methods.Entry) item {
				return item{Doc: e.Doc, Reference: e.Reference, Cost: e.Cost, Accuracy: e.Accuracy, Version: e.Version, Sizes: e.Uses, Streams: e.Streams != nil, Parameters: configs.Describe(e.New())}
			})
		},
		"measures": func() []item {
			return items(metrics.Registry, func(m metrics.Measure) item {
				needs := slices.Clone(m.Needs)
				if m.Sample {
					needs = append(needs, "the sample's points in memory")
				}
				return item{Doc: m.Doc, Reference: m.Reference, Cost: m.Cost, Rounding: m.States(), Outputs: m.Outputs, Unit: m.Unit, Shapes: m.Shapes, Needs: needs}
			})
		},
		"data": func() []item {
			return items(data.Registry, func(e data.Entry) item {
				return item{Doc: e.Doc, Constants: e.Constants, Parameters: configs.Describe(e.New())}
			})
		},
		"kernels": func() []item {
			return items(kernel.Registry, func(e kernel.Entry) item {
				one := item{Doc: e.Doc, Parameters: configs.Describe(e.New())}
				if e.Fourier {
					one.Features = "fourier, drawn from its spectral measure"
				}
				return one
			})
		},
		"profiles": func() []item {
			var list []item
			for _, name := range configs.ProfileNames() {
				profile, err := configs.Profile(name)
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
		smoke, err := source.Under(s, "smoke")
		if err != nil {
			return nil, err
		}
		one := item{Name: name, Doc: s.Title, Reference: s.Source}
		if all := fetched(s); len(all) > 0 {
			quick := cmp.Or(strings.Join(fetched(smoke), ", "), "none")
			one.Needs = []string{fmt.Sprintf("data that are fetched once: %s (profile smoke: %s)", strings.Join(all, ", "), quick)}
		}
		list = append(list, one)
	}
	return list, nil
}

// fetched are the data sets of a spec that are fetched over the network, if $MERCER_DATA lacks them.
func fetched(s *configs.Spec) []string {
	uses := lists.Once(lists.Map(s.Datasets, func(d configs.Component) string { return d.Use.Value }))
	return lists.Where(uses, func(use string) bool {
		return slices.ContainsFunc(fetch.All(), func(p fetch.Published) bool { return p.Name == use && !p.Own })
	})
}

func readExperiment(name string) (*configs.Spec, error) {
	text, _ := experiments.Text(name)
	return source.Parse("experiments/"+name+".yaml", text)
}

// details are what an item has beside its name and doc, in order.
func (i item) details() [][2]string {
	var list [][2]string
	streams := ""
	if i.Streams {
		streams = "samples too large for memory (docs/large-samples.md)"
	}
	for _, d := range [][2]string{
		{"from", i.Reference}, {"about", i.About}, {"cost", i.Cost}, {"accuracy", i.Accuracy}, {"rounding", i.Rounding}, {"version", i.Version}, {"sizes", strings.Join(i.Sizes, ", ")}, {"streams", streams},
		{"constants in expressions", strings.Join(i.Constants, ", ")}, {"gives", strings.Join(i.Outputs, ", ")}, {"unit", i.Unit}, {"for", strings.Join(i.Shapes, ", ")},
		{"features", i.Features}, {"needs", strings.Join(i.Needs, ", ")},
	} {
		if d[1] != "" {
			list = append(list, d)
		}
	}
	return list
}

func itemsText(list []item) string {
	width := 0
	for _, i := range list {
		width = max(width, len(i.Name))
	}
	indent := strings.Repeat(" ", width+2)
	var text strings.Builder
	for _, i := range list {
		fmt.Fprintf(&text, "%-*s  %s\n", width, i.Name, i.Doc)
		for _, d := range i.details() {
			fmt.Fprintf(&text, "%s%s: %s\n", indent, d[0], d[1])
		}
		for _, c := range i.Checks {
			fmt.Fprintf(&text, "%schecked by %s\n", indent, c)
		}
		for _, p := range i.Parameters {
			fmt.Fprintf(&text, "%s- %s\n", indent, p)
		}
	}
	return text.String()
}

// firstWord is an ordinary word at the beginning: not m or tr, no name with an underscore and
// no function before its argument.
var firstWord = regexp.MustCompile(`^(a|[a-z]{3,})[ ,'-]`)

// sentence is a description with a capital letter at its beginning, if that is a word.
func sentence(doc string) string {
	if !firstWord.MatchString(doc) {
		return doc
	}
	return strings.ToUpper(doc[:1]) + doc[1:]
}

// markdownText is a section an item.
func markdownText(list []item) string {
	var text strings.Builder
	for _, i := range list {
		fmt.Fprintf(&text, "## %s\n\n%s.\n\n", i.Name, sentence(i.Doc))
		for _, d := range i.details() {
			fmt.Fprintf(&text, "- %s: %s\n", d[0], d[1])
		}
		for _, p := range i.Parameters {
			name, rest, _ := strings.Cut(p, ": ")
			fmt.Fprintf(&text, "- `%s`: %s\n", name, rest)
		}
		text.WriteString("\n")
	}
	return strings.TrimSuffix(text.String(), "\n")
}
