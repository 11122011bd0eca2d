package configs

import (
	"math"
	"slices"

	"gopkg.in/yaml.v3"

	"mercer/internal/sizes"
)

// reservedNames are folders of results that keep something else than the runs of an
// experiment, and what.
var reservedNames = map[string]string{
	"reference": "reference results",
	"history":   "the history of all experiments",
	"regress":   "the runs of make regress",
}

// checker checks what concerns more than one value of a decoded spec. What
// failed to decode is not held against the rest: a list of names is nil when
// its section has problems of its own, and then nothing is looked up in it.
type checker struct {
	spec     *Spec
	problems Problems
	broken   []int // lines of the problems of decoding
	datasets []string
	kernels  []string
	methods  []string
	axes     []string // numeric columns: grid variables and the sizes that methods set
	claims   []string
	plots    []string
	budgets  []string

	whole        bool                 // the grid, the methods and the profiles are sound: all values of columns are here
	columnValues map[string][]float64 // see numbers
}

// validate returns the problems that decoding could not see. The node is the
// spec's root, earlier are the problems of decoding.
func (s *Spec) validate(root *yaml.Node, earlier Problems) Problems {
	c := &checker{spec: s, columnValues: map[string][]float64{}}
	for _, p := range earlier {
		c.broken = append(c.broken, p.Pos.Line)
	}
	sound := c.soundSections(root)
	if keeps, taken := reservedNames[s.Name]; taken {
		c.problems.Add(Errorf(s.NamePos, "%q cannot name an experiment: results/%s keeps %s; choose another name", s.Name, s.Name, keeps))
	}
	c.checkIDs("datasets", s.Datasets, sound, &c.datasets)
	c.checkIDs("kernels", s.Kernels, sound, &c.kernels)
	c.checkIDs("methods", s.Methods, sound, &c.methods)
	if sound["grid"] {
		c.problems.Add(s.Grid.checkCycles())
		if sound["methods"] {
			c.axes = s.axes()
			profiles, given := sound["profiles"]
			c.whole = profiles || !given
		}
		if sound["methods"] && sound["datasets"] && sound["repeats"] {
			c.problems.Add(s.checkSize())
		}
	}
	c.checkClaims(sound["claims"])
	c.checkPlots(sound["plots"])
	c.checkBudgets(sound["budgets"])
	if sound["profiles"] && sound["grid"] {
		for _, o := range s.Profiles {
			c.checkOverlay(o)
		}
	}
	return c.problems
}

// soundSections are the top-level keys without problems inside.
func (c *checker) soundSections(root *yaml.Node) map[string]bool {
	sound := map[string]bool{}
	for i := 0; i+1 < len(root.Content); i += 2 {
		end := math.MaxInt
		if i+2 < len(root.Content) {
			end = root.Content[i+2].Line
		}
		sound[root.Content[i].Value] = c.isSound(root.Content[i].Line, end)
	}
	return sound
}

// isSound says whether no problem lies on the lines from start up to but not
// including end.
func (c *checker) isSound(start, end int) bool {
	return !slices.ContainsFunc(c.broken, func(line int) bool { return start <= line && (line < end || line == start) })
}

// checkIDs reports ids that are taken and, in a sound section, makes them known.
func (c *checker) checkIDs(section string, list []Component, sound map[string]bool, known *[]string) {
	seen := map[string]Pos{}
	for _, entry := range list {
		if first, again := seen[entry.ID]; again && entry.ID != "" {
			c.problems.Add(Errorf(entry.Pos, "%s id %q is taken, by the %s in line %d", entry.Kind, entry.ID, entry.Kind, first.Line))
			continue
		}
		seen[entry.ID] = entry.Pos
	}
	if sound[section] {
		*known = append([]string{}, IDs(list)...)
	}
}

// axes are the numeric columns by which records can be picked and split: grid
// variables and the sizes that methods set.
func (s *Spec) axes() []string {
	names := s.Grid.Names()
	for _, size := range sizes.Names {
		set := func(c Component) bool { _, ok := c.Sizes[size]; return ok }
		if !slices.Contains(names, size) && slices.ContainsFunc(s.Methods, set) {
			names = append(names, size)
		}
	}
	return names
}

// lookup reports a word that is not one of known; nil knows nothing and
// reports nothing, and an empty word has been reported as missing.
func (c *checker) lookup(what, word string, pos Pos, where string, known []string) {
	if word != "" && known != nil && len(c.problems) < maxProblems && !slices.Contains(known, word) {
		c.problems.Add(Errorf(pos, "%s", Unknown(what, word, where, known)))
	}
}

// prune leaves what is sound of a spec with problems, and marks the sections that
// are not whole.
func (s *Spec) prune(root *yaml.Node, problems Problems) {
	c := &checker{spec: s}
	for _, p := range problems {
		c.broken = append(c.broken, p.Pos.Line)
	}
	sound := c.soundSections(root)
	s.Incomplete = map[string]bool{"kernels": s.Kernels != nil && !sound["kernels"]}
	for _, section := range []string{"datasets", "methods", "grid", "measure"} {
		s.Incomplete[section] = !sound[section] // or missing
	}
	if s.checkSize() != nil {
		s.Incomplete["grid"] = true // too large to be expanded
	}
	if !sound["measure"] {
		s.Measure, s.MeasurePos = nil, nil
	}
	at := func(one Component) Pos { return one.Pos }
	s.Datasets = soundEntries(c, root, "datasets", s.Datasets, at)
	s.Kernels = soundEntries(c, root, "kernels", s.Kernels, at)
	s.Methods = soundEntries(c, root, "methods", s.Methods, at)
	s.Claims = soundEntries(c, root, "claims", s.Claims, func(one Claim) Pos { return one.Pos })
	s.Plots = soundEntries(c, root, "plots", s.Plots, func(one Plot) Pos { return one.Pos })
	s.Budgets = soundEntries(c, root, "budgets", s.Budgets, func(one Budget) Pos { return one.Pos })
	s.Profiles = nil
}

// soundEntries are the entries of a section without problems inside.
func soundEntries[T any](c *checker, root *yaml.Node, section string, list []T, at func(T) Pos) []T {
	end := math.MaxInt // the line of the next section
	for i := 0; i+3 < len(root.Content); i += 2 {
		if root.Content[i].Value == section {
			end = root.Content[i+2].Line
		}
	}
	var sound []T
	for i, one := range list {
		next := end
		if i+1 < len(list) && at(list[i+1]).Line > 0 {
			next = at(list[i+1]).Line
		}
		if at(one).Line > 0 && c.isSound(at(one).Line, next) {
			sound = append(sound, one)
		}
	}
	return sound
}
