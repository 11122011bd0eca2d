package plan

import (
	"context"
	"slices"
	"strings"

	"mercer/configs"
	"mercer/configs/source"
	"mercer/data"
	"mercer/internal/kernel"
	"mercer/internal/lists"
)

// Check finds all that is wrong with a spec, as Prepare would but in one go, without
// reading any data file. What Prepare would say of a right one are the notes, with the data
// files that are not there. A spec that is right can be planned as soon as its data are
// there. Of a spec that is not whole, see configs.Decode, it finds what is wrong in the rest.
// dir is where relative paths start from.
//
// The error is a configs.Problems, or that of the context.
func Check(ctx context.Context, spec *configs.Spec, dir string) (notes []string, err error) {
	r, err := Resolve(spec)
	var problems configs.Problems
	problems.Add(err)
	if err == nil {
		notes = r.notes()
	}

	o := newOpener(ctx, nil, r, Input{Dir: dir})
	problems.Add(o.findMethods())
	if !spec.Incomplete["grid"] {
		whole := !spec.Incomplete["datasets"] && !spec.Incomplete["kernels"] && !spec.Incomplete["methods"]
		wrongNames := spec.CheckNames(constantNames(spec))
		for _, c := range spec.Datasets {
			if r.Datasets[c.ID] == nil {
				whole = false
				problems = append(problems, without(wrongNames, checkSizes(spec))...)
				continue
			}
			deferred, err := o.expandUnread(c)
			whole = whole && !deferred
			problems = append(problems, without(wrongNames, atPlace(c, err))...)
		}
		problems.Add(o.checkMethods(whole && !o.partial))
		problems.Add(o.checkCells(whole && !o.partial && err == nil))
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return append(notes, o.Notes...), problems.Err()
}

// checkSizes finds sizes of methods that are none where no data set can be opened, as far as they use no
// constants: the first of each method.
func checkSizes(spec *configs.Spec) error {
	if len(spec.ForeignNames()) > 0 {
		return nil
	}
	points, err := spec.Grid.Points(nil)
	var problems configs.Problems
	problems.Add(err)
	for _, m := range spec.Methods {
		var wrong error
		for i := 0; i < points.Len() && wrong == nil; i++ {
			_, wrong = m.SizesAt(points.At(i), nil)
		}
		problems.Add(wrong)
	}
	return problems.Err()
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

// without leaves out of the problems of an error those of expressions that are known to be
// wrong.
func without(known, err error) configs.Problems {
	var wrong, all configs.Problems
	wrong.Add(known)
	all.Add(err)
	return slices.DeleteFunc(all, func(p configs.Problem) bool {
		return slices.ContainsFunc(wrong, func(w configs.Problem) bool { return w.Pos == p.Pos })
	})
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

// standInKernel is a kernel of an entry with plain parameters, so that the sizes of methods can be
// checked where its own are wrong; nil where these do not serve.
func standInKernel(entry kernel.Entry) kernel.Kernel {
	plain, _ := source.Params("kernel", "", "{sigma: 1, form: sigma-squared, nu: 1/2, decay: {power: 2}}")
	options := entry.New()
	_, _ = plain.Uses(options) // each kernel has some of these keys
	k, err := options.Build(nil)
	if err != nil {
		return nil
	}
	return k
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

// anyDistances stand in for a data set's, so that a kernel's parameters can be checked
// before there is data.
type anyDistances struct{}

func (anyDistances) RMS() (float64, error) { return 1, nil }

func (anyDistances) Quantile(float64) (float64, error) { return 1, nil }
