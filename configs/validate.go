package configs

import (
	"slices"

	"gopkg.in/yaml.v3"
)

// reservedNames are folders of results that keep something else than the runs of an
// experiment, and what.
var reservedNames = map[string]string{
	"reference": "reference results",
	"regress":   "the runs of make regress",
}

// validate reports the problems that decoding could not see; sections are the values
// of the spec's keys.
func (s *Spec) validate(d *decoder, sections map[string]*yaml.Node) {
	c := &checker{decoder: d}
	sound := map[string]bool{}
	for key, node := range sections {
		sound[key] = d.sound(node)
	}
	if keeps, taken := reservedNames[s.Name]; taken {
		d.add(sections["name"], "%q cannot name an experiment: results/%s keeps %s; choose another name", s.Name, s.Name, keeps)
	}
	itself := func(entry *yaml.Node) *yaml.Node { return entry }
	c.datasets = checkIDs(c, "dataset", s.Datasets, sections["datasets"], itself)
	c.kernels = checkIDs(c, "kernel", s.Kernels, sections["kernels"], itself)
	c.methods = checkIDs(c, "method", s.Methods, sections["methods"], itself)
	if sound["repeats"] {
		s.Repeats.check(c)
	}
	if sound["grid"] {
		before := len(d.problems)
		c.variables = s.Grid.Names()
		for _, name := range c.variables {
			if values, known := constants(name, s.Grid.all().values(name)); known && len(values) > 1 {
				c.several = append(c.several, name)
			}
		}
		_, circle := s.Grid.order()
		d.problems.Add(circle)
		if sound["methods"] {
			c.axes = s.axes()
			if sections["profiles"] == nil || sound["profiles"] {
				c.numbers = s.numbers()
			}
		}
		if sound["methods"] && sound["datasets"] && sound["repeats"] {
			d.problems.Add(s.checkSize())
		}
		d.mark(s.Grid.Pos, before)
	}
	id := func(entry *yaml.Node) *yaml.Node { return child(entry, "id") }
	checkEach(c, s.Claims, sections["claims"])
	c.claims = checkIDs(c, "claim", s.Claims, sections["claims"], id)
	for _, claim := range s.Claims {
		if claim.Bound != nil {
			c.bounds = append(c.bounds, claim.ID)
		}
	}
	checkEach(c, s.Checks, sections["checks"])
	c.addChecks(checkIDs(c, "check", s.Checks, sections["checks"], id), sections["checks"])
	s.Answer.check(c)
	checkEach(c, s.Plots, sections["plots"])
	c.plots = checkIDs(c, "plot", s.Plots, sections["plots"], id)
	checkEach(c, s.Budgets, sections["budgets"])
	c.budgets = checkIDs(c, "budget", s.Budgets, sections["budgets"], id)
	checkEach(c, s.Targets, sections["targets"])
	c.targets = checkIDs(c, "target", s.Targets, sections["targets"], id)
	if len(s.Targets) > 0 && sound["repeats"] && !s.Repeats.Adaptive() {
		d.problems.Add(Errorf(s.Repeats.Pos, "targets are found by adding repeats; give repeats as {from: 8, to: 320, until: decided}"))
	}
	if sound["targets"] && sound["claims"] {
		s.checkSought(c)
		s.checkOnTargets(c)
	}
	if sound["profiles"] && sound["grid"] {
		for _, o := range s.Profiles {
			o.check(c, s)
		}
	}
	s.Warnings = c.warnings
}

// checkIDs reports ids that are taken, at the part of the entry that `at` gives. It
// returns the ids where all entries decoded, else nil.
func checkIDs[T interface{ id() string }](c *checker, kind string, list []T, section *yaml.Node, at func(entry *yaml.Node) *yaml.Node) []string {
	sound, lines, ids := section == nil || c.sound(section), map[string]int{}, []string{}
	for i, one := range list {
		entry := section.Content[i]
		ids = append(ids, one.id())
		if entry.Kind != yaml.MappingNode || one.id() == "" {
			continue
		}
		if first, again := lines[one.id()]; again {
			c.add(at(entry), "%s id %q is taken, by the %s in line %d", kind, one.id(), kind, first)
			c.broken[c.pos(entry)], c.broken[c.pos(section)] = true, true
			continue
		}
		lines[one.id()] = at(entry).Line
	}
	if !sound {
		return nil
	}
	return ids
}

// addChecks adds the ids of checks to those of claims, with which profiles name both, and
// reports those that a claim has.
func (c *checker) addChecks(ids []string, section *yaml.Node) {
	for i, id := range ids {
		if id != "" && slices.Contains(c.claims, id) {
			c.add(child(section.Content[i], "id"), "check id %q is taken by a claim", id)
		}
	}
	if c.claims != nil && ids != nil {
		c.claims = append(c.claims, ids...)
	} else {
		c.claims = nil
	}
}

// checkEach checks every entry that decoded.
func checkEach[T interface{ check(*checker) }](c *checker, list []T, section *yaml.Node) {
	for i, one := range list {
		if entry := section.Content[i]; c.sound(entry) {
			before := len(c.problems)
			one.check(c)
			c.mark(c.pos(entry), before)
		}
	}
}

// prune leaves what is sound of a spec with problems, and marks the sections that
// are not whole.
func (s *Spec) prune(d *decoder, sections map[string]*yaml.Node) {
	s.Incomplete = map[string]bool{"kernels": s.Kernels != nil && !d.sound(sections["kernels"])}
	for _, section := range []string{"datasets", "methods", "grid", "measure"} {
		s.Incomplete[section] = !d.sound(sections[section]) // or missing
	}
	if s.Incomplete["measure"] {
		s.Measure = nil
	}
	s.Datasets = soundEntries(d, s.Datasets, sections["datasets"])
	s.Kernels = soundEntries(d, s.Kernels, sections["kernels"])
	s.Methods = soundEntries(d, s.Methods, sections["methods"])
	s.Claims = soundEntries(d, s.Claims, sections["claims"])
	s.Checks = soundEntries(d, s.Checks, sections["checks"])
	s.Plots = soundEntries(d, s.Plots, sections["plots"])
	s.Budgets = soundEntries(d, s.Budgets, sections["budgets"])
	s.Targets = soundEntries(d, s.Targets, sections["targets"])
	s.Profiles = nil
}

// soundEntries are the entries of a section without problems inside.
func soundEntries[T any](d *decoder, list []T, section *yaml.Node) []T {
	var sound []T
	for i, one := range list {
		if d.sound(section.Content[i]) {
			sound = append(sound, one)
		}
	}
	return sound
}
