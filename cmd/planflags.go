package cmd

import (
	"fmt"

	"github.com/spf13/cobra"

	"mercer/configs"
	"mercer/runner"
	"mercer/runner/plan"
)

// planFlags are common to plan, run and submit.
type planFlags struct {
	profile, filter string
	memory          string
	optional        bool // all data sets
	stream          bool
	until           bool     // repeats are added until the verdicts are decided
	set             []string // assignments that change the spec
}

// setFlag adds --set.
func setFlag(c *cobra.Command, to *[]string) {
	c.Flags().StringArrayVar(to, "set", nil, "change the spec, after its profile: repeats=50, grid.n=[1000,2000], datasets.ID.KEY=VALUE (repeatable)")
}

func (f *planFlags) add(c *cobra.Command) {
	profileFlag(c, &f.profile)
	c.Flags().BoolVar(&f.stream, "stream", false, "read samples of any size in blocks where method and measures allow it (default: samples above 512 MiB); changes no result")
	c.Flags().BoolVar(&f.until, "until-decided", false, fmt.Sprintf("add repeats only where verdicts are open: repeats: {from: %d, to: %d, until: decided}, unless the spec has such", configs.FirstLook, configs.MostRepeats))
	setFlag(c, &f.set)
	c.Flags().StringVar(&f.filter, "filter", "", `only rows that satisfy this condition, such as 'method == "nystrom" && n <= 1000'; a column that a row does not use stands for each of its values`)
}

func (f *planFlags) addMemory(c *cobra.Command) {
	c.Flags().StringVar(&f.memory, "memory", "", "memory of all cells computed at once, such as 80% or 4GiB; cells whose arrays need more are refused, as are data files that need more to read (default: the profile's)")
}

// allowed is the memory that a run under a profile may take, in bytes.
func (f *planFlags) allowed(profile configs.RunProfile) (int64, error) {
	if f.memory != "" {
		profile.Memory = f.memory
	}
	memory, err := configs.ParseMemory(profile.Memory, runner.ThisMachine().Memory)
	if err != nil {
		return 0, usage(fmt.Errorf("--memory: %w", err))
	}
	return int64(memory), nil
}

// prepare reads a spec and makes its plan; the input says what the flags do not.
func (f *planFlags) prepare(c *cobra.Command, name string, input plan.Input) (specFile, *plan.Plan, error) {
	s, err := readSpec(name, c.InOrStdin())
	if err != nil {
		return s, nil, err
	}
	input.File, input.Spec, input.Dir, input.Profile, input.Set = s.file, string(s.text), s.dir, f.profile, f.set
	input.Filter, input.Optional, input.Stream = f.filter, f.optional, f.stream
	input.UntilDecided = f.until
	p, err := input.Prepare(c.Context(), c.ErrOrStderr())
	return s, p, err
}
