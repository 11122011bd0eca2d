package cmd

import (
	"cmp"
	"errors"
	"fmt"
	"maps"

	"github.com/spf13/cobra"

	"mercer/configs"
	"mercer/internal/linalg"
	"mercer/internal/sizes"
	"mercer/internal/theory"
)

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
	return answer(c, e, e.Text)
}

// setting is what the flags say, and which open parameters nothing gave.
func (f *explainFlags) setting(c *cobra.Command, t theory.Theorem) (s theory.Setting, guessed []string, err error) {
	if _, err := linalg.Use(); err != nil {
		return s, nil, usage(err)
	}
	s = theory.Setting{Sizes: sizes.Sizes{N: f.n, M: cmp.Or(f.m, f.n), D: f.d, Ell: f.ell, K: f.k}, Delta: f.delta, Given: map[string]float64{}}
	for _, name := range sizes.Names { // in their order: m is n where it is not given
		if size := s.Get(name); size < 1 {
			return s, nil, usage(fmt.Errorf("--%s %d: must be positive", name, size))
		}
	}
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
	guessed, err = theory.Fill(t, &s, f.given, func(name string, known []string) string {
		return configs.Unknown("parameter", name, t.Reference, known)
	})
	return s, guessed, usage(err)
}
