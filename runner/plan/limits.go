package plan

import (
	"fmt"
	"slices"
)

// besides is what a group may take in all, in multiples of its arrays, where others
// run beside it: a quarter more of garbage (garbagePercent), and buffers.
const besides = 1.3

// WithGarbage is the memory in bytes that arrays of so many bytes may take together
// with their garbage: 1.3 times as much.
func WithGarbage(bytes int64) int64 { return int64(besides * float64(bytes)) }

// Refusal is a fit that would not fit into memory.
type Refusal struct {
	Fit     *Fit
	Allowed int64 // bytes, for groups
	Shared  int64 // bytes that groups share, which are not in it

	stream bool // --stream may help
}

// Error says what the fit needs and what to do.
func (r Refusal) Error() string {
	text := fmt.Sprintf("needs about %s, and %s are allowed", r.Fit.Memory, Bytes(r.Allowed))
	if r.Shared > 0 {
		text += fmt.Sprintf(" beside %s of populations that all share", Bytes(r.Shared))
	}
	text += "; take " + r.remedy() + ", "
	if r.stream {
		text += "give --stream, "
	}
	return text + "or raise --memory"
}

// remedy names what takes most.
func (r Refusal) remedy() string {
	m := r.Fit.Memory
	switch population := m.Population + r.Shared; max(m.Sample, m.Gram, population, m.Fit) {
	case m.Gram:
		return "a smaller n, or a method without the Gram matrix"
	case population:
		return "a smaller population"
	case m.Sample:
		return "a smaller n"
	}
	return "a smaller n, m or ell"
}

// Refused are the fits that a run would refuse that may take so many bytes, 0 for
// no limit, in the order of the plan.
func (p *Plan) Refused(memory int64) []Refusal {
	var all []Refusal
	for _, g := range p.Groups {
		_, refused := p.Parts(g, memory)
		all = append(all, refused...)
	}
	return all
}

// refusals say for some fits of a group why a run with so many bytes refuses them.
func (p *Plan) refusals(g *Group, fits []*Fit, memory int64) []Refusal {
	if len(fits) == 0 {
		return nil
	}
	allowed, streamed := p.Allowed(memory), p.streamed(g)
	var refused []Refusal
	for _, f := range fits {
		r := Refusal{Fit: f, Allowed: allowed, Shared: p.SharedBytes}
		if other := streamed[f]; other.Streams && !f.Streams {
			m := f.Memory
			r.stream = m.Sample > max(m.Gram, m.Population+r.Shared, m.Fit) || p.alone(g, other).Total() <= allowed
		}
		refused = append(refused, r)
	}
	return refused
}

// Allowed is how many of a run's bytes of memory its groups may take together: all but
// SharedBytes, at least 1. 0 means no limit.
func (p *Plan) Allowed(memory int64) int64 {
	if memory <= 0 {
		return maxBytes
	}
	return max(1, memory-p.SharedBytes)
}

// Parts divides a group, in the order of its fits, so that each part fits into what of
// a run's bytes of memory is Allowed with its garbage: one part if the whole group fits. Fits that leave no
// room for garbage even by themselves stay together as long as their arrays fit. A fit whose own arrays do not fit is refused.
// Each part draws its own sample and has its own Gram matrix, of the largest n in the
// part. The shape of a matrix product may decide the last bits of kernel values, so
// some of these bits depend on which fits are refused.
func (p *Plan) Parts(g *Group, memory int64) (parts []*Group, refused []Refusal) {
	allowed := p.Allowed(memory)
	var without []*Fit
	roomy := func(m Memory) bool { return WithGarbage(m.Total()) <= allowed }
	if roomy(g.Memory) {
		return []*Group{g}, nil
	}
	for _, f := range g.Fits {
		if f.Skip == nil && f.Memory.Total() > allowed {
			if len(f.Cells) > 0 {
				without = append(without, f)
			}
			continue
		}
		if len(parts) > 0 {
			last := parts[len(parts)-1]
			joined := p.Part(g, append(slices.Clone(last.Fits), f))
			together := joined.Memory.Total() <= allowed && !roomy(last.Memory) && !roomy(f.Memory)
			if together || roomy(joined.Memory) {
				parts[len(parts)-1] = joined
				continue
			}
		}
		parts = append(parts, p.Part(g, []*Fit{f}))
	}
	return parts, p.refusals(g, without, memory)
}

// Tight says that the arrays of a fit of the group fit into what of a run's bytes of
// memory is Allowed, and leave too little room for garbage: the fit may outgrow them.
func (p *Plan) Tight(g *Group, memory int64) bool {
	allowed := p.Allowed(memory)
	return slices.ContainsFunc(g.Fits, func(f *Fit) bool {
		bytes := f.Memory.Total()
		return f.Skip == nil && len(f.Cells) > 0 && bytes <= allowed && WithGarbage(bytes) > allowed
	})
}
