package cmd

import (
	"strconv"

	"github.com/spf13/cobra"

	"mercer/configs"
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
}

// add adds the flags of mercer explain.
func (f *explainFlags) add(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&f.population, "population", "series:power=2", "series:power=A, series:exponential=R or gaussian:sigma=S,std=S")
	flags.StringVar(&f.spec, "spec", "", "spec whose data set is the population, instead of --population")
	flags.StringVar(&f.dataset, "dataset", "", "id of the data set in that spec (default: its only one)")
	flags.StringVar(&f.kernel, "kernel", "", "id of the kernel in that spec (default: the only one)")
	profileFlag(c, &f.profile)
	f.n, f.d, f.ell, f.k = 100_000, 100, 5, 10
	flags.Var((*size)(&f.n), "n", "sample size")
	flags.Var((*size)(&f.m), "m", "landmarks, features or subsample points (default: n)")
	flags.Var((*size)(&f.d), "d", "dimension of an embedding")
	flags.Var((*size)(&f.ell), "ell", "components")
	flags.Var((*size)(&f.k), "k", "clusters")
	flags.Float64Var(&f.delta, "delta", 0.05, "probability with which the bound may fail")
	flags.StringToStringVar(&f.given, "with", nil, "open parameters and measured quantities, such as c=1")
	for name, text := range map[string]string{
		"theta": "exponent of ℓ = n^(θ/α), for rates", "alpha": "exponent of the eigenvalues, for rates (default: the population's)", "gamma": "exponent of m = n^γ, for rates",
	} {
		f.exponents[name] = flags.Float64(name, map[string]float64{"theta": 0.5, "gamma": 0.5}[name], text)
	}
	addJSON(c, "print JSON")
	c.MarkFlagsMutuallyExclusive("population", "spec")
	complete(c, "population", []string{"series:power=2", "series:exponential=0.7", "gaussian:sigma=0.7,std=1"})
	if err := c.RegisterFlagCompletionFunc("spec", completeSpecs); err != nil {
		panic(err)
	}
}

// size is a flag of a size, which is written as in a spec.
type size int

func (s *size) String() string { return strconv.Itoa(int(*s)) }
func (s *size) Type() string   { return "int" }

func (s *size) Set(text string) error {
	n, err := configs.Whole(text)
	*s = size(n)
	return err
}
