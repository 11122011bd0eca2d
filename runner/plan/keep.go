package plan

// keepMatrices decides which groups keep the kernel matrix of their own held-out points,
// which is otherwise computed anew for each record that needs it: those that with it
// still fit into the run's memory as a whole, their garbage included. Where the memory is
// not known none does. It changes estimates, and of results the last digits.
func (p *Plan) keepMatrices() {
	if p.memory <= 0 || !p.NeedsMatrix() {
		return
	}
	for _, g := range p.Groups {
		if p.Absent[g.Dataset] != nil || p.population(g).shared || p.population(g).keepsMatrix {
			continue
		}
		g.KeepsMatrix = true
		p.estimateFits(g)
		if WithGarbage(g.Memory.Total()) > p.Allowed(p.memory) {
			g.KeepsMatrix = false
			p.estimateFits(g)
		}
	}
}
