package runner

// Isolate says which cells run in processes of their own, so that one that goes
// past its limits can be killed, and its processor time and memory are known.
type Isolate string

// Results are the same, bit for bit, whichever is chosen.
const (
	// IsolateAuto isolates cells that are timed, all cells where one has a memory
	// limit of its own, the larger ones where cells have a time limit, and those that
	// may outgrow the memory of the run.
	IsolateAuto    Isolate = "auto"
	IsolateProcess Isolate = "process" // all cells
	IsolateNone    Isolate = "none"
)

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
func (r *run) isolated() map[*Group]bool {
	groups := map[*Group]bool{}
	for _, g := range r.plan.Groups {
		if r.isolates(g) && r.needed(g) {
			groups[g] = true
		}
	}
	return groups
}

func (r *run) isolates(g *Group) bool {
	if g.skipped() {
		return false
	}
	switch r.options.Isolate {
	case IsolateProcess:
		return true
	case IsolateAuto:
		if r.plan.Timed || r.options.CellMemory > 0 {
			return true
		}
		if r.plan.Recipe != nil && len(r.options.Worker) > 0 && r.plan.tight(g, r.plan.allowed(r.options.Memory)) {
			return true
		}
		return r.options.CellTimeout > 0 && (g.Memory.Total() >= smallBytes || g.flops() >= smallFlops)
	}
	return false
}

// skipped says that no fit of the group can be run.
func (g *Group) skipped() bool {
	for _, f := range g.Fits {
		if f.Skip == nil {
			return false
		}
	}
	return true
}

func (g *Group) flops() float64 {
	sum := 0.0
	for _, f := range g.Fits {
		if len(f.Cells) > 0 {
			sum += f.Flops
		}
	}
	return sum
}
