package cmd

import (
	"fmt"

	"github.com/spf13/cobra"

	"mercer/configs"
	"mercer/data"
	"mercer/internal/kernel"
	"mercer/internal/metrics"
	"mercer/methods"
)

func newSchema() *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of specs, for editors",
		Long: `Print the JSON Schema of specs. An editor with a YAML language server completes and
checks a spec that begins with the line
  # yaml-language-server: $schema=spec.schema.json`,
		Example: "  mercer schema > spec.schema.json",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			text, err := configs.Schema(schemas())
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(c.OutOrStdout(), "%s\n", text)
			return err
		},
	}
}

// schemas are what a JSON Schema of specs has to know of the registries.
func schemas() (components map[string]map[string]configs.ComponentSchema, measures map[string]string) {
	measures = map[string]string{}
	for name, m := range metrics.Registry {
		measures[name] = m.Doc
	}
	return map[string]map[string]configs.ComponentSchema{
		"dataset": described(data.Registry, func(e data.Entry) (string, any) { return e.Doc, e.New() }),
		"kernel":  described(kernel.Registry, func(e kernel.Entry) (string, any) { return e.Doc, e.New() }),
		"method":  described(methods.Registry, func(e methods.Entry) (string, any) { return e.Doc, e.New() }),
	}, measures
}

func described[E any](registry map[string]E, describe func(E) (doc string, options any)) map[string]configs.ComponentSchema {
	all := map[string]configs.ComponentSchema{}
	for name, e := range registry {
		doc, options := describe(e)
		all[name] = configs.ComponentSchema{Doc: doc, Options: options}
	}
	return all
}
