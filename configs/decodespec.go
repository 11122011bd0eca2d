package configs

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"mercer/internal/lists"
)

// Decode decodes and checks a spec. What it cannot check is what other packages own: the `use`
// names and their parameters, the names of measures and metrics, and the constants of datasets
// (see CheckNames).
//
// The error is a Problems with every mistake, also of the trees that the profiles make of
// this one. Beside it stands what of the spec is sound, so that other packages' mistakes can be found
// in the same go; nil where nothing can be decoded.
func Decode(tree *Node) (*Spec, error) {
	s, c := decodeSpec(tree, nil)
	if s == nil {
		return nil, c.problems.Err()
	}
	all := slices.Clone(c.problems)
	for _, o := range s.Profiles {
		var found Problems
		if t, err := under(tree, o.Profile); err != nil {
			found.Add(err)
		} else {
			_, inner := decodeSpec(t, c.names)
			found = inner.problems
		}
		for _, p := range found {
			prefix := fmt.Sprintf("profile %q", o.Profile)
			switch {
			case slices.ContainsFunc(c.problems, func(own Problem) bool { return own.Pos == p.Pos }): // it is there without the profile
				continue
			case !strings.Contains(p.Msg, prefix):
				p.Msg = prefix + ": " + p.Msg
			}
			all = append(all, p)
		}
	}
	return s, all.Err()
}

// decodeSpec decodes and checks a tree, but for what its profiles make of it. The names whole are
// those of the spec that a profile has changed to this one; nil for none.
func decodeSpec(tree *Node, whole map[string][]string) (*Spec, *checker) {
	c := &checker{Decoder: newDecoder(""), names: map[string][]string{}, whole: whole}
	if !c.isMapping(tree, "a mapping of keys to values") {
		return nil, c
	}
	s := &Spec{Tree: tree, Incomplete: c.wrong}
	c.spec, c.texts = s, textColumns(tree)
	c.decodeStruct(tree, reflect.ValueOf(s).Elem())
	if c.full() {
		return nil, c
	}
	for i := range s.Claims {
		s.Claims[i].setDefaults()
	}
	for i := range s.Checks {
		s.Checks[i].Check = true
		s.Checks[i].setDefaults()
	}
	if c.wrong["targets"] { // what a claim on a broken one is about is not known
		broken := lists.Map(tree.Get("targets").entries(), (*Node).id)
		onBroken := func(claim Claim) bool {
			_, kind := claim.Kind()
			return kind != nil && slices.Contains(broken, kind.Quantity().Text)
		}
		s.Claims, s.Checks = slices.DeleteFunc(s.Claims, onBroken), slices.DeleteFunc(s.Checks, onBroken)
	}
	s.findOnTargets()
	for i := range s.Plots {
		s.Plots[i].setDefaults()
	}
	c.check(s)
	if s.Incomplete["measure"] {
		s.Measure = nil
	}
	return s, c
}

// textColumns are the grid variables that components take as texts, by "=name".
func textColumns(tree *Node) map[string]bool {
	texts := map[string]bool{}
	for _, section := range []string{"datasets", "kernels", "methods"} {
		tree.Get(section).all(func(n *Node) bool {
			if name, column := strings.CutPrefix(n.Text, "="); column && n.Kind == Text && variablePattern.MatchString(name) {
				texts[name] = true
			}
			return true
		})
	}
	return texts
}

// reservedNames are folders of results that keep something else than the runs of an
// experiment, and what.
var reservedNames = map[string]string{
	"reference": "reference results",
	"history":   "the history of all experiments",
	"regress":   "the runs of make regress",
}

// check reports the problems that decoding could not see, and leaves the sound entries of lists.
func (c *checker) check(s *Spec) {
	if keeps, taken := reservedNames[s.Name]; taken {
		c.add(s.Tree.Get("name").Pos, "%q cannot name an experiment: results/%s keeps %s; choose another name", s.Name, s.Name, keeps)
	}
	identify(c, "dataset", "datasets", s.Datasets)
	identify(c, "kernel", "kernels", s.Kernels)
	identify(c, "method", "methods", s.Methods)
	identify(c, "claim", "claims", s.Claims)
	identify(c, "check", "checks", s.Checks)
	identify(c, "plot", "plots", s.Plots)
	identify(c, "budget", "budgets", s.Budgets)
	identify(c, "target", "targets", s.Targets)
	for _, one := range s.Checks {
		if slices.Contains(c.names["claim"], one.ID) {
			c.add(one.Pos, "check id %q is taken by a claim", one.ID)
		}
	}
	for _, one := range s.Claims {
		if one.Bound != nil {
			c.names["bound"] = append(c.names["bound"], one.ID)
		}
	}
	c.names["claim"] = both(c.names["claim"], c.names["check"])
	if !c.wrong["repeats"] {
		s.Repeats.check(c.decoding)
		if len(s.Targets) > 0 && !s.Repeats.Adaptive() {
			c.add(s.Repeats.Pos, "targets are found by adding repeats; give repeats as {from: 8, to: 320, until: decided}")
		}
	}
	if !c.wrong["grid"] {
		c.checkGrid(s)
	}
	s.Answer.check(c)
	s.checkSought(c)
	s.Claims, s.Checks = passing(c, s.Claims), passing(c, s.Checks)
	s.Plots, s.Budgets, s.Targets = passing(c, s.Plots), passing(c, s.Budgets), passing(c, s.Targets)
	s.Warnings = c.warnings
}

// both are two lists of names, nil where one of them is not known.
func both(a, b []string) []string {
	if a == nil || b == nil {
		return nil
	}
	return slices.Concat(a, b)
}

// identify notes the ids of a section, unless it has mistakes, and reports ids that are taken.
func identify[T interface{ id() (string, Pos) }](c *checker, what, section string, list []T) {
	ids, lines := []string{}, map[string]int{}
	for _, one := range list {
		id, at := one.id()
		if first, again := lines[id]; again {
			c.add(at, "%s id %q is taken, by the %s in line %d", what, id, what, first)
			c.wrong[section] = true
			continue
		}
		ids, lines[id] = append(ids, id), at.Line
	}
	if !c.wrong[section] {
		c.names[what] = ids
	}
}

// passing are the entries of which checks find nothing wrong.
func passing[T interface{ check(*checker) }](c *checker, list []T) (sound []T) {
	for _, one := range list {
		before := len(c.problems)
		if one.check(c); len(c.problems) == before {
			sound = append(sound, one)
		}
	}
	return sound
}

// checkGrid checks the grid with what methods set of it, and notes the names of columns.
func (c *checker) checkGrid(s *Spec) {
	before := len(c.problems)
	c.names["variable"] = s.Grid.Names()
	for _, v := range s.Grid.all() {
		if values, known := constants(v.Name, v.expressions()); known && len(values) > 1 {
			c.several = append(c.several, v.Name)
		}
	}
	if _, _, circle := s.Grid.order(nil); circle != nil {
		c.problems.Add(circle)
	}
	for _, v := range s.sizing()[len(s.Grid.Skip):] { // conditions may compare texts
		c.noText(v)
	}
	if !c.wrong["methods"] {
		c.names["grid variable"] = s.axes()
		c.names["column"] = append([]string{"dataset", "kernel", "method"}, s.axes()...)
		if !c.wrong["profiles"] {
			c.numbers = s.numbers()
		}
		if !c.wrong["datasets"] && !c.wrong["repeats"] {
			c.problems.Add(s.checkSize())
		}
	}
	if len(c.problems) > before {
		c.wrong["grid"] = true
	}
}
