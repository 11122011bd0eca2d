package plan

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"mercer/configs"
	"mercer/internal/cost"
	"mercer/internal/kernel"
	"mercer/methods"
)

// expandAll lists the groups of all data sets in their first repeat, and checks
// them; whole says that no data set is left out.
func (p *Plan) expandAll(ctx context.Context, whole bool) error {
	var problems configs.Problems
	for _, c := range p.Spec.Datasets {
		if p.Datasets[c.ID] != nil {
			err := p.expand(ctx, c)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			problems.Add(err)
		}
	}
	if err := problems.Err(); err != nil {
		return err
	}
	problems.Add(p.checkMethods(whole))
	problems.Add(p.checkLines())
	return problems.Err()
}

// expand lists the groups of one data set in the first repeat.
func (p *Plan) expand(ctx context.Context, c configs.Component) error {
	dataset := p.Datasets[c.ID]
	constants := dataset.Constants()
	points, err := p.Spec.Grid.Points(constants)
	if err != nil {
		return err
	}
	kernels := p.KernelIDs(p.Kernels[c.ID])
	due := 0
	for _, g := range p.Groups {
		due += g.Records()
	}
	if err := p.Spec.CheckRecords(float64(due) + float64(points.Len())*float64(len(p.Spec.Methods))*float64(len(kernels))); err != nil {
		return err
	}
	sizes, err := p.sizes(ctx, points, constants)
	if err != nil {
		return err
	}
	if dataset.Support().Atoms == 0 {
		for _, s := range slices.Concat(sizes...) {
			if s.N > configs.MaxPoints {
				return configs.Errorf(c.Pos, "n = %d points of dataset %q: at most %.0f; only samples of counts may be larger: use: atoms, or sample: with_replacement", s.N, c.ID, configs.MaxPoints)
			}
		}
	}
	for _, kernelID := range kernels {
		g := &Group{Dataset: c.ID, Kernel: kernelID, points: points}
		for i, m := range p.Spec.Methods {
			p.addFits(g, m, sizes[i], constants)
		}
		p.shareEll(g)
		p.Groups = append(p.Groups, g)
	}
	return nil
}

// sizes are those of each method at each point.
func (p *Plan) sizes(ctx context.Context, points *configs.Points, constants map[string]float64) ([][]methods.Sizes, error) {
	var problems configs.Problems
	sizes := make([][]methods.Sizes, len(p.Spec.Methods))
	for k, m := range p.Spec.Methods {
		var err error
		sizes[k] = make([]methods.Sizes, points.Len())
		for i := 0; err == nil && i < points.Len(); i++ {
			if i%1024 == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			sizes[k][i], err = m.SizesAt(points.At(i), constants)
		}
		problems.Add(err)
	}
	return sizes, problems.Err()
}

// addFits adds a method's cells to a group, those that share a fit together. All
// fits stand in one list, and so do all cells: a plan may have millions.
func (p *Plan) addFits(g *Group, c configs.Component, at []methods.Sizes, constants map[string]float64) {
	method := p.Methods[c.ID]
	index := map[methods.Sizes]int{}
	var fits []Fit
	var counts []int             // of each fit's cells
	of := make([]int32, len(at)) // the fit of each point
	for i, sizes := range at {
		skip := p.check(g, method, sizes, constants)
		shared := sharedSizes(method, sizes)
		if p.Timed || skip != nil {
			shared = sizes // alone
		}
		number, found := index[shared]
		if !found || p.Timed || skip != nil {
			number = len(fits)
			fits, counts = append(fits, Fit{Method: c.ID, Sizes: sizes, Skip: skip}), append(counts, 0)
			index[shared] = number
		}
		fits[number].Sizes.Ell = max(fits[number].Sizes.Ell, sizes.Ell)
		of[i] = int32(number)
		counts[number]++
	}
	fits = slices.Clip(slices.Clone(fits))
	cells, first := make([]Cell, len(at)), g.Records()
	for number, count := range counts {
		fits[number].Cells, cells = cells[:0:count], cells[count:]
	}
	for i, sizes := range at {
		f := &fits[of[i]]
		f.Cells = append(f.Cells, Cell{Sizes: sizes, row: int32(i), at: int32(first + i)})
	}
	g.Fits = slices.Grow(g.Fits, len(fits))
	for i := range fits {
		g.Fits = append(g.Fits, &fits[i])
	}
}

func (p *Plan) check(g *Group, method ResolvedMethod, s methods.Sizes, constants map[string]float64) error {
	if s.N < 1 && slices.Contains(method.Uses, "n") {
		return errors.New("the grid gives no n")
	}
	if s.Ell < 1 && slices.Contains(method.Uses, "ell") {
		return errors.New("the grid gives no ell")
	}
	dataset := p.Datasets[g.Dataset]
	counts := dataset.Support().Atoms > 0
	if limit, ok := constants["N"]; ok && float64(s.N) > limit && !counts {
		return fmt.Errorf("n = %d points of a data set of %v", s.N, limit)
	}
	if counts && method.NoCounts != "" {
		return fmt.Errorf("the samples of dataset %q are counts: %s", g.Dataset, method.NoCounts)
	}
	if method.assumed {
		return nil // what it says may be about parameters that nobody gave
	}
	return method.Method.Check(p.Kernels[g.Dataset][g.Kernel], p.distinct(g.Dataset, method, s), int(constants["D"]))
}

// distinct are the sizes that the cost and the limits of a fit depend on: of samples of
// counts no more rows than there are atoms.
func (p *Plan) distinct(dataset string, method ResolvedMethod, s methods.Sizes) methods.Sizes {
	if atoms := p.Datasets[dataset].Support().Atoms; atoms > 0 {
		return method.AtAtoms(s, atoms)
	}
	return s
}

// Cost is that of a fit to a data set's sample at a cell's sizes, under any kernel
// where none is given.
func (p *Plan) Cost(dataset, method string, k kernel.Kernel, s methods.Sizes) cost.Cost {
	m := p.Methods[method]
	return m.Method.Cost(k, p.distinct(dataset, m, s), p.Datasets[dataset].Constants()["D"])
}

// WorkingSet is how many numbers a fit to a data set's sample holds; false where that
// is not known.
func (p *Plan) WorkingSet(dataset, method string, model methods.Model, s methods.Sizes) (numbers int, known bool) {
	m := p.Methods[method]
	return m.WorkingSet(model, p.distinct(dataset, m, s))
}

// checkMethods refuses a method that no cell can run, where the plan has all data
// sets, and notes skipped cells. The groups are those of the first repeat.
func (p *Plan) checkMethods(whole bool) error {
	var problems configs.Problems
	var notes byReason
	for _, c := range p.Spec.Methods {
		run, skipped := 0, 0
		var reason error
		for _, g := range p.Groups {
			for _, f := range g.Fits {
				switch {
				case f.Method != c.ID || p.Absent[g.Dataset] != nil:
				case f.Skip == nil:
					run += len(f.Cells) * p.Spec.Repeats.Value
				default:
					skipped += len(f.Cells) * p.Spec.Repeats.Value
					if reason == nil {
						reason = f.Skip
					}
				}
			}
		}
		switch {
		case run == 0 && skipped > 0 && whole:
			problems.Add(configs.Errorf(c.Pos, "method %q can be run at no point of the grid: %v", c.ID, reason))
		case skipped > 0:
			notes.add(c.ID, fmt.Sprintf("%d of %d records are skipped of", skipped, run+skipped), fmt.Sprintf(": %v", reason))
		}
	}
	p.Notes = append(p.Notes, notes.lines()...)
	return problems.Err()
}
