package cmd

import (
	"github.com/spf13/cobra"
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
	addJSON(c, "print JSON")
	c.MarkFlagsMutuallyExclusive("population", "spec")
	complete(c, "population", []string{"series:power=2", "series:exponential=0.7", "gaussian:sigma=0.7,std=1"})
	if err := c.RegisterFlagCompletionFunc("spec", completeSpecs); err != nil {
		panic(err)
	}
}
