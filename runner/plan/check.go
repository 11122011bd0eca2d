package plan

import (
	"context"
	"strings"

	"mercer/configs"
	"mercer/configs/source"
	"mercer/data"
	"mercer/internal/kernel"
	"mercer/internal/lists"
)

// Check finds what is wrong with a spec, as Prepare would, without reading any data file:
// first all that shows without the points of its grid, and where nothing is, all that shows at
// these. What Prepare would say of a right one are the notes, with the data files that are not
// there. A spec that is right can be planned as soon as its data are there. Of a spec that is
// not whole, see configs.Decode, it finds what is wrong in the rest. dir is where relative
// paths start from.
//
// The error is a configs.Problems, or that of the context.
func Check(ctx context.Context, spec *configs.Spec, dir string) (notes []string, err error) {
	r, err := Resolve(spec)
	if err != nil || len(spec.Incomplete) > 0 {
		return nil, err
	}
	o := newOpener(ctx, nil, r, Input{Dir: dir})
	var problems configs.Problems
	problems.Add(o.findNamed())
	whole := true
	for _, c := range spec.Datasets {
		deferred, err := o.expandUnread(c)
		whole = whole && !deferred
		problems.Add(atPlace(c, err))
	}
	problems.Add(o.checkMethods(whole && !o.partial))
	problems.Add(o.checkCells())
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return append(r.notes(), o.Notes...), problems.Err()
}

// CheckProfiles checks a spec under each run profile. The notes are those of the default
// profile.
func CheckProfiles(ctx context.Context, spec *configs.Spec, dir string, set []string) (notes []string, err error) {
	var problems configs.Problems
	for _, name := range configs.ProfileNames() {
		if _, own := spec.Profiles[name]; !own && name != configs.DefaultProfile {
			continue // it has fewer repeats, and else is the default
		}
		profiled, err := source.Under(spec, name, set...)
		problems.Add(err)
		if profiled == nil {
			continue
		}
		found, err := Check(ctx, profiled, dir)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		problems.Add(err)
		if name == configs.DefaultProfile {
			notes = found
		}
	}
	return notes, problems.Err()
}

// expandUnread is expand for validate. It is deferred where constants that only the data
// know decide sizes or parameters.
func (o *opener) expandUnread(c configs.Component) (deferred bool, err error) {
	entry := data.Registry[c.Use.Value]
	if _, reads := o.Datasets[c.ID].(data.Reader); !reads {
		return false, o.expandSafely(c)
	}
	if absent := o.Datasets[c.ID].(data.Reader).Absent(data.Context{Dir: o.Input.Dir}); len(absent) > 0 {
		o.note("dataset %q is not here: %s; plan and run need it", c.ID, strings.Join(absent, ", "))
	}
	deciding := lists.Where(constantsOf(entry), o.names)
	if len(deciding) > 0 {
		o.note("dataset %q is not read, and its %s decide sizes or parameters: these are checked by plan and run", c.ID, strings.Join(deciding, ", "))
		return true, nil
	}
	return false, o.expandSafely(c)
}

// unknownAtoms stands for a number of atoms that is not known yet: as many as every rule
// of landmarks takes.
const unknownAtoms = 5000

// unread stands for a data set that is not read.
type unread struct {
	data.Dataset
	counts bool          // its samples are counts, of how many points is not known
	kernel kernel.Kernel // of the type that it brings; nil for none
}

func (unread) Constants() map[string]float64 { return nil }

func (u unread) Kernel() kernel.Kernel { return u.kernel }

func (u unread) Support() data.Support {
	s := data.Support{Closed: true}
	if u.counts {
		s.Atoms = unknownAtoms
	}
	return s
}

func (unread) Unchanged() error { return nil }

func (unread) Distances() kernel.Distances { return anyDistances{} }

// anyDistances stand in for a data set's, so that a kernel's parameters can be checked
// before there is data.
type anyDistances struct{}

func (anyDistances) RMS() (float64, error) { return 1, nil }

func (anyDistances) Quantile(float64) (float64, error) { return 1, nil }

func (anyDistances) Least() (float64, error) { return 0, nil }

func (anyDistances) Dim() int { return 0 }
