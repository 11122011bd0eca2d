package cmd

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"mercer/configs"
	"mercer/internal/linalg"
	"mercer/internal/sizes"
	"mercer/internal/theory"
	"mercer/results"
	"mercer/runner/plan"
	"mercer/runner/populations"
)

// explainFlags say at which setting a theorem is explained.
type explainFlags struct {
	population            string
	spec, dataset, kernel string
	profile               string
	n, m, d, ell, k       int
	delta                 float64
	given                 map[string]string
	exponents             map[string]*float64 // theta, alpha, gamma
	asJSON                bool
}

func newExplain() *cobra.Command {
	f := explainFlags{exponents: map[string]*float64{}}
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
  mercer explain nyk-4.1-iii --n 1000000 --m 20000 --ell 10
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
			if len(args) == 0 {
				if f.asJSON {
					return printJSON(c.OutOrStdout(), theoremItems())
				}
				return printItems(c.OutOrStdout(), theoremItems())
			}
			return f.run(c, args[0])
		},
	}
	flags := c.Flags()
	flags.StringVar(&f.population, "population", "series:power=2", "series:power=A, series:exponential=R or gaussian:sigma=S,std=S")
	flags.StringVar(&f.spec, "spec", "", "spec whose data set is the population, instead of --population")
	flags.StringVar(&f.dataset, "dataset", "", "id of the data set in that spec (default: its only one)")
	flags.StringVar(&f.kernel, "kernel", "", "id of the kernel in that spec (default: the only one)")
	profileFlag(c, &f.profile)
	flags.IntVar(&f.n, "n", 100_000, "sample size")
	flags.IntVar(&f.m, "m", 0, "landmarks, features or subsample points (default: n)")
	flags.IntVar(&f.d, "d", 100, "dimension of an embedding")
	flags.IntVar(&f.ell, "ell", 5, "components")
	flags.IntVar(&f.k, "k", 10, "clusters")
	flags.Float64Var(&f.delta, "delta", 0.05, "probability with which the bound may fail")
	flags.StringToStringVar(&f.given, "with", nil, "open parameters and measured quantities, such as c=1")
	for name, text := range map[string]string{
		"theta": "exponent of ℓ = n^(θ/α), for rates", "alpha": "exponent of the eigenvalues, for rates (default: the population's)", "gamma": "exponent of m = n^γ, for rates",
	} {
		f.exponents[name] = flags.Float64(name, map[string]float64{"theta": 0.5, "gamma": 0.5}[name], text)
	}
	flags.BoolVar(&f.asJSON, "json", false, "print JSON")
	c.MarkFlagsMutuallyExclusive("population", "spec")
	if err := c.RegisterFlagCompletionFunc("population", cobra.FixedCompletions([]string{"series:power=2", "series:exponential=0.7", "gaussian:sigma=0.7,std=1"}, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err)
	}
	if err := c.RegisterFlagCompletionFunc("spec", completeSpecs); err != nil {
		panic(err)
	}
	return c
}

func (f *explainFlags) run(c *cobra.Command, key string) error {
	t, ok := theory.Registry[key]
	if !ok {
		return usage(errors.New(configs.Unknown("theorem", key, "", theory.Keys())))
	}
	setting, guessed, err := f.setting(c, t)
	if err != nil {
		return err
	}
	e, err := theory.Explain(t, setting, guessed)
	if err != nil {
		return usage(fmt.Errorf("%s: %w", t.Reference, err))
	}
	if f.asJSON {
		return printJSON(c.OutOrStdout(), e)
	}
	_, err = io.WriteString(c.OutOrStdout(), e.Text())
	return err
}

