package cmd

import (
	"fmt"

	"github.com/spf13/cobra"

	"mercer/configs"
	"mercer/runner/plan"
)

func newPlan() *cobra.Command {
	var flags planFlags
	c := &cobra.Command{
		Use:   "plan SPEC",
		Short: "Show what a run would compute: fits, rows and memory",
		Long: `Show what a run would compute, without computing it. Data sets are opened, and fetched
if necessary. One fit serves all rows that differ only in ell. Memory is that of the
arrays held at once, without garbage. Rows whose arrays need more than --memory are listed
with the memory they need; a run refuses them, with status oom, and computes the rest.
How long a run takes shows once it has begun: its progress estimates the time left from
the rows that are done.

Exit codes: 0 ok; 2 the command line or the spec is wrong, or no row fits into
memory.`,
		Example:           "  mercer plan nystrom-kpca-rates --profile smoke",
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: completeSpecs,
		RunE:              func(c *cobra.Command, args []string) error { return flags.plan(c, args[0]) },
	}
	flags.add(c)
	flags.addMemory(c)
	addJSON(c, "print JSON: fits of the first repeat, totals of all repeats")
	return c
}

func (f *planFlags) plan(c *cobra.Command, name string) error {
	profile, err := configs.Profile(f.profile)
	if err != nil {
		return usage(err)
	}
	memory, err := f.allowed(profile)
	if err != nil {
		return err
	}
	if err := useBackEnd(c.ErrOrStderr()); err != nil {
		return err
	}
	s, err := readSpec(name, c.InOrStdin())
	if err != nil {
		return err
	}
	p, err := f.prepare(c, s, plan.Input{Memory: memory})
	if err != nil {
		return err
	}
	v := p.Forecast()
	err = answer(c, v, func() string { return planText(p, v) })
	if err == nil && v.Refused > 0 && v.Refused == v.Runnable {
		err = usage(fmt.Errorf("no row fits into %s of memory", plan.Bytes(memory)))
	}
	return err
}
