package plan

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"mercer/configs"
	"mercer/data"
	"mercer/internal/kernel"
	"mercer/internal/metrics"
	"mercer/methods"
)

// OpenDataset opens one data set of a spec in a folder and resolves the kernels that
// apply to it; log gets the progress of downloads.
func (r *Resolved) OpenDataset(ctx context.Context, log io.Writer, id, dir string) (data.Dataset, map[string]kernel.Kernel, error) {
	i := slices.IndexFunc(r.Spec.Datasets, func(c configs.Component) bool { return c.ID == id })
	if i < 0 {
		return nil, nil, errors.New("the spec has no such data set")
	}
	p := newPlan(r)
	err := p.open(ctx, log, r.Spec.Datasets[i], Input{Dir: dir})
	return p.Datasets[id], p.Kernels[id], err
}

// open opens one data set and resolves the kernels that apply to it.
func (p *Plan) open(ctx context.Context, log io.Writer, c configs.Component, in Input) (err error) {
	defer failedRead(&err)
	dataset, err := p.Resolved.Datasets[c.ID].Open(data.Context{
		Context: ctx, Dir: in.Dir, Log: log, Streams: FixedStreams(p.Spec.Seed, c.ID), Memory: in.Memory,
	})
	if err != nil {
		return err
	}
	if err := p.checkData(c, dataset); err != nil {
		return err
	}
	return p.add(c, dataset)
}

// add makes a data set one of the plan's and resolves the kernels that apply to it.
func (p *Plan) add(c configs.Component, dataset data.Dataset) error {
	p.Datasets[c.ID] = dataset
	if doubtful, ok := dataset.(interface{ Doubts() []string }); ok {
		for _, doubt := range doubtful.Doubts() {
			p.Notes = append(p.Notes, fmt.Sprintf("dataset %q: %s", c.ID, doubt))
		}
	}
	if own := dataset.Kernel(); own != nil {
		p.Kernels[c.ID] = map[string]kernel.Kernel{c.Use.Value: own}
		return nil
	}
	p.Kernels[c.ID] = map[string]kernel.Kernel{}
	for _, k := range p.Spec.Kernels {
		built, err := p.Resolved.Kernels[k.ID].Build(dataset.Distances())
		if err != nil {
			return configs.Errorf(k.Pos, "kernel %q on dataset %q: %v", k.ID, c.ID, err)
		}
		p.Kernels[c.ID][k.ID] = built
	}
	return nil
}

// leaveOut plans, in place of the cells of a data set that is absent, one
// skipped record for each kernel, method and repeat: its grid may depend on
// unknown constants.
func (p *Plan) leaveOut(c configs.Component, why error) {
	reason := fmt.Errorf("data: %w", why)
	p.Absent[c.ID] = why
	p.Notes = append(p.Notes, fmt.Sprintf("dataset %q is skipped: %v", c.ID, why))
	for _, kernelID := range configs.IDs(p.Spec.Kernels) {
		g := &Group{Dataset: c.ID, Kernel: kernelID}
		for i, m := range p.Spec.Methods {
			g.Fits = append(g.Fits, &Fit{Method: m.ID, Skip: reason, Cells: []Cell{{at: int32(i)}}})
		}
		p.Groups = append(p.Groups, g)
	}
}

// openMethods has methods find what they need beside the spec.
func (p *Plan) openMethods(dir string) error {
	var problems configs.Problems
	opened := *p.Resolved
	opened.Methods = maps.Clone(opened.Methods)
	for _, c := range p.Spec.Methods {
		m := opened.Methods[c.ID]
		opener, ok := m.Method.(methods.Opener)
		if !ok {
			continue
		}
		var err error
		if m.Method, m.Params, err = opener.Open(dir); err != nil {
			problems.Add(configs.Errorf(c.Params.Pos("command"), "method %q: %v", c.ID, err))
		}
		opened.Methods[c.ID] = m
	}
	p.Resolved = &opened
	return problems.Err()
}

// checkData refuses a data set that the spec's measures cannot be taken on.
func (p *Plan) checkData(c configs.Component, dataset data.Dataset) error {
	if p.needs(metrics.NeedsPopulation) {
		if err := data.CheckOperators(dataset.Support().Points); err != nil {
			return err
		}
	}
	if _, known := dataset.Constants()["classes"]; !known && p.needs(metrics.NeedsClasses) {
		return configs.Errorf(c.Pos, "dataset %q has no classes, and a measure of this spec needs them: name its label column or file (label:)", c.ID)
	}
	return nil
}

// failedRead turns a panic about a file that points are read from into that error.
func failedRead(err *error) {
	if v := recover(); v != nil {
		failure, ok := v.(*data.ReadError)
		if !ok {
			panic(v)
		}
		*err = failure
	}
}

// Unchanged returns an error if a data file has changed since the plan was made: the
// keys of records then no longer describe their data.
func (p *Plan) Unchanged() error {
	for _, id := range slices.Sorted(maps.Keys(p.Datasets)) {
		if err := p.Datasets[id].Unchanged(); err != nil {
			return fmt.Errorf("data set %q: %w", id, err)
		}
	}
	return nil
}

func (p *Plan) fingerprints() map[string]string {
	prints := map[string]string{}
	for id, d := range p.Datasets {
		prints[id] = d.Fingerprint()
	}
	for id := range p.Absent {
		prints[id] = ""
	}
	return prints
}
