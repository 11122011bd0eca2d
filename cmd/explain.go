package cmd

import (
	"github.com/spf13/cobra"

	"mercer/internal/theory"
)

func newExplain() *cobra.Command {
	f := &explainFlags{exponents: map[string]*float64{}}
	c := &cobra.Command{
		Use:   "explain [THEOREM]",
		Short: "Evaluate a theorem: the numbers of its conditions, and its bound",
		Long: `Evaluate a theorem on a population at given sizes. It prints each condition with the
numbers of both sides and the bound with its inputs. If the theorem does not apply, it
prints the sizes at which it would. It compares the bound with the trivial value, which
every estimator satisfies, and prints the sizes from which the bound is informative.
Without THEOREM it lists all theorems.

The population has a closed form (--population), or is that of a data set of a spec
(--spec and --dataset) in repeat 0. A parameter that the theorem leaves open is 1
unless --with sets it.`,
		Example: `  mercer explain
  mercer explain nyk-4.1-iii
  mercer explain nyk-4.1-iii --n 1e6 --m 20000 --ell 10
  mercer explain kjl-1 --population gaussian:sigma=0.7,std=1 --d 50 --with c=1
  mercer explain nyk-4.2-iii --population series:power=4 --theta 0.75
  mercer explain nyk-4.1-ii --spec mnist-kpca --dataset mnist --n 5000 --json`,
		Args: arguments(cobra.MaximumNArgs(1)),
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return theory.Keys(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return f.run(c, args[0])
			}
			items := theoremItems()
			return answer(c, items, func() string { return itemsText(items) })
		},
	}
	f.add(c)
	return c
}
