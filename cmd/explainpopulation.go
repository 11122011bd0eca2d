package cmd

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"mercer/configs"
	"mercer/internal/theory"
	"mercer/results"
	"mercer/runner/populations"
)

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
	opened := populations.New(c.Context(), c.ErrOrStderr(), resolved, results.Manifest{}, s.dir)
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
