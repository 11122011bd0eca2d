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
			text, err := configs.Schema(componentSchemas())
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(c.OutOrStdout(), "%s\n", text)
			return err
		},
	}
}

func componentSchemas() configs.ComponentSchemas {
	s := configs.ComponentSchemas{
		Datasets: map[string]configs.ComponentSchema{},
		Kernels:  map[string]configs.ComponentSchema{},
		Methods:  map[string]configs.ComponentSchema{},
	}
	for name, e := range data.Registry {
		s.Datasets[name] = configs.ComponentSchema{Doc: e.Doc, Options: e.New()}
	}
	for name, e := range kernel.Registry {
		s.Kernels[name] = configs.ComponentSchema{Doc: e.Doc, Options: e.New()}
	}
	for name, e := range methods.Registry {
		s.Methods[name] = configs.ComponentSchema{Doc: e.Doc, Options: e.New()}
	}
	for _, name := range metrics.Names() {
		s.Measures = append(s.Measures, configs.MeasureSchema{Name: name, Doc: metrics.Registry[name].Doc})
	}
	return s
}
