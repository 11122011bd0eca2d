package cmd

import (
	"fmt"

	"github.com/spf13/cobra"

	"mercer/configs"
	"mercer/configs/source"
	"mercer/internal/compare"
	"mercer/results"
)

// whereFlag picks rows as the where of a claim does.
type whereFlag struct{ text string }

func (f *whereFlag) add(c *cobra.Command, what string) {
	c.Flags().StringVar(&f.text, "where", "", "only these "+what+", as the where of a claim: 'method: [ekpca, nystrom], n: 500'")
}

func (f *whereFlag) conditions() (configs.Conditions, error) {
	where, err := source.Conditions(f.text)
	return where, f.wrong(err)
}

func (f *whereFlag) wrong(err error) error {
	if err != nil {
		return usage(fmt.Errorf("--where: %w", err))
	}
	return nil
}

// only is a run with the rows that are picked.
func (f *whereFlag) only(run results.Run) (results.Run, error) {
	where, err := f.conditions()
	if err == nil {
		run, err = run.Filtered(where)
		err = f.wrong(err)
	}
	return run, err
}

// pairs are those with rows that are picked.
func (f *whereFlag) pairs(all []compare.Pair) ([]compare.Pair, error) {
	where, err := f.conditions()
	if err == nil {
		all, err = compare.Only(all, where)
		err = f.wrong(err)
	}
	return all, err
}
