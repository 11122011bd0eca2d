package cmd

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"mercer/configs"
	"mercer/configs/source"
	"mercer/internal/linalg"
	"mercer/internal/lists"
	"mercer/internal/sizes"
	"mercer/internal/theory"
	"mercer/runner/plan"
	"mercer/runner/populations"
)

// explainFlags say at which setting a theorem is explained.
type explainFlags struct {
	population            string
	spec, dataset, kernel string
	profile               string
	sizes                 sizes.Sizes
	delta                 float64
	given                 map[string]string
}

func newExplain() *cobra.Command {
	var f explainFlags
	c := &cobra.Command{
		Use:   "explain THEOREM",
		Short: "Evaluate a theorem: the numbers of its conditions, and its bound",
		Long: `Evaluate a theorem on a population at given sizes; mercer list --theorems lists them. It
prints each condition with the numbers of both sides, and the bound. If the theorem does
not apply, it prints the sizes at which it would. It compares the bound with the trivial
value, which every estimator satisfies.

The population has a closed form (--population), or is that of a data set of a spec
(--spec and --dataset) in repeat 0. A parameter that the theorem leaves open is 1
unless --with sets it.`,
		Example: `  mercer explain nyk-4.1-iii
  mercer explain nyk-4.1-iii --n 1e6 --m 20000 --ell 10
  mercer explain kjl-1 --population gaussian:sigma=0.7,std=1 --d 50 --with c=1
  mercer explain nyk-4.2-iii --population series:power=4 --theta 0.75
  mercer explain nyk-4.1-ii --spec mnist-kpca --dataset mnist --n 5000 --json`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: cobra.FixedCompletions(theory.Keys(), cobra.ShellCompDirectiveNoFileComp),
		RunE:              f.run,
	}
	flags := c.Flags()
	flags.StringVar(&f.population, "population", "series:power=2", "series:power=A, series:exponential=R or gaussian:sigma=S,std=S")
	flags.StringVar(&f.spec, "spec", "", "spec whose data set is the population, instead of --population")
	flags.StringVar(&f.dataset, "dataset", "", "id of the data set in that spec (default: its only one)")
	flags.StringVar(&f.kernel, "kernel", "", "id of the kernel in that spec (default: the only one)")
	profileFlag(c, &f.profile)
	f.sizes = sizes.Sizes{N: 100_000, D: 100, Ell: 5, K: 10}
	flags.Var((*size)(&f.sizes.N), "n", "sample size")
	flags.Var((*size)(&f.sizes.M), "m", "landmarks, features or subsample points (default: n)")
	flags.Var((*size)(&f.sizes.D), "d", "dimension of an embedding")
	flags.Var((*size)(&f.sizes.Ell), "ell", "components")
	flags.Var((*size)(&f.sizes.K), "k", "clusters")
	flags.Float64Var(&f.delta, "delta", 0.05, "probability with which the bound may fail")
	flags.StringToStringVar(&f.given, "with", nil, "open parameters and measured quantities, such as c=1")
	flags.Float64("theta", 0.5, "exponent of ℓ = n^(θ/α), for rates")
	flags.Float64("alpha", 0, "exponent of the eigenvalues, for rates (default: the population's)")
	flags.Float64("gamma", 0.5, "exponent of m = n^γ, for rates")
	addJSON(c, "print JSON")
	c.MarkFlagsMutuallyExclusive("population", "spec")
	complete(c, "population", []string{"series:power=2", "series:exponential=0.7", "gaussian:sigma=0.7,std=1"})
	return c
}

// size is a flag of a size, which is written as in a spec.
type size int

func (s *size) String() string { return fmt.Sprint(int(*s)) }
func (s *size) Type() string   { return "int" }

func (s *size) Set(text string) error {
	n, err := configs.Whole(text)
	*s = size(n)
	return err
}

func (f *explainFlags) run(c *cobra.Command, args []string) error {
	t, ok := theory.Registry[args[0]]
	if !ok {
		return usage(errors.New(configs.Unknown("theorem", args[0], "", theory.Keys())))
	}
	if _, err := linalg.Use(); err != nil {
		return usage(err)
	}
	s := theory.Setting{Sizes: f.sizes, Delta: f.delta, Given: map[string]float64{}}
	if !c.Flags().Changed("m") {
		s.M = s.N
	}
	for _, name := range sizes.Names {
		if size := s.Get(name); size < 1 {
			return usage(fmt.Errorf("--%s %d: must be positive", name, size))
		}
	}
	var err error
	if s.Population, err = f.open(c, s.Given); err != nil {
		return err
	}
	for _, name := range []string{"theta", "alpha", "gamma"} {
		if value, err := c.Flags().GetFloat64(name); err == nil && (c.Flags().Changed(name) || value != 0) {
			s.Given[name] = value
		}
	}
	guessed, err := theory.Fill(t, &s, f.given, func(name string, known []string) string {
		return configs.Unknown("parameter", name, t.Reference, known)
	})
	if err != nil {
		return usage(err)
	}
	e, err := theory.Explain(t, s, guessed)
	if err != nil {
		return usage(fmt.Errorf("%s: %w", t.Reference, err))
	}
	return answer(c, e, e.Text)
}

// open opens the population, and puts the constants of its data set among the given values.
func (f *explainFlags) open(c *cobra.Command, given map[string]float64) (theory.Population, error) {
	s, err := f.source()
	if err != nil {
		return nil, err
	}
	spec, err := source.Under(s.spec, f.profile)
	if err != nil {
		return nil, usage(err)
	}
	dataset, err := oneOf("dataset", "data set", f.dataset, f.spec, configs.IDs(spec.Datasets))
	if err != nil {
		return nil, err
	}
	p, err := plan.Input{Dir: s.dir, Profile: f.profile, Only: dataset}.PrepareSpec(c.Context(), c.ErrOrStderr(), spec)
	if err != nil {
		return nil, usage(fmt.Errorf("dataset %q: %w", dataset, err))
	}
	kernelID, err := oneOf("kernel", "kernel", f.kernel, fmt.Sprintf("dataset %q", dataset), lists.Once(lists.Map(p.Groups, func(g *plan.Group) string { return g.KernelID })))
	if err != nil {
		return nil, err
	}
	group := p.Groups[slices.IndexFunc(p.Groups, func(g *plan.Group) bool { return g.KernelID == kernelID })]
	maps.Copy(given, group.Dataset.Constants())
	opened, err := populations.Of(p).At(group.Population, 0)
	if err != nil {
		return nil, usage(fmt.Errorf("dataset %q: %w", dataset, err))
	}
	return opened.Population, nil
}

// oneOf is the id that a flag gives, or else the only one that there is.
func oneOf(flag, noun, id, owner string, ids []string) (string, error) {
	switch {
	case id == "" && len(ids) > 1:
		return "", usage(fmt.Errorf("%s has the %ss %s: name one by --%s", owner, noun, join(ids), flag))
	case id != "" && !slices.Contains(ids, id):
		return "", usage(fmt.Errorf("--%s: %s", flag, configs.Unknown(noun, id, owner, ids)))
	}
	return cmp.Or(id, ids[0]), nil
}

// source is the spec that is named, or one that holds the population alone.
func (f *explainFlags) source() (specFile, error) {
	if f.spec != "" {
		return readSpec(f.spec)
	}
	if f.dataset != "" || f.kernel != "" {
		return specFile{}, usage(errors.New("--dataset and --kernel go with --spec"))
	}
	spec, err := populations.ClosedForm(f.population)
	return specFile{spec: spec, dir: "."}, usage(err)
}
