package runner

import "mercer/runner/plan"

const (
	// smallFlops and smallBytes are what the work of a group may be, by estimate,
	// for starting a process to be a burden: some seconds' worth.
	smallFlops = 2e10
	smallBytes = 256 << 20
	// processBytes is what a worker process takes beside its data.
	processBytes = 64 << 20
)

// isolated are the groups with something left to do that run in worker
// processes.
func (r *run) isolated() map[*plan.Group]bool {
	groups := map[*plan.Group]bool{}
	for _, g := range r.plan.Groups {
		if r.isolates(g) && r.needed(g) {
			groups[g] = true
		}
	}
	return groups
}

func (r *run) isolates(g *plan.Group) bool {
	if g.Skipped() {
		return false
	}
	switch r.options.Isolate {
	case IsolateProcess:
		return true
	case IsolateAuto:
		if r.plan.Timed || r.options.cellMemory > 0 {
			return true
		}
		if r.plan.Origin != nil && len(r.options.Worker) > 0 && r.plan.Tight(g, r.options.Memory) {
			return true
		}
		return r.options.CellTimeout > 0 && (g.Memory.Total() >= smallBytes || g.Flops() >= smallFlops)
	}
	return false
}