// setting is what the flags say, and which open parameters nothing gave.
func (f *explainFlags) setting(c *cobra.Command, t theory.Theorem) (s theory.Setting, guessed []string, err error) {
	if _, err := linalg.Use(); err != nil {
		return s, nil, usage(err)
	}
	for name, size := range map[string]int{"n": f.n, "d": f.d, "ell": f.ell, "k": f.k} {
		if size < 1 {
			return s, nil, usage(fmt.Errorf("--%s %d: must be positive", name, size))
		}
	}
	if f.delta <= 0 || f.delta >= 1 {
		return s, nil, usage(fmt.Errorf("--delta %v: must lie strictly between 0 and 1", f.delta))
	}
	s = theory.Setting{Sizes: sizes.Sizes{N: f.n, M: cmp.Or(f.m, f.n), D: f.d, Ell: f.ell, K: f.k}, Delta: f.delta, Given: map[string]float64{}}
	population, constants, err := f.open(c)
	if err != nil {
		return s, nil, err
	}
	s.Population = population
	maps.Copy(s.Given, constants)
	for name, value := range f.exponents {
		if c.Flags().Changed(name) || name != "alpha" {
			s.Given[name] = *value
		}
	}
	maps.Copy(s.Given, t.Defaults)
	known := append(slices.Sorted(maps.Keys(t.Open)), t.Uses...)
	for _, name := range slices.Sorted(maps.Keys(f.given)) {
		if !slices.Contains(known, name) {
			return s, nil, usage(errors.New(configs.Unknown("parameter", name, t.Reference, known)))
		}
		if s.Given[name], err = strconv.ParseFloat(f.given[name], 64); err != nil {
			return s, nil, usage(fmt.Errorf("--with %s=%s: not a number", name, f.given[name]))
		}
	}
	var measured []string
	for _, name := range known {
		_, has := s.Given[name]
		switch {
		case has:
		case slices.Contains(t.Uses, name):
			measured = append(measured, name)
		default:
			s.Given[name], guessed = 1, append(guessed, name)
		}
	}
	if measured != nil {
		return s, nil, usage(fmt.Errorf("%s is computed from %s, which a run measures: give them, --with %s=…", t.Reference, strings.Join(measured, ", "), strings.Join(measured, "=…,")))
	}
	return s, guessed, nil
}

// open opens the population.
func (f *explainFlags) open(c *cobra.Command) (theory.Population, map[string]float64, error) {
	s, err := f.source()
	if err != nil {
		return nil, nil, err
	}
	resolved, err := s.resolve(f.profile)
	if err != nil {
		return nil, nil, err
	}
	dataset, kernelID := f.dataset, f.kernel
	if ids := configs.IDs(resolved.Spec.Datasets); dataset == "" && len(ids) > 1 {
		return nil, nil, usage(fmt.Errorf("--spec %s has the data sets %s: name one by --dataset", f.spec, strings.Join(ids, ", ")))
	} else if dataset == "" {
		dataset = ids[0]
	}
	opened := populations.New(c.Context(), resolved, results.Manifest{}, plan.PrepareOptions{Dir: s.dir, Log: c.ErrOrStderr()})
	kernels, err := opened.Kernels(dataset)
	if err != nil {
		return nil, nil, usage(fmt.Errorf("dataset %q: %w", dataset, err))
	}
	if kernelID == "" && len(kernels) > 1 {
		return nil, nil, usage(fmt.Errorf("dataset %q has the kernels %s: name one by --kernel", dataset, strings.Join(kernels, ", ")))
	} else if kernelID == "" {
		kernelID = kernels[0]
	}
	population, err := opened.At(dataset, kernelID, 0)
	if err != nil {
		return nil, nil, usage(fmt.Errorf("dataset %q: %w", dataset, err))
	}
	return population, opened.Constants(dataset), nil
}

// source is the spec that is named, or one that holds the population alone.
func (f *explainFlags) source() (source, error) {
	if f.spec != "" {
		return readSpec(f.spec)
	}
	if f.dataset != "" || f.kernel != "" {
		return source{}, usage(errors.New("--dataset and --kernel go with --spec"))
	}
	kind, list, _ := strings.Cut(f.population, ":")
	var law, keys []string
	for word := range strings.SplitSeq(list, ",") {
		name, text, ok := strings.Cut(word, "=")
		if _, err := strconv.ParseFloat(text, 64); !ok || err != nil {
			return source{}, usage(fmt.Errorf("--population %s: write it as series:power=2, series:exponential=0.7 or gaussian:sigma=0.7,std=1", f.population))
		}
		if name == "power" || name == "exponential" {
			law = append(law, name+": "+text)
		} else {
			keys = append(keys, name+": "+text)
		}
	}
	if law != nil {
		keys = append(keys, "decay: {"+strings.Join(law, ", ")+"}")
	}
	text := fmt.Sprintf("name: explain\nseed: 1\nrepeats: 1\ndatasets: [{id: population, use: %q, %s}]\ngrid: {n: 1, ell: 1}\nmethods: [{id: kpca, use: kpca}]\nmeasure: [recon_h]\n",
		kind, strings.Join(keys, ", "))
	spec, err := configs.Parse("--population", []byte(text))
	return source{spec: spec, text: []byte(text), dir: "."}, err
}
