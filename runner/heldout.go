package runner

import "mercer/internal/metrics"

// heldOutKey names the kernel matrix of a population's points that all repeats
// share.
type heldOutKey struct{ dataset, kernel string }

// heldOutKernel is the kernel matrix of a group's held-out points, the same one
// for all groups where they are the same points; nil where there are none.
func (c *computation) heldOutKernel(w *work) *metrics.HeldOutKernel {
	if !c.plan.needsMatrix() {
		return nil
	}
	points, _ := w.draw.HeldOut()
	if points == nil {
		return nil
	}
	ell := c.plan.eigenpairs(w.group)
	if sized, ok := c.plan.Datasets[w.group.Dataset].(sizedPopulation); !ok || !sized.PopulationShared() {
		return metrics.NewHeldOutKernel(points, w.kernel, ell)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	key := heldOutKey{w.group.Dataset, w.group.Kernel}
	if c.heldOut[key] == nil {
		c.heldOut[key] = metrics.NewHeldOutKernel(points, w.kernel, ell)
	}
	return c.heldOut[key]
}
