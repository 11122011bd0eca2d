package cmd

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"mercer/configs"
	"mercer/configs/source"
	"mercer/internal/lists"
	"mercer/internal/theory"
	"mercer/runner/plan"
	"mercer/runner/populations"
)

// open opens the population.
func (f *explainFlags) open(c *cobra.Command) (theory.Population, map[string]float64, error) {
	s, err := f.source()
	if err != nil {
		return nil, nil, err
	}
	spec, err := source.Under(s.spec, f.profile)
	if err != nil {
		return nil, nil, usage(err)
	}
	dataset, kernelID := f.dataset, f.kernel
	if ids := configs.IDs(spec.Datasets); dataset == "" && len(ids) > 1 {
		return nil, nil, usage(fmt.Errorf("--spec %s has the data sets %s: name one by --dataset", f.spec, strings.Join(ids, ", ")))
	} else if dataset == "" {
		dataset = ids[0]
	} else if !slices.Contains(ids, dataset) {
		return nil, nil, usage(errors.New("--dataset: " + configs.Unknown("data set", dataset, f.spec, ids)))
	}
	p, err := plan.Input{Dir: s.dir, Profile: f.profile, Only: dataset}.PrepareSpec(c.Context(), c.ErrOrStderr(), spec)
	if err != nil {
		return nil, nil, usage(fmt.Errorf("dataset %q: %w", dataset, err))
	}
	kernels := lists.Once(lists.Map(p.Groups, func(g *plan.Group) string { return g.KernelID }))
	if kernelID == "" && len(kernels) > 1 {
		return nil, nil, usage(fmt.Errorf("dataset %q has the kernels %s: name one by --kernel", dataset, strings.Join(kernels, ", ")))
	}
	at := slices.IndexFunc(p.Groups, func(g *plan.Group) bool { return kernelID == "" || g.KernelID == kernelID })
	if at < 0 {
		return nil, nil, usage(errors.New("--kernel: " + configs.Unknown("kernel", kernelID, "", kernels)))
	}
	opened, err := populations.Of(p).At(p.Groups[at].Population, 0)
	if err != nil {
		return nil, nil, usage(fmt.Errorf("dataset %q: %w", dataset, err))
	}
	return opened.Population, p.Groups[at].Dataset.Constants(), nil
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
