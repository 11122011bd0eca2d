package plan

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"mercer/configs"
	"mercer/configs/source"
	"mercer/data"
	"mercer/internal/kernel"
	"mercer/internal/lists"
)

// Check finds all that is wrong with a spec, as Prepare would but in one go, without
// reading any data file. What Prepare would say of a right one are the notes, with
// the data files that are not there. A spec that is right can be planned as soon as
// its data are there. Of a spec that is not whole, see configs.Decode, it finds what
// is wrong in the rest; parameters that are not sound are taken for those of a plain use.
// dir is where relative paths start from.
//
// The error is a configs.Problems, or that of the context.
func Check(ctx context.Context, spec *configs.Spec, dir string) (notes []string, err error) {
	r, err := resolve(spec, true)
	var problems configs.Problems
	problems.Add(err)
	if err == nil {
		notes = r.notes()
	}
	p := newPlan(r.sound())
	whole := len(p.Spec.Datasets) == len(spec.Datasets) && len(p.Spec.Kernels) == len(spec.Kernels) &&
		!spec.Incomplete["datasets"] && !spec.Incomplete["kernels"]
	for _, c := range p.Spec.Datasets {
		if _, reads := r.Datasets[c.ID].(data.Reader); !reads {
			problems.Add(atPlace(c, p.open(ctx, nil, c, Input{Dir: dir})))
			continue
		}
		note, err := p.standIn(c, dir)
		problems.Add(err)
		if note != "" {
			notes = append(notes, note)
		}
	}
	problems.Add(p.openMethods(dir))
	if !spec.Incomplete["grid"] {
		for _, c := range p.Spec.Datasets {
			whole = whole && p.Datasets[c.ID] != nil
		}
		problems = append(problems, without(spec.CheckNames(constantNames(spec)), p.expandAll(ctx, whole))...)
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return append(notes, p.Notes...), problems.Err()
}

// CheckProfiles checks a spec under each run profile, with the assignments of source.Under. The
// notes are those of the default profile.
func CheckProfiles(ctx context.Context, spec *configs.Spec, dir string, set ...string) (notes []string, err error) {
	var problems configs.Problems
	for _, name := range configs.ProfileNames() {
		own := slices.ContainsFunc(spec.Profiles, func(o configs.Overlay) bool { return o.Profile == name })
		if !own && name != configs.DefaultProfile {
			continue // it has fewer repeats, and else is the default
		}
		profiled, err := source.Under(spec, name, set...)
		problems.Add(err)
		if profiled == nil {
			continue
		}
		said, err := Check(ctx, profiled, dir)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		problems.Add(err)
		if name == configs.DefaultProfile {
			notes = said
		}
	}
	return notes, problems.Err()
}

// without leaves out of the problems of the plan those of expressions that are known
// to be wrong.
func without(known, err error) configs.Problems {
	var wrong, all configs.Problems
	wrong.Add(known)
	all.Add(err)
	return slices.DeleteFunc(all, func(p configs.Problem) bool {
		return slices.ContainsFunc(wrong, func(w configs.Problem) bool { return w.Pos == p.Pos })
	})
}

// sound is what could be resolved of a spec.
func (r *Resolved) sound() *Resolved {
	spec := *r.Spec
	spec.Datasets = slices.DeleteFunc(slices.Clone(spec.Datasets), func(c configs.Component) bool { return r.Datasets[c.ID] == nil })
	spec.Kernels = slices.DeleteFunc(slices.Clone(spec.Kernels), func(c configs.Component) bool { return r.Kernels[c.ID] == nil })
	spec.Methods = slices.DeleteFunc(slices.Clone(spec.Methods), func(c configs.Component) bool { _, known := r.Methods[c.ID]; return !known })
	return &Resolved{Spec: &spec, Datasets: r.Datasets, Kernels: r.Kernels, Methods: r.Methods}
}

// standIn takes a data set that is not read into the plan, unless its values decide
// the grid. It notes that, and the files that are not there.
func (p *Plan) standIn(c configs.Component, dir string) (note string, err error) {
	traits := p.Resolved.Datasets[c.ID].Traits()
	if absent := p.Resolved.Datasets[c.ID].(data.Reader).Absent(data.Context{Dir: dir}); len(absent) > 0 {
		note = fmt.Sprintf("dataset %q is not here: %s; plan and run need it", c.ID, strings.Join(absent, ", "))
	}
	deciding := lists.Where(p.Spec.ForeignNames(), func(name string) bool { return slices.Contains(data.Registry[c.Use.Value].Constants, name) })
	if len(deciding) > 0 {
		said := fmt.Sprintf("dataset %q is not read, and its %s decide sizes: these are checked by plan and run", c.ID, strings.Join(deciding, ", "))
		return strings.Join(slices.DeleteFunc([]string{note, said}, func(s string) bool { return s == "" }), "; "), nil
	}
	return note, p.add(c, unread{counts: traits.Counts})
}

// unknownAtoms stands for a number of atoms that is not known yet: as many as every rule
// of landmarks takes.
const unknownAtoms = 5000

// unread stands for a data set that is not read.
type unread struct {
	data.Dataset
	counts bool // its samples are counts, of how many points is not known
}

func (unread) Constants() map[string]float64 { return nil }

func (unread) Kernel() kernel.Kernel { return nil }

func (u unread) Support() data.Support {
	s := data.Support{Closed: true}
	if u.counts {
		s.Atoms = unknownAtoms
	}
	return s
}

func (unread) Unchanged() error { return nil }

func (unread) Distances() kernel.Distances { return anyDistances{} }
