package cmd

import (
	"fmt"

	"github.com/spf13/cobra"

	"mercer/configs"
	"mercer/configs/source"
)

// whereFlag picks rows as the where of a claim does.
type whereFlag struct{ text string }

func (f *whereFlag) add(c *cobra.Command, what string) {
	c.Flags().StringVar(&f.text, "where", "", "only these "+what+", as the where of a claim: 'method: [ekpca, nystrom], n: 500'")
}

// pick calls do with the conditions; an error is one of the flag.
func (f *whereFlag) pick(do func(configs.Conditions) error) error {
	where, err := source.Conditions(f.text)
	if err == nil {
		err = do(where)
	}
	if err != nil {
		return usage(fmt.Errorf("--where: %w", err))
	}
	return nil
}
