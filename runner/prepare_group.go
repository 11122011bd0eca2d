package runner

import (
	"fmt"
	"sync"

	"gonum.org/v1/gonum/mat"

	"mercer/data"
	"mercer/internal/kernel"
	"mercer/internal/metrics"
	"mercer/runner/plan"
)

// heldOutKernel is the kernel matrix of a group's held-out points, the same one
// for all groups where they are the same points; nil where there are none.
func (c *computation) heldOutKernel(w *groupState) *metrics.HeldOutKernel {
	if !c.plan.NeedsMatrix() {
		return nil
	}
	points, _ := w.draw.HeldOut()
	if points == nil {
		return nil
	}
	ell := c.plan.Eigenpairs(w.group)
	var masses []float64
	if counts := w.draw.Counted(); counts != nil {
		masses = counts.Masses
	}
	if !c.plan.SharesPopulation(w.group.Dataset) {
		return metrics.NewHeldOutKernel(points, w.kernel, ell).Under(masses).Keep(w.group.KeepsMatrix)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	key := heldOutKey{w.group.Dataset, w.group.Kernel}
	if c.heldOut[key] == nil {
		c.heldOut[key] = metrics.NewHeldOutKernel(points, w.kernel, ell).Under(masses)
	}
	return c.heldOut[key]
}

// prepare draws the sample and opens the population of a group.
func (c *computation) prepare(g *plan.Group) (w *groupState, err error) {
	defer recovered(&err)
	p := c.plan
	w = &groupState{computation: c, group: g, kernel: p.Kernels[g.Dataset][g.Kernel]}
	draw, err := p.Datasets[g.Dataset].Draw(plan.RepeatStreams(p.Spec.Seed, g.Dataset, g.Repeat))
	if err != nil {
		return nil, err
	}
	w.draw = draw
	if responding, ok := p.Datasets[g.Dataset].(data.Responding); ok {
		w.response = responding.Response()
	}
	if counts := draw.Counted(); counts != nil {
		w.x, w.labels = counts.Atoms, counts.Labels
		err = w.count(counts)
	} else {
		w.x, w.labels, err = draw.Sample(max(1, g.MaxN))
	}
	if err != nil {
		return nil, err
	}
	if g.MaxRows > 0 {
		if w.rows, w.rowLabels, err = draw.Rows(g.MaxRows); err != nil {
			return nil, err
		}
	}
	if w.population, err = draw.Population(w.kernel, p.Eigenpairs(g)+1); err != nil {
		return nil, fmt.Errorf("population: %w", err)
	}
	w.kernelMatrix = c.heldOutKernel(w)
	w.gram = sync.OnceValue(func() *mat.SymDense { return kernel.Gram(w.kernel, w.first(g.MaxGramN)) })
	return w, nil
}
